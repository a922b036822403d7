public import ReeluxCore

/// A middleware that logs every action that reaches it, with its source, its changes and its duration.
///
/// It works with any action and state, in the app or in one feature. A lifted logger receives only its feature's
/// actions and state.
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
/// On the pipeline's thread, the logger applies the filter, reads the clock, and copies the action, its source and the
/// two states (see ``LogDetail``) into a bounded queue. This takes well under a microsecond. Another thread creates the
/// texts and differences and writes them, in the order of the actions. A rejected action costs only the filter.
///
/// A copy shares its queue with the original.
public struct LoggerMiddleware<Action: Sendable, State: Sendable>: MiddlewareProtocol {
  @usableFromInline let intake: LogIntake<Action, State>

  /// Creates a logger. The destination is opened with the first record.
  /// - Parameters:
  ///   - destination: The destination and the format of the records. Default: standard error, in the pretty format.
  ///   - options: The options. Default: those of ``LogOptions``.
  public init(to destination: LogDestination = .standardError, options: LogOptions<Action> = LogOptions()) {
    intake = LogIntake(to: destination, options: options)
    LogShutdown.register(intake.queue)
  }

  /// Returns after every action handled so far has been written, including folded bursts. It blocks the calling thread,
  /// which also writes the waiting records.
  /// - Parameter durably: Whether a file is also synced to its disk. Default: false.
  public func flush(durably: Bool = false) { intake.queue.flush(durably: durably) }

  /// The numbers of accepted and dropped actions.
  public var statistics: LoggerStatistics { intake.queue.statistics }

  /// Records an action before the reducers run, and its changes afterwards.
  @inlinable public func handle(
    action: Action, from source: ActionSource, state: GetState<State>
  ) -> Effect<Action> {
    let intake = intake
    guard var entry = intake.begin(action, source) else { return .none }
    guard intake.detail >= .timing else {
      intake.queue.enqueue(entry)
      return .none
    }
    if intake.detail >= .changes { entry.before = state() }
    let begin = intake.clock.uptime()
    return .afterReducerAlways { [entry] in
      var entry = entry
      entry.duration = intake.clock.uptime() &- begin
      if intake.detail >= .changes { entry.after = state() }
      intake.queue.enqueue(entry)
    }
  }
}
