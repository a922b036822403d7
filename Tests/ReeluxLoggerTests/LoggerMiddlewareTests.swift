import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
@testable import ReeluxLogger
import Testing

@Suite(.timeLimit(.minutes(15))) struct LoggerMiddlewareTests {
  @Test(.conformance(71)) func oneActionGivesOneRecordWithSourceChangesAndDuration() throws {
    let shop = LoggedShop(LogOptions(clock: .stepping()))
    shop.store.dispatch(.add("tea"), info: "test")
    let line = #line - 1
    #expect(shop.records.count == 1)
    let record = try #require(shop.records.first)
    #expect(record.number == 1)
    #expect(record.name == "add")
    #expect(record.action == #".add("tea")"#)
    #expect(record.source.line == UInt(line))
    #expect(record.source.file == #fileID)
    #expect(record.source.info == "test")
    #expect(record.difference?.description == #"cart[0]: + "tea""#)
    #expect(record.duration == .milliseconds(1))
    #expect(record.before == nil && record.after == nil)
  }

  @Test(.conformance(72)) func recordsComeInTheOrderOfTheActions() {
    let shop = LoggedShop(LogOptions(queue: LogQueue(capacity: 64)), memory: LogMemory(capacity: 10_000))
    for number in 0..<5_000 { shop.store.dispatch(.count(.by(number))) }
    #expect(shop.records.map(\.action) == (0..<5_000).map { ".count(.by(\($0)))" })
    #expect(shop.records.map(\.number) == Array(1...5_000))
  }

  @Test(.conformance(71)) func statesBeforeAndAfterAreToldOnRequest() {
    let shop = LoggedShop(LogOptions(detail: .states))
    shop.store.dispatch(.count(.up))
    #expect(shop.records.first?.before?.contains("counter: Counter(value: 0)") == true)
    #expect(shop.records.first?.after?.contains("counter: Counter(value: 1)") == true)
  }

  private struct Page: Sendable {
    var text: String
    var last = "END"
  }

  @Test func aStateMayBeAHundredTimesAsLongAsAValue() throws {
    func record(_ length: Int, _ budget: InspectionBudget = .standard) throws -> LogRecord {
      let memory = LogMemory()
      let logger = LoggerMiddleware<Int, Page>(
        to: .memory(memory), options: LogOptions(detail: .states, budget: budget))
      let store = Store(
        initialState: Page(text: String(repeating: "x", count: length)),
        reducer: Reducer { _, page in page.text += "y" }, middleware: Middleware(logger))
      store.dispatch(1)
      logger.flush()
      return try #require(memory.records.first)
    }
    let short = try record(300)
    #expect(short.before?.hasSuffix(#"xxx", last: "END")"#) == true)
    #expect(short.after?.hasSuffix(#"xxy", last: "END")"#) == true)
    #expect(try #require(short.difference?.changes.first?.old).count <= 201)
    let long = try record(30_000)
    #expect(long.before?.count == 20_001)
    #expect(long.before?.last == "…")
    #expect(try record(300, InspectionBudget(textLength: 2)).before?.count == 201)
    #expect(try record(300, InspectionBudget(textLength: .max)).before == short.before)
  }

  @Test(arguments: LogDetail.allCases) func lessDetailLeavesOutMore(detail: LogDetail) {
    let shop = LoggedShop(LogOptions(detail: detail))
    shop.store.dispatch(.add("tea"))
    let record = shop.records.first
    #expect((record?.duration != nil) == (detail >= .timing))
    #expect((record?.difference != nil) == (detail >= .changes))
    #expect((record?.before != nil) == (detail >= .states))
    #expect(record?.action == #".add("tea")"#)
  }

  @Test(.conformance(73)) func anActionThatChangesNothingHasAnEmptyDifference() {
    let shop = LoggedShop()
    shop.store.dispatch(.tick)
    #expect(shop.records.first?.difference?.isEmpty == true)
  }

  @Test(.conformance(71)) func aRejectedActionIsNeverFormatted() {
    struct Probe: Sendable, CustomReflectable, CustomStringConvertible {
      static let looks = Locked(0)
      var customMirror: Mirror {
        Self.looks.withLock { $0 += 1 }
        return Mirror(self, children: [:])
      }
      var description: String {
        Self.looks.withLock { $0 += 1 }
        return "probe"
      }
    }
    let memory = LogMemory()
    let log = LoggerMiddleware<Probe, Int>(
      to: .memory(memory), options: LogOptions(filter: .action { _ in false }))
    let store = Store(initialState: 0, feature: Feature<Probe, Int>.logger(log))
    store.dispatch(Probe())
    log.flush()
    #expect(Probe.looks.withLock { $0 } == 0)
    #expect(memory.records.isEmpty)
    #expect(log.statistics.accepted == 0)
  }

  @Test(.conformance(74)) func redactedFieldsAreHiddenEverywhere() {
    let shop = LoggedShop(LogOptions(detail: .states, redacting: ["password", "token"]))
    shop.store.dispatch(.login(user: "ada", password: "hunter2"))
    for format in [LogFormat.pretty(color: .never), .compact, .jsonLines] {
      let texts = Locked<[String]>([])
      let log = LoggerMiddleware<ShopAction, ShopState>(
        to: .text(format) { text in texts.withLock { $0.append(text) } },
        options: LogOptions(detail: .states, redacting: ["password", "token"]))
      let store = Store(
        initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(log)))
      store.dispatch(.login(user: "ada", password: "hunter2"))
      log.flush()
      let text = texts.withLock { $0.joined() }
      #expect(text.contains("ada"))
      #expect(!text.contains("hunter2"))
    }
    #expect(shop.records.first?.action == #".login(user: "ada", password: <redacted>)"#)
    #expect(shop.records.first?.difference?.description.contains("token: <redacted> → <redacted>") == true)
  }

  @Test func whatADestinationDispatchesIsLoggedAfterwards() {
    let memory = LogMemory()
    let cell = Locked<Store<ShopAction, ShopState>?>(nil)
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .records { record in
        memory.append(record)
        if record.action == ".tick" { cell.withLock { $0 }?.dispatch(.count(.up)) }
      }, options: LogOptions(queue: LogQueue(capacity: 1)))
    let store = Store(
      initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(log)))
    cell.withLock { $0 = store }
    store.dispatch(.tick)
    log.flush()
    log.flush()
    #expect(memory.records.map(\.action) == [".tick", ".count(.up)"])
    cell.withLock { $0 = nil }
  }

  /// A state whose mirror reads the logger.
  private struct Curious: Sendable, CustomReflectable {
    static let log = Locked<LoggerMiddleware<Int, Curious>?>(nil)
    var number = 0
    var customMirror: Mirror {
      let log = Self.log.withLock { $0 }
      log?.flush()
      return Mirror(self, children: ["number": number, "failed": log?.statistics.failed ?? 0], displayStyle: .struct)
    }
  }

  @Test func aMirrorMayReadTheLogger() {
    let memory = LogMemory()
    let log = LoggerMiddleware<Int, Curious>(to: .memory(memory))
    Curious.log.withLock { $0 = log }
    let store = Store(
      initialState: Curious(),
      feature: Feature(reducer: Reducer<Int, Curious> { $1.number += $0 }) <> .logger(log))
    for number in 0..<500 { store.dispatch(number) }
    log.flush()
    #expect(memory.records.map(\.action) == (0..<500).map { "\($0)" })
    Curious.log.withLock { $0 = nil }
  }
}
