public import ReeluxCore
public import ReeluxDiff

extension Feature {
  /// A feature that logs every action that reaches it, and changes nothing.
  ///
  /// ```swift
  /// Feature.logger(to: .standardError)
  /// Feature.logger(to: .file("app.jsonl", rotation: .size(1_000_000)), redacting: ["password"], folding: .bursts())
  /// ```
  ///
  /// To flush or to count records, keep a ``LoggerMiddleware`` and use ``logger(_:)``. At a regular end of the
  /// process, all records are written.
  /// - Parameters:
  ///   - destination: The destination of the records.
  ///   - filter: Which actions are logged.
  ///   - rate: The largest number of records in a span of time.
  ///   - detail: The details that are recorded of an action.
  ///   - redacting: Fields, cases and keys to redact.
  ///   - folding: Whether bursts of equal actions become one record.
  ///   - queue: The queue between the pipeline and the writer.
  ///   - budget: The limits of the differences in records.
  public static func logger(
    to destination: LogDestination = .standardError, filter: LogFilter<Action> = .everything, rate: LogRate? = nil,
    detail: LogDetail = .changes, redacting: [ValuePathPattern] = [], folding: LogFolding = .never,
    queue: LogQueue = .standard, budget: InspectionBudget = .standard
  ) -> Feature {
    let options = LogOptions(
      filter: filter, rate: rate, detail: detail, redacting: redacting, folding: folding, queue: queue, budget: budget)
    return logger(LoggerMiddleware(to: destination, options: options))
  }

  /// A feature of a logger that was made before.
  @inlinable
  public static func logger(_ logger: LoggerMiddleware<Action, State>) -> Feature {
    // As a closure: the store then knows that there is no feed to ask for after each action.
    Feature(middleware: Middleware { logger.handle(action: $0, from: $1, state: $2) })
  }
}
