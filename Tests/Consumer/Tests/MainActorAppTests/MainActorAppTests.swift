import ReeluxCore
import ReeluxRecording
import ReeluxTesting
import Testing

@testable import MainActorApp

/// The tests of a feature in a target whose default isolation is the main actor.
@Suite(.conformance(104)) struct MainActorAppTests {
  @Test func savingIsShownUntilTheAnswer() async {
    let store = TestStore(initialState: CounterState(), feature: .counter { _ in })
    await store.send(.increment) { $0.count = 1 }
    await store.send(.save) { $0.isSaving = true }
    await store.receive(.saved) { $0.isSaving = false }
    await store.assertFinished()
  }

  @Test func aRecordingOfTheActionsIsReplayed() throws {
    let recording = Recording<CounterAction, CounterState>(
      header: RecordingHeader(app: "Counter", version: "1"), initialState: CounterState(),
      actions: [RecordedAction(number: 1, action: .increment, source: ActionSource(), time: 0, duration: 0)])
    var player = ActionPlayer(recording, reducer: Feature.counter { _ in }.reducer)
    try player.playToEnd()
    #expect(player.state.count == 1)
  }
}

/// The trait by which `Scripts/conformance` finds the tests of a line of the conformance list.
nonisolated struct ConformanceTrait: SuiteTrait {}

extension Trait where Self == ConformanceTrait {
  nonisolated static func conformance(_ lines: Int...) -> ConformanceTrait { ConformanceTrait() }
}
