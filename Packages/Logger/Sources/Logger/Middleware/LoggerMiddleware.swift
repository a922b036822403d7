public import Core

/// Tells every action that reaches it: what it was, where it came from, what it changed and how long that took.
///
/// For any action and state, in the app or in one feature: a lifted logger sees its feature's actions and state only.
///
/// ```swift
/// let log = LoggerMiddleware<AppAction, AppState>(to: .file("app.jsonl"))
/// let app = Feature<AppAction, AppState> {
///   Feature.movies(catalog: catalog).lift(action: .movies, state: \.movies)
///   Feature.logger(log)
/// }
/// …
/// log.flush()
/// ```
///
/// On the pipeline's thread it decides by the filter, copies the action, its source and (see ``LogDetail``) the two
/// states into a bounded queue, and reads the clock; well under a microsecond. Texts, differences and output are made on
/// another thread, in the order of the actions. A rejected action costs the filter alone.
///
/// A copy shares its queue with the original.
public struct LoggerMiddleware<Action: Sendable, State: Sendable>: MiddlewareProtocol {
  private let options: LogOptions<Action>
  private let queue: WriteQueue<LogWriter<Action, State>>
  private let ledger: LogLedger

  /// Makes a logger. The destination is opened with the first record.
  /// - Parameters:
  ///   - destination: Where the records go, in which format.
  ///   - options: What is logged, and how.
  public init(to destination: LogDestination = .standardError, options: LogOptions<Action> = LogOptions()) {
    self.options = options
    queue = WriteQueue(
      options.queue, sink: LogWriter(to: destination, options: options), label: "reelux.logger")
    ledger = LogLedger(options.rate)
    LogShutdown.register(queue)
  }

  /// Returns when every action that was handled before is written; folded bursts too.
  /// - Parameter durably: Whether a file is also synced to its disk.
  public func flush(durably: Bool = false) { queue.flush(durably: durably) }

  /// What became of the actions so far.
  public var statistics: LoggerStatistics { queue.statistics }

  /// Takes down an action before the reducers, and after them what it did.
  public func handle(
    action: Action, from source: ActionSource, state: GetState<State>
  ) -> Effect<Action> {
    let number = ledger.count()
    if !options.filter.isOpen, options.filter.admits(action, source) == false { return .none }
    let clock = options.clock
    guard let suppressed = ledger.pass(clock) else { return .none }
    var entry = LogEntry<Action, State>(
      number: number, action: action, source: source, time: clock.wallTime(), suppressed: suppressed)
    guard options.detail >= .timing else {
      queue.enqueue(entry)
      return .none
    }
    let keepsStates = options.detail >= .changes
    if keepsStates { entry.before = state() }
    let begin = clock.uptime()
    return .afterReducer { [entry, queue] _ in
      var entry = entry
      entry.duration = clock.uptime() - begin
      if keepsStates { entry.after = state() }
      queue.enqueue(entry)
    }
  }
}
