import ReeluxTesting
import Testing

@testable import MainActorApp

/// The tests of a feature in a target whose default isolation is the main actor.
@Suite struct MainActorAppTests {
  @Test func savingIsShownUntilTheAnswer() async {
    let store = TestStore(initialState: CounterState(), feature: .counter { _ in })
    await store.send(.increment) { $0.count = 1 }
    await store.send(.save) { $0.isSaving = true }
    await store.receive(.saved) { $0.isSaving = false }
    await store.assertFinished()
  }
}
