import ReeluxCore
import ReeluxTesting

/// A small feature with everything that a test store must support.
struct Search: Equatable, Sendable {
  var text = ""
  var results: [String] = []
  var isSearching = false
  var isLive = false
  var failure: String?
}

enum SearchAction: Sendable, Equatable {
  case typed(String)
  case found([String])
  case failed(String)
  case goLive(Bool)
  case arrived(String)
  case clear
  case cleared
}

struct Offline: Error {}

extension Prism<SearchAction, [String]> {
  static let found = Prism(case: SearchAction.found) { if case .found(let it) = $0 { it } else { nil } }
}

extension Prism<SearchAction, String> {
  static let failed = Prism(case: SearchAction.failed) { if case .failed(let it) = $0 { it } else { nil } }
}

struct SearchMiddleware: FeedingMiddleware {
  let find: @Sendable (String) async throws -> [String]
  let news: ScriptedSequence<String>
  let clock: TestClock

  func handle(
    action: SearchAction, from source: ActionSource, state: GetState<Search>
  ) -> Effect<SearchAction> {
    switch action {
    case .typed(let text):
      .task(catch: { .failed("\($0)") }) { .found(try await find(text)) }
        .debounce(id: "search", for: .milliseconds(300), clock: clock)
    case .clear: .cancel(id: "search") <> .send(.cleared)
    case .found, .failed, .goLive, .arrived, .cleared: .none
    }
  }

  func feeds(for state: Search) -> [Feed<SearchAction>] {
    guard state.isLive else { return [] }
    return [
      Feed(key: "news") { [news] send in
        let titles = news.makeAsyncIterator()
        while let title = try? await titles.next() { send(.arrived(title)) }
      }
    ]
  }
}

extension Feature where Action == SearchAction, State == Search {
  static func search(
    find: @escaping @Sendable (String) async throws -> [String] = { [$0] }, news: ScriptedSequence<String> = .init(),
    clock: TestClock = TestClock()
  ) -> Feature {
    Feature(
      reducer: Reducer { action, state in
        switch action {
        case .typed(let text):
          state.text = text
          state.isSearching = true
        case .found(let results):
          state.results = results
          state.isSearching = false
        case .failed(let reason):
          state.failure = reason
          state.isSearching = false
        case .goLive(let isLive): state.isLive = isLive
        case .arrived(let title): state.results.append(title)
        case .clear: state = Search(isLive: state.isLive)
        case .cleared: break
        }
      },
      middleware: Middleware(SearchMiddleware(find: find, news: news, clock: clock)))
  }
}
