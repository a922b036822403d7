/// How fast simulated time runs.
public enum SimulationSpeed: Hashable, Sendable {
  /// Simulated seconds for each second of the clock: 1 is real time, 60 a minute each second.
  case factor(Double)
  /// As fast as possible, without looking at the clock.
  case max

  /// The factor, between 1/1000 and 1,000,000,000; nothing for as fast as possible.
  var value: Double? {
    switch self {
    case .factor(let factor): factor.isNaN ? 1 : Swift.min(1e9, Swift.max(1e-3, factor))
    case .max: nil
    }
  }
}

extension SimulationSpeed: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// The speed of a factor, so that `speed: 2.5` can be written.
  public init(floatLiteral value: Double) { self = .factor(value) }

  /// The speed of a factor, so that `speed: 10` can be written.
  public init(integerLiteral value: Int) { self = .factor(Double(value)) }
}
