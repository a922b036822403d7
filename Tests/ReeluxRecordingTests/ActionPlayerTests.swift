import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxDiff
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct ActionPlayerTests {
  /// A recording of many actions without a file.
  private func recording(_ count: Int) -> Recording<ShopAction, ShopState> {
    Recording(
      header: RecordingHeader(app: "Shop", version: "1"), initialState: ShopState(),
      actions: (1...count).map {
        RecordedAction(number: $0, action: .count(.by($0)), source: ActionSource())
      })
  }

  @Test func aReplayGivesTheSameStatesWithEveryChecksumEqual() throws {
    var player = ActionPlayer(try ShopRecording().read(), reducer: .shop)
    try player.playToEnd()
    #expect(player.verified == 5)
    #expect(player.state == ShopState(counter: Counter(value: 6)))
    #expect(player.current?.action == .count(.by(5)))
  }

  @Test func theFirstDifferenceStopsAndIsShown() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action == .count(.up) { state.counter.value += 2 } else { Reducer.shop.reduce(action, &state) }
    }
    var player = ActionPlayer(try ShopRecording().read(), reducer: wrong)
    let difference = #expect(throws: PlaybackDifference.self) { try player.playToEnd() }
    #expect(difference?.number == 2)
    #expect(difference?.parts == ["counter"])
    #expect(difference?.changes.description == "counter.value: 0 → 2")
    #expect(
      difference?.description.contains("action 2 leads to another state than the recorded one: .count(.up)") == true)
    #expect(difference?.description.contains("differing: counter") == true)
    #expect(player.position == 2)
  }

  @Test func aChangedInitialStateIsADifference() throws {
    var recording = try ShopRecording().read()
    recording.initialState.cart = ["smuggled"]
    var player = ActionPlayer(recording, reducer: .shop)
    let difference = #expect(throws: PlaybackDifference.self) { try player.playToEnd() }
    #expect(difference?.number == 0)
    #expect(difference?.description.hasPrefix("the initial state has another checksum after it was decoded: ") == true)
  }

  /// A recording with a state in its file after the second action.
  private func recording(withState state: ShopState) throws -> ShopRecording {
    let recorded = try ShopRecording([.add("tea"), .tick, .add("milk")])
    try recorded.insert(#"{"snapshot":2,"state":\#(TreeEncoder().encode(state).text)"#, at: 3)
    return recorded
  }

  @Test func aJumpWithoutSomeActionsUsesNoStateOfTheFile() throws {
    let recorded = try recording(withState: ShopState(cart: ["tea"]))
    var player = ActionPlayer(try recorded.read(), reducer: .shop)
    try player.skip([1])
    try player.jump(to: 3)
    #expect(player.state.cart == ["milk"])
  }

  @Test func aJumpUsesNoStateOfTheFileWithAnotherChecksum() throws {
    let recorded = try recording(withState: ShopState(cart: ["rum"]))
    var player = ActionPlayer(try recorded.read(), reducer: .shop)
    try player.jump(to: 3)
    #expect(player.state.cart == ["tea", "milk"])
  }

  @Test func withoutSomeActionsTheLastChecksumIsNotCompared() throws {
    var player = ActionPlayer(try ShopRecording().read(), reducer: .shop)
    try player.skip([2])
    try player.playToEnd()
    #expect(player.state.counter.value == 5)
    #expect(player.verified == 0)
  }

  @Test func theLastChecksumIsCountedOnce() throws {
    let directory = try TemporaryDirectory()
    let recorder = try ActionRecorder<Int, Int>(
      path: directory.path + "/run", app: "T", version: "1", checksumEvery: 100)
    let store = Store(initialState: 0, feature: Feature(reducer: Reducer { $1 += $0 }) <> .recorder(recorder))
    for number in 1...3 { store.dispatch(number) }
    try recorder.close()
    var player = ActionPlayer(
      try Recording<Int, Int>(path: directory.path + "/run"), reducer: Reducer { $1 += $0 })
    for _ in 0..<2 { try player.playToEnd() }
    #expect(player.verified == 1)
  }

  @Test func steppingBackAndForthGivesTheSameStates() throws {
    var player = ActionPlayer(recording(100), reducer: .shop, snapshotEvery: 7)
    try player.playToEnd()
    var sum = 5_050
    for position in (0..<100).reversed() {
      sum -= position + 1
      try player.stepBack()
      #expect(player.position == position)
      #expect(player.state.counter.value == sum)
    }
    try player.stepBack()
    #expect(player.position == 0)
    #expect(try player.step()?.number == 1)
    #expect(player.state.counter.value == 1)
  }

  @Test(arguments: [0, 1, 6, 7, 8, 50, 99, 100, 1_000, -5]) func aJumpGoesAnywhere(target: Int) throws {
    var player = ActionPlayer(recording(100), reducer: .shop, snapshotEvery: 7)
    for start in [0, 30, 100] {
      try player.jump(to: start)
      try player.jump(to: target)
      let expected = min(100, max(0, target))
      #expect(player.position == expected)
      #expect(player.state.counter.value == expected * (expected + 1) / 2)
    }
  }

  @Test func aStepBackInAMillionActionsCostsAtMostTheSnapshotDistance() throws {
    let reductions = Locked(0)
    let counting = Reducer<ShopAction, ShopState> { action, state in
      reductions.withLock { $0 += 1 }
      Reducer.shop.reduce(action, &state)
    }
    var player = ActionPlayer(recording(1_000_000), reducer: counting)
    try player.jump(to: 1_000_000)
    reductions.withLock { $0 = 0 }
    try player.stepBack()
    #expect(player.position == 999_999)
    #expect(reductions.withLock { $0 } == 999)
  }

  @Test func aSkippedActionIsLeftOutAndLaterOnesAreComputedAnew() throws {
    var player = ActionPlayer(try ShopRecording().read(), reducer: .shop, snapshotEvery: 2)
    try player.playToEnd()
    try player.skip([2, 4])
    #expect(player.position == 5)
    #expect(player.state == ShopState(cart: ["tea"], counter: Counter(value: 5)))
    try player.jump(to: 3)
    #expect(player.state == ShopState(cart: ["tea"]))
    try player.playToEnd()
    try player.skip([])
    #expect(player.state == ShopState(counter: Counter(value: 6)))
  }

  @Test func onlyActionsAfterTheFirstSkippedOneAreFitted() throws {
    var player = ActionPlayer(recording(6), reducer: .shop) { _, _ in .orphaned("fitted") }
    try player.skip([5, 3])
    try player.playToEnd()
    #expect(player.orphaned.keys.sorted() == [4, 6])
    try player.skip([5])
    #expect(player.orphaned.keys.sorted() == [6])
    try player.skip([])
    #expect(player.orphaned.isEmpty)
    #expect(player.state.counter.value == 21)
  }

  @Test func orphanedResponsesAreKnownAfterAnyJump() throws {
    var player = ActionPlayer(recording(6), reducer: .shop, snapshotEvery: 2) { _, _ in .orphaned("fitted") }
    try player.skip([3, 5])
    try player.playToEnd()
    try player.jump(to: 0)
    #expect(player.orphaned.isEmpty)
    try player.jump(to: 6)
    #expect(player.orphaned.keys.sorted() == [4, 6])
    try player.skip([5])
    try player.stepBack()
    #expect(player.orphaned.isEmpty)
  }

  @Test func numbersOutsideOfTheRecordingAreNotSkipped() throws {
    var player = ActionPlayer(try ShopRecording().read(), reducer: .shop)
    try player.skip([0, 99, -1])
    try player.playToEnd()
    #expect(player.verified > 0)
    #expect(player.skipped.isEmpty)
    try player.jump(to: 2)
    #expect(player.position == 2)
  }

  @Test func aLongFileIsPlayedAsItWasRecorded() throws {
    let recorded = try ShopRecording((1...2_300).map { .count(.by($0)) })
    var player = ActionPlayer(try recorded.read(), reducer: .shop)
    try player.playToEnd()
    #expect(player.state.counter.value == 2_300 * 2_301 / 2)
    // Jumps from any position in any direction.
    for target in [0, 1_700, 499, 500, 501, 2_300, 1_000, 1_001] {
      try player.jump(to: target)
      #expect(player.state.counter.value == target * (target + 1) / 2)
      #expect(player.current.map { $0.number == target } ?? true)
    }
  }

  @Test func anActionThatCannotBeReadStopsWhereItStands() throws {
    enum Other: Codable, Sendable { case count(CountAction) }
    let recorded = try ShopRecording((1...1_800).map { $0 == 1_600 ? .tick : .count(.by($0)) })
    var player = ActionPlayer(
      try Recording<Other, ShopState>(path: recorded.path), reducer: Reducer { _, _ in }, snapshotEvery: 100)
    let error = #expect(throws: RecordingError.self) { try player.jump(to: 1_800) }
    #expect(error?.description.contains(":1601: the line cannot be read: ") == true)
    #expect(player.position == 1_500)
  }

  @Test func playingStopsWhereItIsTold() throws {
    var player = ActionPlayer(try ShopRecording().read(), reducer: .shop)
    try player.play(to: 2)
    #expect(player.position == 2)
    #expect(player.verified == 2)
    try player.play(to: 1)
    #expect(player.position == 1)
    try player.playToEnd()
    #expect(player.verified == 5)
  }

  @Test(arguments: [1, 7, 14, 99, 100]) func theActionAtThePositionIsKnownAfterAnyJump(target: Int) throws {
    var player = ActionPlayer(recording(100), reducer: .shop, snapshotEvery: 7)
    for start in [0, 30, 100] {
      try player.jump(to: start)
      try player.jump(to: target)
      #expect(player.current?.number == target)
    }
    try player.jump(to: 0)
    #expect(player.current == nil)
  }

  @Test func actionsInMemoryAreNumberedFrom1() throws {
    let whole = try ShopRecording().read()
    let part = Recording(
      header: RecordingHeader(app: "Shop", version: "1"), initialState: ShopState(cart: ["tea"]),
      actions: try whole.actions(2...5))
    #expect(try part.actions().map(\.number) == [1, 2, 3, 4])
    var player = ActionPlayer(part, reducer: .shop)
    try player.playToEnd()
    #expect(player.state == ShopState(counter: Counter(value: 6)))
    #expect(player.verified == 4)
  }
}
