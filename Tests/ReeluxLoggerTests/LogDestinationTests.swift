import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxLogger

/// A directory that is removed with the last reference.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "logger-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

@Suite(.timeLimit(.minutes(15))) struct LogDestinationTests {
  private func store(
    _ log: LoggerMiddleware<ShopAction, ShopState>
  ) -> Store<ShopAction, ShopState> {
    Store(initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(log)))
  }

  private static let actionText = LogFormat.custom { $0.action }

  @Test func aFileIsAppendedTo() throws {
    let directory = try TemporaryDirectory()
    for round in 0..<2 {
      let log = LoggerMiddleware<ShopAction, ShopState>(
        to: .file(directory.path + "/log", format: Self.actionText))
      store(log).dispatch(.count(.by(round)))
      log.flush(durably: true)
    }
    #expect(try directory.lines("log") == [".count(.by(0))", ".count(.by(1))"])
  }

  @Test(arguments: [LogFormat.jsonLines, .compact, .pretty(color: .always), .pretty(color: .never)])
  func aFileThatIsNotALogIsLeftAlone(format: LogFormat) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/thesis"
    try "Chapter 1\n".write(toFile: path, atomically: true, encoding: .utf8)
    let log = LoggerMiddleware<ShopAction, ShopState>(to: .file(path, format: format))
    store(log).dispatch(.tick)
    log.flush()
    #expect(try directory.lines("thesis") == ["Chapter 1"])
    #expect(log.statistics.failed == 1)
    // A log of the same format is continued.
    for _ in 0..<2 {
      let own = LoggerMiddleware<ShopAction, ShopState>(to: .file(directory.path + "/log", format: format))
      store(own).dispatch(.tick)
      own.flush()
      #expect(own.statistics.failed == 0)
    }
  }

  @Test func aFileIsRotatedBySizeAndCount() throws {
    let directory = try TemporaryDirectory()
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .file(directory.path + "/log", format: Self.actionText, rotation: .size(40, keeping: 2)))
    let shop = store(log)
    // Each line has 15 characters and a line end, so a file contains two lines.
    for number in 10..<21 { shop.dispatch(.count(.by(number))) }
    log.flush()
    #expect(try directory.lines("log") == [".count(.by(20))"])
    #expect(try directory.lines("log.1") == [".count(.by(18))", ".count(.by(19))"])
    #expect(try directory.lines("log.2") == [".count(.by(16))", ".count(.by(17))"])
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/log.3"))
  }

  @Test func aFileThatIsRotatedWithoutOlderOnesBeginsAnew() throws {
    let directory = try TemporaryDirectory()
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .file(directory.path + "/log", format: Self.actionText, rotation: .size(40, keeping: 0)))
    let shop = store(log)
    for number in 10..<15 { shop.dispatch(.count(.by(number))) }
    log.flush()
    #expect(try directory.lines("log") == [".count(.by(14))"])
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/log.1"))
  }

  @Test func aLineLongerThanTheSizeHasAFileOfItsOwn() throws {
    let directory = try TemporaryDirectory()
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .file(directory.path + "/log", format: Self.actionText, rotation: .size(5, keeping: 9)))
    let shop = store(log)
    for _ in 0..<3 { shop.dispatch(.tick) }
    shop.dispatch(.add("a long name"))
    log.flush()
    #expect(try directory.lines("log") == [#".add("a long name")"#])
    #expect(try directory.lines("log.3") == [".tick"])
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/log.4"))
  }

  @Test func aPipeIsNeverRotated() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reader = unsafe open(path, O_RDWR | O_NONBLOCK)
    defer { close(reader) }
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .file(path, format: Self.actionText, rotation: .size(40, keeping: 2)))
    let shop = store(log)
    for number in 10..<20 { shop.dispatch(.count(.by(number))) }
    log.flush()
    #expect(Descriptor.read(1000, from: reader).bytes.count { $0 == 0x0a } == 10)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["pipe"])
  }

  @Test func onlyTheLineEndOfTheLoggerIsRemoved() {
    let lines = Locked<[String]>([])
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .text(.custom { $0.action + "\r" }) { line in lines.withLock { $0.append(line) } })
    store(log).dispatch(.tick)
    log.flush()
    #expect(lines.withLock { $0 } == [".tick\r"])
  }

  @Test func aMemoryKeepsTheLastRecords() {
    let shop = LoggedShop(memory: LogMemory(capacity: 3))
    for number in 0..<10 { shop.store.dispatch(.count(.by(number))) }
    #expect(shop.records.map(\.number) == [8, 9, 10])
    shop.memory.removeAll()
    #expect(shop.records.isEmpty)
  }

  @Test func aClosureGetsTheRecords() {
    let names = Locked<[String]>([])
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .records { record in names.withLock { $0.append(record.name) } })
    store(log).dispatch(.count(.up))
    log.flush()
    #expect(names.withLock { $0 } == ["count.up"])
  }

  @Test func severalDestinationsEachGetEveryRecord() {
    let (first, second) = (LogMemory(), LogMemory())
    struct Refusal: Error {}
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .all([.memory(first), .memory(second)]))
    store(log).dispatch(.tick)
    log.flush()
    #expect(first.records.count == 1)
    #expect(first.records == second.records)
  }

  @Test func recordsWaitingAtTheEndOfTheirLoggerAreWritten() throws {
    let directory = try TemporaryDirectory()
    do {
      let log = LoggerMiddleware<ShopAction, ShopState>(
        to: .file(directory.path + "/log", format: Self.actionText),
        options: LogOptions(folding: .bursts(within: .seconds(1_000))))
      let shop = store(log)
      for _ in 0..<3 { shop.dispatch(.tick) }
    }
    EveryLogger.flush()
    #expect(try directory.lines("log").count == 1)
  }
}

