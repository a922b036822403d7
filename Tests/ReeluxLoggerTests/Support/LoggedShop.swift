import ReeluxCore
import ReeluxLogger
import ReeluxLoggerTestSupport

extension LogClock {
  /// A clock that does not advance.
  static let still = LogClock(wallTime: { 1_795_226_584_000_000_000 }, uptime: { 0 })
}

/// A store with a logger that keeps its records in memory.
struct LoggedShop {
  let memory: LogMemory
  let log: LoggerMiddleware<ShopAction, ShopState>
  let store: Store<ShopAction, ShopState>

  init(_ options: LogOptions<ShopAction> = LogOptions(), memory: LogMemory = LogMemory()) {
    self.memory = memory
    log = LoggerMiddleware(to: .memory(memory), options: options)
    let log = log
    store = Store(
      initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(log)))
  }

  /// The records of all actions dispatched so far.
  var records: [LogRecord] {
    log.flush()
    return memory.records
  }
}

/// `LogShutdown.flushAll()` writes the folded actions of every logger of the process. The tests run concurrently, so a
/// test of many folded actions excludes these calls.
enum EveryLogger {
  private static let lock = Locked(())

  static func flush() { lock.withLock { _ in LogShutdown.flushAll() } }

  static func withoutFlush(_ body: () throws -> Void) rethrows { try lock.withLock { _ in try body() } }
}
