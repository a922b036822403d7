import ReeluxCore
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

/// Random steps, jumps and skipped actions. A run from the initial state to the position is the model.
@Suite(.timeLimit(.minutes(15))) struct RandomPlayerTests {
  @Test func anyWayToAPositionLeadsToTheStateOfARunFromTheStart() throws {
    for seed in 1...600 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      let actions = (0..<numbers.next() % 40).map { _ in Self.action(&numbers) }
      let recording = Recording(
        header: RecordingHeader(app: "Shop", version: "1"), initialState: ShopState(),
        actions: actions.map { RecordedAction(number: 0, action: $0, source: ActionSource()) })
      let every = [1, 2, 3, 7, 100][Int(numbers.next() % 5)]
      var player = ActionPlayer(recording, reducer: .shop, snapshotEvery: every, fit: Self.fit)
      for _ in 0..<25 {
        let target = Int(numbers.next() % UInt64(actions.count + 6)) - 3
        var position = min(max(0, target), actions.count)
        switch numbers.next() % 6 {
        case 0:
          position = min(player.position + 1, actions.count)
          try player.step()
        case 1:
          position = max(0, player.position - 1)
          try player.stepBack()
        case 2, 3: try player.jump(to: target)
        case 4: try player.play(to: target)
        default:
          position = player.position
          try player.skip(Set((0..<numbers.next() % 4).map { _ in Int(numbers.next() % 40) }))
        }
        let model = Self.run(actions.prefix(position), without: player.skipped)
        #expect(player.position == position && (player.current?.number ?? 0) == position, "seed \(seed)")
        #expect(player.state == model.state && player.orphaned == model.orphaned, "seed \(seed)")
      }
    }
  }

  private static func action(_ numbers: inout SplitMix64) -> ShopAction {
    let item = ["tea", "rum"][Int(numbers.next() % 2)]
    switch numbers.next() % 4 {
    case 0: return .add(item)
    case 1: return .remove(item)
    case 2: return .count(.up)
    default: return .count(.by(Int(numbers.next() % 100) - 50))
    }
  }

  @Sendable private static func fit(_ action: ShopAction, _ state: ShopState) -> AnswerFit<ShopAction> {
    switch action {
    case .remove(let item) where !state.cart.contains(item): .orphaned("no \(item)")
    case .count(.by(let amount)) where amount < 0: .instead(.count(.by(state.cart.count - amount)))
    default: .asRecorded
    }
  }

  private static func run(
    _ actions: some Collection<ShopAction>, without skipped: Set<Int>
  ) -> (state: ShopState, orphaned: [Int: String]) {
    var state = ShopState()
    var orphaned: [Int: String] = [:]
    for (number, action) in zip(1..., actions) where !skipped.contains(number) {
      switch skipped.contains(where: { $0 < number }) ? fit(action, state) : .asRecorded {
      case .asRecorded: Reducer.shop.reduce(action, &state)
      case .instead(let other): Reducer.shop.reduce(other, &state)
      case .orphaned(let reason): orphaned[number] = reason
      }
    }
    return (state, orphaned)
  }
}