@Suite(.conformance(75), .timeLimit(.minutes(15))) struct FailingDestinationTests {
  private let record = LogRecord(
    number: 1, time: Date(timeIntervalSince1970: 0), name: "tick", action: ".tick", source: ActionSource())

  /// Writes records through the failure guard. Returns its reports and the number of failed records.
  private func outcome(of output: any LogOutput, count: Int = 3) -> (reports: [String], failed: Int) {
    let reports = Locked<[String]>([])
    var guarded = FailureGuard(output) { text in reports.withLock { $0.append(text) } }
    for _ in 0..<count {
      guarded.write(record)
      guarded.flush(durably: true)
    }
    return (reports.withLock { $0 }, guarded.failed)
  }

  @Test func aMissingDirectoryIsReportedOnce() {
    let output = FileOutput(path: "/nowhere/at/all/log", format: .compact, rotation: .never)
    let (reports, failed) = outcome(of: output)
    #expect(
      reports == [
        "warning: the log cannot be written to '/nowhere/at/all/log': No such file or directory (open). "
          + "The program continues.\n"
      ])
    #expect(failed == 3)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullDiskIsReportedOnce() {
    let (reports, failed) = outcome(of: FileOutput(path: "/dev/full", format: .compact, rotation: .never))
    #expect(reports.count == 1)
    #expect(reports.first?.contains("No space left on device") == true)
    #expect(failed == 3)
  }

  @Test func aClosedPipeIsReportedOnceAndDoesNotEndTheProcess() {
    var ends: [Int32] = [0, 0]
    unsafe #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let (reports, failed) = outcome(
      of: DescriptorOutput(descriptor: ends[1], name: "a pipe", format: .compact))
    #expect(reports.count == 1)
    #expect(reports.first?.contains("Broken pipe") == true)
    #expect(failed == 3)
  }

  @Test func aClosureThatThrowsIsReportedOnce() {
    struct Refusal: Error, CustomStringConvertible { let description = "no" }
    let (reports, failed) = outcome(of: ClosureOutput { _ in throw Refusal() })
    #expect(reports.count == 1)
    #expect(failed == 3)
  }

  #if os(Linux)
    /// In a process of its own, whose files may have 100 bytes at first.
    @Test func aLineThatWasCutOffIsNotContinuedByTheNextOne() async throws {
      let directory = try TemporaryDirectory()
      let path = directory.path + "/log"
      await #expect(processExitsWith: .success) { [path = path as String] in
        limitFiles(to: 100)
        var output = FileOutput(
          path: path, format: .custom { _ in String(repeating: "x", count: 79) }, rotation: .never)
        let record = LogRecord(
          number: 1, time: Date(timeIntervalSince1970: 0), name: "tick", action: ".tick", source: ActionSource())
        try output.write(record)
        try output.write(record)
        #expect(throws: OutputError.self) { try output.flush(durably: false) }
        limitFiles(to: nil)
        try output.write(record)
        try output.flush(durably: false)
      }
      #expect(try directory.lines("log").map(\.count) == [79, 20, 79])
    }
  #endif

  /// In a process of its own, which closes the file behind the output's back.
  @Test func aDurableFlushSyncsTheFile() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/log"
    await #expect(processExitsWith: .success) { [path = path as String] in
      var output = FileOutput(path: path, format: .compact, rotation: .never)
      try output.write(
        LogRecord(
          number: 1, time: Date(timeIntervalSince1970: 0), name: "tick", action: ".tick", source: ActionSource()))
      try output.flush(durably: true)
      var file = stat()
      unsafe stat(path, &file)
      // A process inherits the open files of its parent, so the number of the log's descriptor can be high.
      for name in try FileManager.default.contentsOfDirectory(atPath: "/dev/fd") {
        guard let descriptor = Int32(name), descriptor > 2 else { continue }
        var other = stat()
        if unsafe fstat(descriptor, &other) == 0, other.st_dev == file.st_dev, other.st_ino == file.st_ino {
          close(descriptor)
        }
      }
      // Nothing is to be written, so only syncing can fail.
      try output.flush(durably: false)
      #expect(throws: OutputError.self) { try output.flush(durably: true) }
    }
  }

  @Test func aDestinationThatRecoversIsWrittenToAgain() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/later/log"
    var guarded = FailureGuard(FileOutput(path: path, format: .compact, rotation: .never)) { _ in }
    guarded.write(record)
    guarded.flush(durably: false)
    try FileManager.default.createDirectory(atPath: directory.path + "/later", withIntermediateDirectories: false)
    guarded.write(record)
    guarded.flush(durably: false)
    #expect(try directory.lines("later/log").count == 1)
    #expect(guarded.failed == 1)
  }

  @Test func theStoreGoesOnWhenTheDestinationFails() {
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .records { _ in throw CancellationError() }, options: LogOptions(queue: LogQueue(capacity: 2)))
    let store = Store(
      initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(log)))
    for _ in 0..<100 { store.dispatch(.count(.up)) }
    log.flush()
    #expect(store.state.counter.value == 100)
    #expect(log.statistics.failed == 100)
  }
}
