public import ReeluxCore
public import ReeluxDiff

extension Feature {
  /// A feature that logs every action that reaches it. It changes nothing.
  ///
  /// ```swift
  /// Feature.logger(to: .standardError)
  /// Feature.logger(to: .file("app.jsonl", rotation: .size(1_000_000)), redacting: ["password"], folding: .bursts())
  /// ```
  ///
  /// To flush or to read statistics, keep a ``LoggerMiddleware`` and use ``logger(_:)``. When the process exits
  /// normally, all records are written.
  /// - Parameters:
  ///   - destination: The destination of the records. Default: standard error, in the pretty format.
  ///   - filter: The condition for actions to be logged. Default: every action.
  ///   - rate: The largest number of records in a span of time. Default: no limit.
  ///   - detail: The details that are recorded of an action. Default: the changes.
  ///   - redacting: The fields, cases and keys to redact. Default: none.
  ///   - redactingTypes: The types whose values are redacted. Default: none.
  ///   - folding: Whether bursts of equal actions become one record. Default: never.
  ///   - queue: The queue between the pipeline and the writer. Default: ``LogQueue/standard``.
  ///   - budget: The limits of the texts and differences in records; see ``LogOptions/budget``. Default:
  ///     `InspectionBudget.standard`.
  public static func logger(
    to destination: LogDestination = .standardError, filter: LogFilter<Action> = .everything, rate: LogRate? = nil,
    detail: LogDetail = .changes, redacting: [ValuePathPattern] = [], redactingTypes: [Any.Type] = [],
    folding: LogFolding = .never, queue: LogQueue = .standard, budget: InspectionBudget = .standard
  ) -> Feature {
    let options = LogOptions(
      filter: filter, rate: rate, detail: detail, redacting: redacting, redactingTypes: redactingTypes,
      folding: folding, queue: queue, budget: budget)
    return logger(LoggerMiddleware(to: destination, options: options))
  }

  /// A feature of an existing logger.
  @inlinable public static func logger(_ logger: LoggerMiddleware<Action, State>) -> Feature {
    Feature(middleware: Middleware { logger.handle(action: $0, from: $1, state: $2) })
  }
}
