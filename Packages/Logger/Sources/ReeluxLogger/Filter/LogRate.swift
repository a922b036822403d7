/// A limit for the number of records in a time span. Further records are only counted. The next record states their
/// number.
public struct LogRate: Hashable, Sendable {
  /// The number of records in one span.
  public var limit: Int
  /// The length of the span.
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
  private var heldBack = 0

  init(_ rate: LogRate) {
    self.rate = rate
  }

  /// The number of records that were left out since the last accepted one; `nil` if this record is left out.
  mutating func pass(at uptime: Int64) -> Int? {
    if let begin, uptime - begin < rate.span.inNanoseconds {
      guard passed < rate.limit else { return holdBack() }
    } else {
      begin = uptime
      passed = 0
      guard rate.limit > 0 else { return holdBack() }
    }
    passed += 1
    defer { heldBack = 0 }
    return heldBack
  }

  private mutating func holdBack() -> Int? {
    heldBack += 1
    return nil
  }
}
