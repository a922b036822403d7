import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxTestSupport
import ReeluxDiff
import ReeluxLogger
import Testing

@Suite(.timeLimit(.minutes(15))) struct LogFoldingTests {
  /// A burst that no timer ends during a test. The timer uses the system's time.
  private let long = LogFolding.bursts(within: .seconds(1_000_000))

  @Test func aBurstOfEqualActionsIsOneRecord() {
    let shop = LoggedShop(LogOptions(folding: long, clock: .still))
    for _ in 0..<37 { shop.store.dispatch(.count(.up)) }
    shop.store.dispatch(.tick)
    #expect(shop.records.map(\.repeats) == [37, 1])
    #expect(shop.records.first?.difference?.description == "counter.value: 0 → 37")
    #expect(shop.records.map(\.number) == [1, 38])
  }

  @Test func equalActionsFromTwoPlacesStayApart() {
    let shop = LoggedShop(LogOptions(folding: long, clock: .still))
    shop.store.dispatch(.tick)
    shop.store.dispatch(.tick)
    #expect(shop.records.map(\.repeats) == [1, 1])
  }

  @Test func aBurstEndsAfterItsTime() {
    let time = Locked<Int64>(0)
    let clock = LogClock(wallTime: { time.withLock { $0 } }, uptime: { 0 })
    let shop = LoggedShop(LogOptions(folding: long, clock: clock))
    for _ in 0..<4 {
      shop.store.dispatch(.tick)
      time.withLock { $0 += 400_000_000_000_000 }
    }
    #expect(shop.records.map(\.repeats) == [3, 1])
  }

  @Test(.conformance(71)) func rejectedActionDoesNotEndABurst() {
    let shop = LoggedShop(LogOptions(filter: .changed("cart"), folding: long, clock: .still))
    let source = ActionSource()
    for _ in 0..<2 {
      shop.store.dispatch(.add("tea"), from: source)
      shop.store.dispatch(.tick, from: source)
      shop.store.dispatch(.add("tea"), from: source)
      shop.store.dispatch(.remove("tea"), from: source)
    }
    #expect(shop.records.map(\.action) == [#".add("tea")"#, #".remove("tea")"#, #".add("tea")"#, #".remove("tea")"#])
    #expect(shop.records.map(\.repeats) == [2, 1, 2, 1])
  }

  private struct Lamp { var isOn = false }
  private enum LampAction { case toggle, wait }

  @Test(.conformance(71), arguments: [2, 3]) func burstOfAcceptedActionsHasARecordIfItChangesNothingAsAWhole(count: Int)
  {
    let memory = LogMemory()
    let log = LoggerMiddleware<LampAction, Lamp>(
      to: .memory(memory), options: LogOptions(filter: .changed("isOn"), folding: long, clock: .still))
    let store = Store(
      initialState: Lamp(),
      feature: Feature(reducer: Reducer { if case .toggle = $0 { $1.isOn.toggle() } }) <> .logger(log))
    for _ in 0..<count { store.dispatch(.toggle) }
    store.dispatch(.wait)
    log.flush()
    #expect(memory.records.map(\.repeats) == [count])
  }

  @Test func withoutFoldingEachActionHasItsRecord() {
    let shop = LoggedShop()
    for _ in 0..<3 { shop.store.dispatch(.tick) }
    #expect(shop.records.map(\.repeats) == [1, 1, 1])
  }
}
