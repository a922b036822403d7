import Foundation
import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// Signing out, dismissing a failure, and reading what remains.
extension LifeCycleTests {
  // MARK: Signing out

  @Test(.conformance(112)) func resetForgetsEverythingAndIgnoresLateAnswers() async {
    let script = ScriptedAPI(ignoresCancellation: true)
    let store = store(State(confirmed: [7]), script)
    await store.send(.load)
    await store.send(.follow)
    await store.send(.add(1))
    await store.send(.reset)
    #expect(store.state.ids == [])
    #expect(store.state.isSettled)
    #expect(!store.state.canUndo)
    #expect(!store.state.isFollowing)
    await store.send(.add(1))  // The next user adds the same item.
    #expect(script.requests.withLock { $0.map(\.number) } == [4, 6])
    await script.fetches.succeed([8, 9])
    await script.sets.succeed(())  // The response to the first user's request.
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [])
    #expect(store.state.isPending(1))
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1])
    await store.assertFinished()
  }

  @Test(.conformance(112)) func resetNeverGivesANumberTwice() {
    let reducer = Reducer<FavoritesAction<Int>, State>.favorites()
    var state = State()
    var numbers: Set<Int> = []
    var slots: Set<Int> = []
    for _ in 1...10 {
      reducer.reduce(.add(1), &state)
      for slot in state.bookkeeping.slots { #expect(slots.insert(slot.number).inserted) }
      for request in state.bookkeeping.slots.flatMap(\.requests) { #expect(numbers.insert(request.number).inserted) }
      reducer.reduce(.load, &state)
      if let number = state.load.fetchNumber { #expect(numbers.insert(number).inserted) }
      reducer.reduce(.reset, &state)
    }
    #expect(numbers.count == 20)
    #expect(slots.count == 10)
  }

  // MARK: Dismissing

  @Test(.conformance(113)) func dismissingKeepsTheKnowledgeThatTheServersValueIsUncertain() async {
    let script = ScriptedAPI()
    let store = store(State(), script, policy: FavoritesPolicy(limit: 1, attempts: 1, timeLimit: nil))
    await store.send(.add(2))
    await script.sets.fail(FavoritesFailure(.timeout, "late"))
    await script.fetches.fail(FavoritesFailure(.refused, "no"))
    await store.send(.dismiss(2))
    #expect(store.state.failure(of: 2) == nil)
    #expect(!store.state.isPending(2))
    #expect(!store.state.isSettled(2))
    #expect(store.state.items[2]?.intent == false)
    await store.send(.add(9))
    await store.send(.toggle(2))
    await store.send(.toggle(2))
    #expect(store.state.isPending(2))
    await script.sets.succeed(())
    #expect(script.sets.pending == [.remove(2)])
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [9])
    #expect(store.state.isSettled(2))
    await store.assertFinished()
  }

  @Test(.conformance(113)) func aFetchSettlesWhatWasDismissed() async {
    let script = ScriptedAPI()
    let store = store(State(), script, policy: FavoritesPolicy(attempts: 1, timeLimit: nil))
    await store.send(.add(2))
    await script.sets.fail(FavoritesFailure(.timeout, "late"))
    await store.send(.dismiss(2))
    await script.fetches.succeed([2])
    await store.skipReceivedActions()
    #expect(store.state.ids == [2])
    #expect(store.state.isSettled(2))
    await store.assertFinished()
  }

  // MARK: Reading

  @Test func aStateWhosePartsDoNotFitIsAnErrorAndNoTrap() throws {
    let reducer = Reducer<FavoritesAction<Int>, State>.favorites(policy: FavoritesPolicy(limit: 1))
    var state = State()
    reducer.reduce(.add(4), &state)
    reducer.reduce(.failed(state.bookkeeping.slots[0].requests[0], FavoritesFailure(.offline, "")), &state)
    for id in 1...3 { reducer.reduce(.add(id), &state) }
    let number = state.bookkeeping.slots[0].requests[0].number
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(state), as: UTF8.self)
    for (part, change) in [
      (#""queue":[2,3]"#, #""queue":[2]"#), (#""queue":[2,3]"#, #""queue":[2,3,4]"#),
      (#""queue":[2,3]"#, #""queue":[2,9]"#), (#""lastNumber":6"#, #""lastNumber":1"#),
      (#""lastNumber":6"#, #""lastNumber":9223372036854775807"#), (#""lastSlot":2"#, #""lastSlot":0"#),
      (#""waiting":[4]"#, #""waiting":[4,1]"#), (#""waiting":[4]"#, #""waiting":[9]"#),
      (#""running":["#, #""running":[{"number":1,"requests":[]},"#), (#""slot":2"#, #""slot":3"#),
      (#","sent":{"isFavorite":true,"number":2}"#, ""),
      (#""id":1,"isFavorite":true,"number":\#(number)"#, #""id":1,"isFavorite":true,"number":1"#),
    ] {
      let changed = text.replacingOccurrences(of: part, with: change)
      #expect(changed != text, "\(part) is not in \(text)")
      #expect(throws: DecodingError.self, "\(change)") {
        try JSONDecoder().decode(State.self, from: Data(changed.utf8))
      }
    }
  }
}
