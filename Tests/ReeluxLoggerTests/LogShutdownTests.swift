import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxLogger

/// Each test runs in a new process, which ends in the tested way.
@Suite(.conformance(72), .timeLimit(.minutes(15))) struct LogShutdownTests {
  /// Logs many actions. Most of them stay in the queue.
  private static func logMany(to path: String) {
    let log = LoggerMiddleware<ShopAction, ShopState>(
      to: .file(path, format: .custom { $0.action }), options: LogOptions(queue: LogQueue(capacity: 1_000_000)))
    let store = Store(
      initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(log)))
    for number in 1...5_000 { store.dispatch(.count(.by(number))) }
    // The end of the process must write the queue. The release of the queue's owner must not.
    unsafe Unmanaged.passRetained(store).retain().release()
  }

  private static let expected = (1...5_000).map { ".count(.by(\($0)))" }

  @Test func aRegularEndOfTheProcessLosesNothing() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/log"
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      LogShutdownTests.logMany(to: path)
      exit(3)
    }
    #expect(try directory.lines("log") == Self.expected)
  }

  @Test func aSignalLosesNothing() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/log"
    await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
      LogShutdown.flushOnSignals()
      LogShutdownTests.logMany(to: path)
      kill(getpid(), SIGTERM)
      while true { pause() }
    }
    #expect(try directory.lines("log") == Self.expected)
  }

  @Test func aSignalThatComesAtOnceIsReported() async {
    for _ in 0..<10 {
      await #expect(processExitsWith: .exitCode(7)) {
        SignalWatch.begin([SIGTERM]) { _ in exit(7) }
        kill(getpid(), SIGTERM)
        while true { pause() }
      }
    }
  }

  @Test func aSignalIsReportedBeforeTheProcessGoesOn() async {
    for _ in 0..<10 {
      await #expect(processExitsWith: .exitCode(7)) {
        SignalWatch.begin([SIGTERM], isExclusive: true) { _ in exit(7) }
        SignalWatch.awaitReports()
        // The signal is sent to this thread, because other threads of a test could receive it and be late.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
        raise(SIGTERM)
        SignalWatch.awaitReports()
        _exit(5)
      }
    }
  }

  @Test func anActionThatExitsIsLoggedIfOnlyActionsAre() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/log"
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      let reducer = Reducer<Int, Int> { action, _ in exit(Int32(action)) }
      let store = Store(
        initialState: 0,
        feature: Feature(reducer: reducer) <> .logger(to: .file(path, format: .custom { $0.action }), detail: .action))
      store.dispatch(3)
    }
    #expect(try directory.lines("log") == ["3"])
  }

  @Test func aSignalThatTheProcessIgnoresStaysIgnored() async {
    await #expect(processExitsWith: .exitCode(4)) {
      func isIgnored(_ number: Int32) -> Bool {
        let handler = signal(number, SIG_DFL)
        signal(number, handler)
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      }
      signal(SIGHUP, SIG_IGN)
      LogShutdown.flushOnSignals()
      exit(isIgnored(SIGHUP) && !isIgnored(SIGTERM) ? 4 : 5)
    }
  }

  @Test func theFirstSignalLeavesIgnoredOnesIgnored() async {
    await #expect(processExitsWith: .exitCode(4)) {
      signal(SIGHUP, SIG_IGN)
      SignalWatch.begin([SIGHUP, SIGTERM]) { _ in
        kill(getpid(), SIGHUP)
        exit(4)
      }
      kill(getpid(), SIGTERM)
      while true { pause() }
    }
  }
}
