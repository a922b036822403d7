import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxLogger

/// Files that an earlier process left torn, that vanish, or that are no regular files.
@Suite(.conformance(75), .timeLimit(.minutes(15))) struct LogFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/log" }

  init() throws { directory = try TemporaryDirectory() }

  private func shop(
    _ rotation: LogRotation = .never
  ) -> (log: LoggerMiddleware<ShopAction, ShopState>, store: Store<ShopAction, ShopState>) {
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .file(path, format: .custom { $0.action }, rotation: rotation))
    return (log, Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .logger(log)))
  }

  private func content(_ name: String = "log") throws -> String {
    try String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
  }

  @Test(arguments: [("whole\ntorn", "whole\ntorn\n.tick\n"), ("whole\n", "whole\n.tick\n"), ("", ".tick\n")])
  func aLineThatAnEarlierProcessLeftTornIsNotContinued(before: String, after: String) throws {
    try before.write(toFile: path, atomically: false, encoding: .utf8)
    let (log, store) = shop()
    store.dispatch(.tick)
    log.flush()
    #expect(try content() == after)
  }

  @Test func aPathWithACombiningCharacterAfterItsFirstSlashIsAbsolute() {
    let output = FileOutput(path: "/\u{301}log", format: .compact, rotation: .never)
    #expect(Array(output.path.utf8) == Array("/\u{301}log".utf8))
  }

  /// With a torn line of 34 bytes and a record of 6, the file exceeds its size by the line end between them.
  @Test(arguments: [50, 34]) func afterATornLineTheRotatedFileDoesNotBeginWithAnEmptyLine(torn: Int) throws {
    try String(repeating: "x", count: torn).write(toFile: path, atomically: false, encoding: .utf8)
    let (log, store) = shop(.size(40, keeping: 2))
    store.dispatch(.tick)
    log.flush()
    #expect(try content() == ".tick\n")
    #expect(try content("log.1").count == torn)
  }

  @Test func aFileThatIsEmptiedAfterATornLineDoesNotBeginWithAnEmptyLine() throws {
    try "torn".write(toFile: path, atomically: false, encoding: .utf8)
    var output = FileOutput(path: path, format: .custom { _ in "line" }, rotation: .size(1_000, keeping: 2))
    // The size of the rotation opens the file. The line waits.
    try output.write(
      LogRecord(number: 1, time: Date(), name: "tick", action: ".tick", source: ActionSource()))
    try "".write(toFile: path, atomically: false, encoding: .utf8)
    try output.flush(durably: false)
    #expect(try content() == "line\n")
  }

  @Test(arguments: [0, 2]) func aFileThatWasRemovedFromOutsideCostsNoRecordAtItsRotation(kept: Int) throws {
    let (log, store) = shop(.size(40, keeping: kept))
    store.dispatch(.count(.by(10)))
    store.dispatch(.count(.by(11)))
    log.flush()
    try FileManager.default.removeItem(atPath: path)
    store.dispatch(.count(.by(12)))
    log.flush()
    #expect(try content() == ".count(.by(12))\n")
    #expect(log.statistics.failed == 0)
  }

  @Test(arguments: [LogRotation.never, .size(4_000, keeping: 2)], [false, true])
  func recordsAfterTheRemovalOfTheFileGoToANewFile(rotation: LogRotation, isRenamed: Bool) throws {
    let (log, store) = shop(rotation)
    store.dispatch(.count(.by(10)))
    log.flush()
    if isRenamed {
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
    store.dispatch(.count(.by(11)))
    log.flush()
    #expect(try content() == ".count(.by(11))\n")
    #expect(try !isRenamed || content("log.old") == ".count(.by(10))\n")
    #expect(log.statistics.failed == 0)
  }

  @Test func twoLoggersOfOneRotatedFileLoseNoRecord() throws {
    let shops = [shop(.size(300, keeping: 1_000)), shop(.size(300, keeping: 1_000))]
    DispatchQueue.concurrentPerform(iterations: shops.count) { index in
      for number in 0..<300 {
        shops[index].store.dispatch(.count(.by(index * 1_000 + number)))
        if number % 3 == 0 { shops[index].log.flush() }
      }
      shops[index].log.flush()
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let lines = try files.flatMap { try directory.lines($0) }
    let expected = (0..<300).flatMap { [".count(.by(\($0)))", ".count(.by(\($0 + 1_000)))"] }
    #expect(lines.sorted() == expected.sorted())
    #expect(shops.map(\.log.statistics.failed) == [0, 0])
    #expect(files.count > 10)
  }

  @Test func aLoggerWhoseFileAnotherOneHasRotatedKeepsTheSizeOfTheNewFile() throws {
    let (first, second) = (shop(.size(20, keeping: 3)), shop(.size(20, keeping: 3)))
    for (number, (log, store)) in [first, second, first].enumerated() {
      store.dispatch(.count(.by(10 + number)))
      log.flush()
    }
    #expect(try content() == ".count(.by(12))\n")
    #expect(try content("log.1") == ".count(.by(11))\n")
    #expect(try content("log.2") == ".count(.by(10))\n")
  }

  @Test func allOlderFilesCanBeKept() throws {
    let (log, store) = shop(.size(40, keeping: .max))
    for number in 10..<18 { store.dispatch(.count(.by(number))) }
    log.flush()
    let first = try ["log", "log.1", "log.2", "log.3"].map { try content($0).prefix(15) }
    #expect(first == [".count(.by(16))", ".count(.by(14))", ".count(.by(12))", ".count(.by(10))"])
  }

  @Test func folderAtThePathIsNamedInTheWarning() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let warnings = Locked<[String]>([])
    var output = FailureGuard(FileOutput(path: path, format: .jsonLines, rotation: .never)) { text in
      warnings.withLock { $0.append(text) }
    }
    output.write(LogRecord(number: 1, time: Date(), name: "tick", action: ".tick", source: ActionSource()))
    output.flush(durably: false)
    #expect(warnings.withLock { $0.first?.contains("Is a directory") } == true)
  }

  @Test func theTargetOfASymbolicLinkIsRotated() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real")
    let (log, store) = shop(.size(40, keeping: 2))
    for number in 10..<13 { store.dispatch(.count(.by(number))) }
    log.flush()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "real")
    #expect(try content("real") == ".count(.by(12))\n")
    #expect(try content("real.1") == ".count(.by(10))\n.count(.by(11))\n")
  }

  @Test func aPipeWithoutAReaderFailsAndDoesNotWait() throws {
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let (log, store) = shop()
    store.dispatch(.tick)
    log.flush()
    #expect(log.statistics.failed == 1)
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    store.dispatch(.count(.up))
    log.flush()
    #expect(String(decoding: Descriptor.read(100, from: reader).bytes, as: UTF8.self) == ".count(.up)\n")
  }
}

