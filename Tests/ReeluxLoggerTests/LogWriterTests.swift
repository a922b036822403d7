import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxTestSupport
import Testing

@testable import ReeluxLogger

/// The writer of a logger, without its queue.
@Suite(.conformance(72), .timeLimit(.minutes(15))) struct LogWriterTests {
  private typealias Writer = LogWriter<ShopAction, ShopState>
  private let memory = LogMemory()
  private let threads = WritingThreads()

  private func entry(
    _ number: Int, _ action: ShopAction = .tick, cart: [String] = [], suppressed: Int = 0
  ) -> Writer.Entry {
    Writer.Entry(
      number: number, action: action, source: ActionSource(), before: ShopState(), after: ShopState(cart: cart),
      suppressed: suppressed)
  }

  @Test func aLossIsStatedAfterTheBurstThatItEnds() {
    var writer = Writer(to: .memory(memory), options: LogOptions(folding: .bursts()))
    writer.write([entry(1), entry(2)], lost: 0, on: threads)
    writer.write([entry(6), entry(7)], lost: 3, on: threads)
    writer.flush(releasing: .all, durably: false)
    #expect(memory.records.map(\.number) == [1, 6])
    #expect(memory.records.map(\.repeats) == [2, 2])
    #expect(memory.records.map(\.lost) == [0, 3])
  }

  @Test(arguments: [3, 100]) func whatARejectedRecordWouldStateIsStatedByTheNextOne(count: Int) {
    var writer = Writer(to: .memory(memory), options: LogOptions(filter: .changed("cart")))
    var entries = (1...count).map { entry($0, suppressed: $0) }
    entries.append(entry(count + 1, cart: ["tea"], suppressed: count + 1))
    entries.append(entry(count + 2, cart: ["tea"], suppressed: count + 1))
    writer.write(entries[...], lost: 7, on: threads)
    #expect(memory.records.map(\.number) == [count + 1, count + 2])
    #expect(memory.records.map(\.suppressed) == [count + 1, 0])
    #expect(memory.records.map(\.lost) == [7, 0])
  }

  @Test func aBurstStatesTheNumbersOfAllItsActions() {
    var writer = Writer(to: .memory(memory), options: LogOptions(folding: .bursts()))
    writer.write([entry(1, suppressed: 2), entry(2, suppressed: 5)], lost: 0, on: threads)
    writer.flush(releasing: .all, durably: false)
    #expect(memory.records.map(\.suppressed) == [5])
  }

  @Test(arguments: [([5, 7], 12), ([-1, 7], 7), ([5, -1], 5)] as [([Int64], Int64)])
  func theTimeOfABurstIsTheSumOfTheKnownTimes(times: [Int64], sum: Int64) {
    var writer = Writer(to: .memory(memory), options: LogOptions(folding: .bursts()))
    let entries = times.enumerated().map { index, time in
      var entry = entry(index + 1)
      entry.duration = time
      return entry
    }
    writer.write(entries[...], lost: 0, on: threads)
    writer.flush(releasing: .all, durably: false)
    #expect(memory.records.map(\.duration) == [.nanoseconds(sum)])
  }

  @Test func eachBurstHasOneTimerThatReleasesNoOtherOne() {
    var writer = Writer(to: .memory(memory), options: LogOptions(folding: .bursts(within: .seconds(2))))
    #expect(writer.startTimer() == nil)
    writer.write([entry(1)], lost: 0, on: threads)
    #expect(writer.startTimer() == HoldTimer(record: 1, time: .seconds(2)))
    writer.write([entry(2)], lost: 0, on: threads)
    #expect(writer.startTimer() == nil)
    writer.write([entry(3, .count(.up)), entry(4, .count(.up))], lost: 0, on: threads)
    #expect(writer.startTimer() == HoldTimer(record: 3, time: .seconds(2)))
    writer.flush(releasing: .one(1), durably: false)
    writer.write([entry(5, .count(.up))], lost: 0, on: threads)
    #expect(memory.records.map(\.repeats) == [2])
    writer.flush(releasing: .one(3), durably: false)
    #expect(memory.records.map(\.repeats) == [2, 3])
    #expect(writer.startTimer() == nil)
  }

  @Test func aBurstIsWrittenWhenItsTimeHasPassed() async {
    let (records, arrived) = AsyncStream<Int>.makeStream()
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .records { arrived.yield($0.number) }, options: LogOptions(folding: .bursts(within: .milliseconds(20))))
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .logger(log))
    var numbers = records.makeAsyncIterator()
    for number in 1...3 {
      store.dispatch(.tick)
      #expect(await numbers.next() == number)
    }
  }

  /// The time of the burst does not pass in this test.
  @Test func aBurstIsWrittenWhenItsLoggerIsReleased() async {
    let (counts, arrived) = AsyncStream<Int>.makeStream()
    do {
      let log = LoggerMiddleware<ShopAction, ShopState>(
        to: .records { arrived.yield($0.repeats) }, options: LogOptions(folding: .bursts(within: .seconds(1_000_000))))
      let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .logger(log))
      for _ in 1...3 { store.dispatch(.tick) }
    }
    var iterator = counts.makeAsyncIterator()
    #expect(await iterator.next() == 3)
  }
}
