import Foundation
import ReeluxCore
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

  @Test func anActionThatDiffersDoesNotCountAsAgreed() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action == .count(.up) { state.counter.value += 2 } else { Reducer.shop.reduce(action, &state) }
    }
    let found = try differences([.tick, .count(.up), .tick, .count(.by(-1)), .count(.up)], wrong)
    #expect(found.map(\.number) == [2, 3, 4, 5])
    #expect(found.map(\.agreed) == [1, 1, 1, 1])
    #expect(found[1].description.contains("one of the actions 2 to 3 leads to another state") == true)
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
}
