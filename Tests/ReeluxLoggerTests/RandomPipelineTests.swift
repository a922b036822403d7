import ReeluxCore
import ReeluxLogger
import ReeluxLoggerTestSupport
import ReeluxTestSupport
import Testing

/// Random filters, rates and foldings. A list of the actions with their states is the model.
@Suite(.conformance(71, 72), .timeLimit(.minutes(15))) struct RandomPipelineTests {
  private struct Entry {
    var number: Int
    var time: Int64
    var action: ShopAction
    var source: ActionSource
    var states: (ShopState, ShopState)?
    var repeats = 1
    var suppressed: Int
  }

  /// A filter, and the same condition on an entry: `nil` if it depends on states that are not known yet.
  private typealias Condition = (filter: LogFilter<ShopAction>, asksForChanges: Bool, admits: (Entry) -> Bool?)

  /// A model of the rate limit.
  private struct Limit {
    let limit: Int?
    var begin: Int64?
    var passed = 0
    var suppressed = 0

    mutating func passes(at time: Int64) -> Bool {
      guard let limit else { return true }
      if begin.map({ time - $0 >= 2_000_000_000_000 }) ?? true { (begin, passed) = (time, 0) }
      passed += 1
      if passed > limit { suppressed += 1 }
      return passed <= limit
    }
  }

  @Test func theRecordsAreThoseOfAModel() {
    for seed in 1...200 as ClosedRange<UInt64> { EveryLogger.withoutFlush { compareWithModel(seed: seed) } }
  }

  private func compareWithModel(seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    let time = Locked<Int64>(0)
    let condition = Self.condition(&numbers, depth: 3)
    let folding = numbers.next() % 2 == 0
    let limit = numbers.next() % 2 == 0 ? 3 : nil
    let shop = LoggedShop(
      LogOptions(
        filter: condition.filter, rate: limit.map { .atMost($0, per: .seconds(2_000)) },
        folding: folding ? .bursts(within: .seconds(1_000)) : .never,
        clock: LogClock(wallTime: { time.withLock { $0 } }, uptime: { time.withLock { $0 } })))
    var model: [Entry] = []
    var rate = Limit(limit: limit)
    for number in 1...40 {
      let (now, before) = (time.withLock { $0 }, shop.store.state)
      let action = [ShopAction.add("tea"), .tick, .tick, .count(.up), .count(.by(-1))][Int(numbers.next() % 5)]
      let source = ActionSource(file: ["A/A.swift", "B/B.swift"][Int(numbers.next() % 4 / 3)], function: "", line: 1)
      shop.store.dispatch(action, from: source)
      time.withLock { $0 += [0, 0, 0, 400, 1_000][Int(numbers.next() % 5)] * 1_000_000_000 }
      var entry = Entry(number: number, time: now, action: action, source: source, suppressed: 0)
      guard condition.admits(entry) != false else { continue }
      if !condition.asksForChanges, !rate.passes(at: now) { continue }
      entry.states = (before, shop.store.state)
      entry.suppressed = rate.suppressed
      if condition.admits(entry) != true { continue }
      if folding, let last = model.last, last.action == action, last.source == source,
        now - last.time < 1_000_000_000_000
      {
        entry.states = last.states.map { ($0.0, shop.store.state) }
        (entry.number, entry.time, entry.repeats) = (last.number, last.time, last.repeats + 1)
        model.removeLast()
      }
      model.append(entry)
    }
    var stated = 0
    let expected = model.compactMap { entry -> [Int]? in
      if condition.asksForChanges, !rate.passes(at: entry.time) { return nil }
      let suppressed = condition.asksForChanges ? rate.suppressed : entry.suppressed
      defer { stated = suppressed }
      return [entry.number, entry.repeats, suppressed - stated]
    }
    #expect(shop.records.map { [$0.number, $0.repeats, $0.suppressed] } == expected, "seed \(seed)")
  }

  private static func condition(_ numbers: inout SplitMix64, depth: Int) -> Condition {
    switch numbers.next() % (depth == 0 ? 4 : 7) {
    case 0: return (.action { $0 != .tick }, false, { $0.action != .tick })
    case 1: return (.source(file: "A/"), false, { $0.source.file == "A/A.swift" })
    case 2: return (.changed("cart"), true, { $0.states.map { $0.cart != $1.cart } })
    case 3: return (.changed("counter"), true, { $0.states.map { $0.counter != $1.counter } })
    case 4:
      let one = condition(&numbers, depth: depth - 1)
      return (!one.filter, one.asksForChanges, { one.admits($0).map { !$0 } })
    case 5:
      let (one, other) = (condition(&numbers, depth: depth - 1), condition(&numbers, depth: depth - 1))
      let asks = one.asksForChanges || other.asksForChanges
      return (one.filter && other.filter, asks, { both(one.admits($0), other.admits($0), decisive: false) })
    default:
      let (one, other) = (condition(&numbers, depth: depth - 1), condition(&numbers, depth: depth - 1))
      let asks = one.asksForChanges || other.asksForChanges
      return (one.filter || other.filter, asks, { both(one.admits($0), other.admits($0), decisive: true) })
    }
  }

  /// The result of `&&` or `||`: the decisive value if one side has it, or `nil` if a side is not known.
  private static func both(_ one: Bool?, _ other: Bool?, decisive: Bool) -> Bool? {
    if one == decisive || other == decisive { return decisive }
    return one == nil || other == nil ? nil : !decisive
  }
}