@Suite(.conformance(75), .timeLimit(.minutes(15))) struct FailedRecordsTests {
  @Test(arguments: ["/dev/full", "/nowhere/at/all/log"], [LogRotation.never, .size(1_000)])
  func eachRecordOfALargeBatchIsCounted(path: String, rotation: LogRotation) {
    guard path != "/dev/full" || FileManager.default.fileExists(atPath: path) else { return }
    var output = FailureGuard(FileOutput(path: path, format: .compact, rotation: rotation)) { _ in }
    let record = LogRecord(number: 1, time: Date(), name: "tick", action: ".tick", source: ActionSource())
    for _ in 0..<5_000 { output.write(record) }
    output.flush(durably: false)
    #expect(output.failed == 5_000)
  }

  /// In a process of its own, which changes its folder.
  @Test func relativePathLeadsToTheSameFileAfterAChangeOfFolder() async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      #expect(FileManager.default.changeCurrentDirectoryPath(path))
      var output = FailureGuard(FileOutput(path: "log", format: .custom { $0.action }, rotation: .size(5, keeping: 5)))
      { _ in }
      for folder in [path, "/"] {
        #expect(FileManager.default.changeCurrentDirectoryPath(folder))
        output.write(LogRecord(number: 1, time: Date(), name: "tick", action: ".tick", source: ActionSource()))
        output.flush(durably: false)
      }
    }
    #expect(try directory.lines("log") == [".tick"])
    #expect(try directory.lines("log.1") == [".tick"])
  }

  #if os(Linux)
    /// In a process of its own, whose files may have 70,000 bytes.
    @Test func recordsThatWereWrittenAreNotCounted() async throws {
      let directory = try TemporaryDirectory()
      let path = directory.path + "/log"
      await #expect(processExitsWith: .success) { [path = path as String] in
        limitFiles(to: 70_000)
        let line = String(repeating: "x", count: 99)
        var output = FailureGuard(FileOutput(path: path, format: .custom { _ in line }, rotation: .never)) { _ in }
        let record = LogRecord(number: 1, time: Date(), name: "tick", action: ".tick", source: ActionSource())
        for _ in 0..<1_000 { output.write(record) }
        output.flush(durably: false)
        #expect(output.failed == 300)
      }
      #expect(try directory.lines("log").count == 700)
    }
  #endif
}
