import Foundation
import ReeluxCore
import ReeluxDiff
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct PlaybackDifferenceTests {
  /// The differences of a whole playback, which goes on after each.
  private func differences(
    _ actions: [ShopAction], _ reducer: Reducer<ShopAction, ShopState>, from start: Int = 0
  ) throws -> [PlaybackDifference] {
    var player = ActionPlayer(try ShopRecording(actions).read(), reducer: reducer)
    try player.jump(to: start)
    var found: [PlaybackDifference] = []
    while player.position < player.count {
      do { try player.step() } catch let difference as PlaybackDifference { found.append(difference) }
    }
    return found
  }

  @Test func theDescriptionHasTheSourceTheChecksumsAndTheChanges() {
    var difference = PlaybackDifference(
      number: 2, agreed: 1, action: ".tick", source: ActionSource(file: "App/Shop.swift", function: "run()", line: 7),
      expected: "0a", found: "0b", parts: ["cart", "counter"],
      changes: ValueDifference(from: Counter(value: 1), to: Counter(value: 2)))
    let beginning = """
      action 2 leads to another state than the recorded one: .tick
        from App/Shop.swift:7 run()
        checksum 0b, recorded 0a
      """
    #expect(
      difference.description == """
        \(beginning)
          differing: cart, counter
          here the action changes:
            value: 1 → 2
        """)
    (difference.parts, difference.changes) = ([], ValueDifference())
    #expect(difference.description == "\(beginning)\n  here the action changes nothing")
    difference.number = 0
    #expect(difference.description.hasSuffix("\n  checksum 0b, recorded 0a"))
  }

  @Test func anActionThatDiffersDoesNotCountAsAgreed() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action == .count(.up) { state.counter.value += 2 } else { Reducer.shop.reduce(action, &state) }
    }
    let found = try differences([.tick, .count(.up), .tick, .count(.by(-1)), .count(.up)], wrong)
    #expect(found.map(\.number) == [2, 3, 4, 5])
    #expect(found.map(\.agreed) == [1, 1, 1, 1])
    #expect(found[1].description.contains("one of the actions 2 to 3 leads to another state") == true)
  }

  @Test func aDifferenceAtTheEndNamesTheLastActionAndItsSource() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(
      path: path, app: "Shop", version: "7.1", checksumEvery: 1_000)
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    let line = UInt(#line + 1)
    for action in [ShopAction.tick, .count(.up), .count(.by(5))] { store.dispatch(action) }
    try recorder.close()
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action != .count(.up) { Reducer.shop.reduce(action, &state) }
    }
    for jumps in [false, true] {
      var player = ActionPlayer(try Recording<ShopAction, ShopState>(path: path), reducer: wrong)
      if jumps { try player.jump(to: 3) }
      let difference = try #require(throws: PlaybackDifference.self) { try player.playToEnd() }
      #expect(difference.number == 3 && difference.agreed == 0)
      #expect(difference.action == ".count(.by(5))")
      #expect(difference.source.line == line)
      #expect(difference.changes.changes.map { "\($0.path)" } == ["counter.value"])
      #expect(difference.parts.isEmpty)
    }
    var empty = ActionPlayer(try ShopRecording([]).read(), reducer: wrong)
    try empty.playToEnd()
  }

  @Test func aStateThatAgreesAgainCountsAsAgreed() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action != .add("tea") { Reducer.shop.reduce(action, &state) }
    }
    let found = try differences([.add("tea"), .remove("tea"), .tick, .add("tea")], wrong)
    #expect(found.map(\.number) == [1, 4])
    #expect(found.map(\.agreed) == [0, 3])
  }

  @Test func aPropertyThatIsMissingOnOneSideDiffers() throws {
    let forgetful = Reducer<ShopAction, ShopState> { action, state in
      Reducer.shop.reduce(action, &state)
      state.token = nil
    }
    #expect(try differences([.login(user: "a", password: "x")], forgetful).map(\.parts) == [["token"]])
    #expect(try differences([.login(user: "a", password: "x")], .identity).map(\.parts) == [["owner", "token"]])
    let eager = Reducer<ShopAction, ShopState> { _, state in state.owner = "ada" }
    #expect(try differences([.tick], eager).map(\.parts) == [["owner"]])
  }

  private struct Session: Codable, Equatable, Sendable {
    var user: String?
    var count = 0
  }

  /// `true` signs in or counts, `false` signs out.
  private static let session = Reducer<Bool, Session> { action, state in
    state.count += 1
    state.user = action ? "ada" : nil
  }

  @Test func aPropertyThatWasRemovedIsRecordedAsRemoved() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<Bool, Session>(path: path, app: "S", version: "1")
    let store = Store(initialState: Session(), feature: Feature(reducer: Self.session) <> .recorder(recorder))
    for action in [true, false, true] { store.dispatch(action) }
    try recorder.close()
    let recording = try Recording<Bool, Session>(path: path)
    #expect(try recording.actions().map { $0.parts["user"] == "" } == [false, true, false])
    let stays = Reducer<Bool, Session> { action, state in
      state.count += 1
      if action { state.user = "ada" }
    }
    var player = ActionPlayer(recording, reducer: stays)
    #expect(throws: PlaybackDifference.self) { try player.playToEnd() }
    #expect(player.position == 2)
    var other = ActionPlayer(recording, reducer: Reducer { _, state in state.count += 2 })
    try other.jump(to: 1)
    let difference = #expect(throws: PlaybackDifference.self) { try other.step() }
    #expect(difference?.parts == ["count"])
  }

  @Test func aJumpDoesNotMakeEqualPropertiesDiffer() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action == .count(.up) { state.counter.value += 2 } else { Reducer.shop.reduce(action, &state) }
    }
    let actions: [ShopAction] = [.add("tea"), .login(user: "a", password: "x"), .tick, .count(.up)]
    #expect(try differences(actions, wrong, from: 3).map(\.parts) == [["counter"]])
  }

  private struct Tally: Codable, Sendable { var value = 0 }

  /// A recording of 10,010 actions that each add 1. The file has the state after action 10,003.
  private func longRecording() throws -> Recording<Int, Tally> {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<Int, Tally>(path: path, app: "T", version: "1", checksumEvery: 7)
    let store = Store(
      initialState: Tally(), feature: Feature(reducer: Reducer { $1.value += $0 }) <> .recorder(recorder))
    for _ in 1...10_010 { store.dispatch(1) }
    try recorder.close()
    let recording = try Recording<Int, Tally>(bytes: Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(recording.snapshot(after: 10_000, upTo: 10_009)?.after == 10_003)
    return recording
  }

  /// Adds 1 to a value below 9,990, and 2 to others.
  private static let faster = Reducer<Int, Tally> { $1.value += $1.value < 9_990 ? $0 : 2 * $0 }

  @Test func theChangesOfALaterDifferenceStartFromThePlayersOwnState() throws {
    var player = ActionPlayer(try longRecording(), reducer: Self.faster)
    var last: PlaybackDifference?
    while player.position < player.count {
      do { try player.step() } catch let difference as PlaybackDifference { last = difference }
    }
    #expect(last?.number == 10_010)
    #expect(last?.changes.changes.map { "\($0)" } == ["value: 10028 → 10030"])
  }

  @Test func theChangesAfterAJumpStartFromTheStateInTheFile() throws {
    var player = ActionPlayer(try longRecording(), reducer: Self.faster, snapshotEvery: 4_000)
    try player.jump(to: 10_009)
    let difference = #expect(throws: PlaybackDifference.self) { try player.step() }
    #expect(difference?.changes.changes.map { "\($0)" } == ["value: 10015 → 10017"])
  }
}
