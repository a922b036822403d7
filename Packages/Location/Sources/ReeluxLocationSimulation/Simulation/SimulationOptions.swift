public import ReeluxLocation

/// Settings of a simulated device: noise, dropouts, permission, thresholds. With the defaults, each point of
/// the track gives one fix without noise.
public struct SimulationOptions: Hashable, Sendable {
  /// The seed of the random numbers. The same seed gives the same noise and the same
  /// dropouts.
  public var seed: UInt64
  /// Metres of error, as a standard deviation in each direction; fixes then state at least that accuracy.
  public var noise: Double
  /// The probability, 0 … 1, that the signal is lost at a point.
  public var dropoutProbability: Double
  /// The number of points for which the signal stays lost.
  public var dropoutLength: Int
  /// The answer of the simulated user.
  public var permission: SimulatedPermission
  /// Metres per second between points of a track without times; the default is a walk.
  public var pace: Double
  /// The start of a track without times.
  public var startTime: Timestamp
  /// The hysteresis in metres: a device leaves a region when it is this far outside of the edge. It enters at
  /// the edge.
  public var regionHysteresis: Double
  /// The distance in metres of a significant change.
  public var significantDistance: Double
  /// The radius in metres of a visit's place.
  public var visitRadius: Double
  /// The shortest visit in seconds.
  public var visitDuration: Double

  /// Creates options.
  public init(
    seed: UInt64 = 0, noise: Double = 0, dropoutProbability: Double = 0, dropoutLength: Int = 5,
    permission: SimulatedPermission = .granted, pace: Double = 1.4, startTime: Timestamp = .epoch,
    regionHysteresis: Double = 20, significantDistance: Double = 500, visitRadius: Double = 100,
    visitDuration: Double = 300
  ) {
    self.seed = seed
    self.noise = noise
    self.dropoutProbability = dropoutProbability
    self.dropoutLength = dropoutLength
    self.permission = permission
    self.pace = pace
    self.startTime = startTime
    self.regionHysteresis = regionHysteresis
    self.significantDistance = significantDistance
    self.visitRadius = visitRadius
    self.visitDuration = visitDuration
  }
}

/// The speed of the simulated time.
public enum SimulationSpeed: Hashable, Sendable {
  /// Simulated seconds for each second of the clock: 1 is real time, 60 a minute each second.
  case factor(Double)
  /// As fast as possible, without looking at the clock.
  case max

  /// The factor, between 1/1000 and 1,000,000,000; `nil` for as fast as possible.
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

/// The answer of the simulated user to the request for permission.
public enum SimulatedPermission: Hashable, Sendable {
  /// A grant, at once.
  case granted
  /// A refusal, at once.
  case denied
  /// A refusal by a restriction of the device.
  case restricted
  /// A grant or a refusal, after some time on the clock.
  case late(after: Duration, granted: Bool = true)
}
