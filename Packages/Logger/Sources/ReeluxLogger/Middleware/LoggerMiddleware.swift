public import ReeluxCore

/// Logs every action that reaches it, with its source, its changes and its duration.
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
  @usableFromInline let intake: LogIntake<Action, State>

  /// Makes a logger. The destination is opened with the first record.
  /// - Parameters:
  ///   - destination: Where the records go, in which format.
  ///   - options: What is logged, and how.
  public init(to destination: LogDestination = .standardError, options: LogOptions<Action> = LogOptions()) {
    intake = LogIntake(to: destination, options: options)
    LogShutdown.register(intake.queue)
  }

  /// Returns when every action that was handled before is written; folded bursts too.
  /// - Parameter durably: Whether a file is also synced to its disk.
  public func flush(durably: Bool = false) { intake.queue.flush(durably: durably) }

  /// The numbers of actions that were accepted and dropped.
  public var statistics: LoggerStatistics { intake.queue.statistics }

  /// Records an action before the reducers, and its changes after them.
  @inlinable
  public func handle(
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
    return .afterReducer { [entry] _ in
      var entry = entry
      entry.duration = intake.clock.uptime() - begin
      if intake.detail >= .changes { entry.after = state() }
      intake.queue.enqueue(entry)
    }
  }
}
