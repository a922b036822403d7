// A feature: 1 to 5 stars, shown at once, saved in the background, taken back if saving fails.
import ReeluxCore
import ReeluxTesting
import Testing

enum Stars: Int { case one = 1, two, three, four, five }

struct Rating: Equatable {
  var confirmed: Stars?  // The value on the server.
  var shown: Stars?
  var problem: String?
}

enum RatingAction {
  case rate(Stars)
  case saved(Stars)
  case refused(String)
}

extension Feature where Action == RatingAction, State == Rating {
  static func rating(save: @escaping @Sendable (Stars) async throws -> Void) -> Feature {
    Feature(
      reducer: Reducer { action, state in
        switch action {
        case .rate(let stars): (state.shown, state.problem) = (stars, nil)
        case .saved(let stars): state.confirmed = stars
        case .refused(let reason): (state.shown, state.problem) = (state.confirmed, reason)
        }
      },
      middleware: Middleware { action, _, _ in
        guard case .rate(let stars) = action else { return .none }
        return .task(catch: { .refused("\($0)") }) {
          try await save(stars)
          return .saved(stars)
        }
        .cancellable(id: "save", cancelInFlight: true)  // The last value counts.
      })
  }
}

@Suite struct RatingTests {
  struct Offline: Error {}
  let save = ScriptedCalls<Stars, Void>()

  @Test func aRatingIsShownAtOnceAndTakenBackWhenSavingFails() async {
    let store = TestStore(initialState: Rating(), feature: .rating { [save] in try await save($0) })
    await store.send(.rate(.four)) { $0.shown = .four }
    await save.succeed(())
    await store.receive(.saved(.four)) { $0.confirmed = .four }
    await store.send(.rate(.one)) { $0.shown = .one }
    await save.fail(Offline())
    await store.receive(.refused("Offline()")) {
      $0.shown = .four
      $0.problem = "Offline()"
    }
    await store.assertFinished()
  }
}
