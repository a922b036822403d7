import Dispatch
import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxLogger

@Suite(.conformance(71), .timeLimit(.minutes(15))) struct LogFilterTests {
  private func actions(_ options: LogOptions<ShopAction>) -> [String] {
    let shop = LoggedShop(options)
    shop.store.dispatch(.add("tea"))
    shop.store.dispatch(.tick)
    shop.store.dispatch(.count(.up))
    shop.store.dispatch(.add("milk"))
    return shop.records.map(\.action)
  }

  @Test func aSpanOfAnyLengthIsASpan() {
    var meter = RateMeter(.atMost(1, per: .seconds(1e19)))
    #expect(meter.pass(at: 0) == 0)
    #expect(meter.pass(at: 1) == nil)
  }

  @Test func onTheAction() {
    #expect(actions(LogOptions(filter: .action { $0 != .tick })).count == 3)
  }

  @Test func onOneCase() {
    let count = Prism(case: ShopAction.count) { if case .count(let action) = $0 { action } else { nil } }
    #expect(actions(LogOptions(filter: .action(count))) == [".count(.up)"])
  }

  @Test func onTheSource() {
    #expect(actions(LogOptions(filter: .source(file: "ReeluxLoggerTests/LogFilter"))).count == 4)
    #expect(actions(LogOptions(filter: .source(file: "Elsewhere/"))).isEmpty)
    #expect(actions(LogOptions(filter: .source { $0.function.hasPrefix("nobody") })).isEmpty)
  }

  @Test func onTheChangedPath() {
    #expect(actions(LogOptions(filter: .changed("cart"))) == [#".add("tea")"#, #".add("milk")"#])
    #expect(actions(LogOptions(filter: .changed("counter.value", "owner"))) == [".count(.up)"])
    #expect(actions(LogOptions(filter: .changed("cart"), detail: .timing)).isEmpty)
  }

  @Test func redactionDoesNotChangeWhatAFilterAccepts() throws {
    let redacted = LogOptions<ShopAction>(filter: .changed("counter.value"), redacting: ["counter"])
    #expect(actions(redacted) == [".count(.up)"])
    let otherPart = LogOptions<ShopAction>(filter: .changed("counter.other"), redacting: ["counter"])
    #expect(actions(otherPart).isEmpty)
    let ofAType = LogOptions<ShopAction>(filter: .changed("counter.value"), redactingTypes: [Counter.self])
    #expect(actions(ofAType) == [".count(.up)"])
    let shop = LoggedShop(redacted)
    shop.store.dispatch(.count(.up))
    let difference = try #require(shop.records.first?.difference)
    #expect(difference.changes.map(\.path.description) == ["counter"])
  }

  @Test func inAnyCombination() {
    let tea = LogFilter<ShopAction>.action { $0 == .add("tea") }
    #expect(actions(LogOptions(filter: tea || .changed("counter"))) == [#".add("tea")"#, ".count(.up)"])
    #expect(actions(LogOptions(filter: !tea && .changed("cart"))) == [#".add("milk")"#])
    #expect(actions(LogOptions(filter: !(tea || .changed("counter")))) == [".tick", #".add("milk")"#])
  }

  @Test func whatIsKnownToFailIsDecidedOnThePipeline() {
    let shop = LoggedShop(LogOptions(filter: .changed("cart") && .action { $0 != .tick }))
    shop.store.dispatch(.tick)
    #expect(shop.log.statistics.accepted == 0)
  }

  @Test func theRateHoldsBackAndTheNextRecordTellsHowMany() {
    let uptime = Locked<Int64>(0)
    let clock = LogClock(wallTime: { 0 }, uptime: { uptime.withLock { $0 } })
    let shop = LoggedShop(LogOptions(rate: .atMost(2, per: .seconds(1)), detail: .action, clock: clock))
    for _ in 0..<5 { shop.store.dispatch(.tick) }
    uptime.withLock { $0 = 1_000_000_000 }
    for _ in 0..<2 { shop.store.dispatch(.count(.up)) }
    #expect(shop.records.map(\.action) == [".tick", ".tick", ".count(.up)", ".count(.up)"])
    #expect(shop.records.map(\.suppressed) == [0, 0, 3, 0])
    #expect(shop.records.map(\.number) == [1, 2, 6, 7])
  }

  @Test(.conformance(71), arguments: [LogFolding.never, .bursts(within: .seconds(1_000))])
  func rateDoesNotCountActionsThatAFilterByChangesRejects(folding: LogFolding) {
    let time = Locked<Int64>(0)
    let clock = LogClock(wallTime: { time.withLock { $0 } }, uptime: { 0 })
    let shop = LoggedShop(
      LogOptions(filter: .changed("cart"), rate: .atMost(2, per: .seconds(1)), folding: folding, clock: clock))
    for _ in 0..<5 { shop.store.dispatch(.tick) }
    for item in ["a", "b", "c", "d"] { shop.store.dispatch(.add(item)) }
    // The clock is set back, and a new span begins.
    time.withLock { $0 = -1_000_000_000_000 }
    shop.store.dispatch(.add("e"))
    #expect(shop.records.map(\.action) == [#".add("a")"#, #".add("b")"#, #".add("e")"#])
    #expect(shop.records.map(\.suppressed) == [0, 0, 2])
  }

  @Test func theNumberOfADroppedRecordIsStatedByTheNextOne() {
    let uptime = Locked<Int64>(0)
    let (begun, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let records = Locked<[LogRecord]>([])
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .records { record in
        records.withLock { $0.append(record) }
        if record.number == 1 {
          begun.signal()
          released.wait()
        }
      },
      options: LogOptions(
        rate: .atMost(1, per: .seconds(1)), detail: .action, queue: LogQueue(capacity: 1, whenFull: .dropOldest),
        clock: LogClock(wallTime: { 0 }, uptime: { uptime.withLock { $0 } })))
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .logger(log))
    store.dispatch(.tick)
    begun.wait()
    for _ in 0..<3 { store.dispatch(.tick) }
    for _ in 0..<2 {
      uptime.withLock { $0 += 1_000_000_000 }
      for _ in 0..<3 { store.dispatch(.tick) }
    }
    released.signal()
    log.flush()
    #expect(records.withLock { $0.map(\.number) } == [1, 8])
    #expect(records.withLock { $0.map(\.lost) } == [0, 1])
    #expect(records.withLock { $0.map(\.suppressed) } == [0, 5])
  }

  @Test func aRateOfZeroLetsNothingPass() {
    #expect(actions(LogOptions(rate: .atMost(0))).isEmpty)
  }

  @Test(.conformance(71)) func aConditionIsCheckedOnceAlsoBesideOneOnChanges() {
    let calls = Locked(0)
    let counted = LogFilter<ShopAction>.action { _ in
      calls.withLock { $0 += 1 }
      return true
    }
    #expect(actions(LogOptions(filter: counted && .changed("cart"))).count == 2)
    #expect(calls.withLock { $0 } == 4)
    #expect(actions(LogOptions(filter: .changed("cart") && counted && !.changed("owner"))).count == 2)
    #expect(calls.withLock { $0 } == 8)
  }

  /// A state whose last part is behind many others.
  private struct Table: Sendable {
    var rows = Array(repeating: 0, count: 300)
    var loose = Array(repeating: Loose(), count: 300)
    var flag = false
    var other = false
  }

  private struct Loose: Sendable { var number = 0 }

  @Test(arguments: [InspectionBudget.standard, InspectionBudget(changes: 0)])
  func aChangeBehindManyOthersIsFound(budget: InspectionBudget) {
    let reducer = Reducer<Bool, Table> { setsFlag, table in
      for row in table.rows.indices {
        table.rows[row] += 1
        table.loose[row].number += 1
      }
      if setsFlag { table.flag.toggle() } else { table.other.toggle() }
    }
    func accepted(_ filter: LogFilter<Bool>, budget: InspectionBudget = budget) -> [String] {
      let memory = LogMemory()
      let log = LoggerMiddleware<Bool, Table>(to: .memory(memory), options: LogOptions(filter: filter, budget: budget))
      let store = Store(initialState: Table(), feature: Feature(reducer: reducer) <> .logger(log))
      store.dispatch(true)
      store.dispatch(false)
      log.flush()
      return memory.records.map(\.action)
    }
    #expect(accepted(.changed("flag")) == ["true"])
    #expect(accepted(!.changed("flag")) == ["false"])
    #expect(accepted(.changed("rows")).count == 2)
    #expect(accepted(.changed("nothing")).isEmpty)
    // The comparison ends before it is known.
    #expect(accepted(.changed("flag"), budget: InspectionBudget(visits: 10)).count == 2)
    #expect(accepted(!.changed("flag"), budget: InspectionBudget(visits: 10)).count == 2)
  }
}
