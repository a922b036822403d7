/// A limit for the number of records in a time span. Further records are only counted. The next record states their
/// number.
public struct LogRate: Hashable, Sendable {
  /// The number of records in one span.
  public var limit: Int
  /// The length of the span. If it is zero or negative, each record begins a new span. Then only a limit of 0 has an
  /// effect.
  public var span: Duration

  /// Creates a limit. A negative limit counts as 0 and accepts no record. Default of `span`: one second.
  public init(atMost limit: Int, per span: Duration = .seconds(1)) {
    self.limit = max(0, limit)
    self.span = span
  }

  /// At most `limit` records in a time span. Default of `span`: one second.
  public static func atMost(_ limit: Int, per span: Duration = .seconds(1)) -> LogRate {
    LogRate(atMost: limit, per: span)
  }
}

/// A counter that applies a ``LogRate``.
struct RateMeter: Sendable {
  private let rate: LogRate
  private var begin: Int64?
  private var passed = 0
  private var suppressed = 0

  init(_ rate: LogRate) {
    self.rate = rate
  }

  /// The number of all records that were left out so far; `nil` if this record is left out too. A time before the
  /// present span begins a new span.
  mutating func pass(at time: Int64) -> Int? {
    let age = begin.map { time.subtractingReportingOverflow($0) }
    if age.map({ $0.overflow || $0.partialValue < 0 || $0.partialValue >= rate.span.inNanoseconds }) ?? true {
      begin = time
      passed = 0
    }
    guard passed < rate.limit else {
      suppressed += 1
      return nil
    }
    passed += 1
    return suppressed
  }
}
