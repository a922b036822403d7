import ReeluxCore
import ReeluxTesting
import Testing

// The README shows this feature and its test. The test runs with all others.

// snippet.feature
struct Quote: Equatable {
  var text = ""
  var isLoading = false
}
enum QuoteAction { case load, loaded(String), failed }

extension Feature where Action == QuoteAction, State == Quote {
  static func quote(fetch: @escaping @Sendable () async throws -> String) -> Feature {
    Feature(
      reducer: Reducer { action, quote in
        switch action {
        case .load: quote.isLoading = true
        case .loaded(let text): quote = Quote(text: text)
        case .failed: quote.isLoading = false
        }
      },
      middleware: Middleware { action, source, state in
        if case .load = action { .task(catch: { error in .failed }) { .loaded(try await fetch()) } } else { .none }
      })
  }
}
// snippet.end

@Suite(.timeLimit(.minutes(15))) struct ReadmeTests {
  // snippet.test
  @Test func aQuoteIsShownWhenItArrives() async {
    let fetch = ScriptedCalls<Void, String>()
    let store = TestStore(initialState: Quote(), feature: .quote { try await fetch(()) })
    await store.send(.load) { $0.isLoading = true }
    await fetch.succeed("Rosebud.")
    await store.receive(.loaded("Rosebud.")) { $0 = Quote(text: "Rosebud.") }
    await store.assertFinished()
  }
  // snippet.end
}
