public import ReeluxLocation

/// What a simulated device adds to its track. The defaults add nothing: each point of the track gives one fix.
public struct SimulationOptions: Hashable, Sendable {
  /// What chance starts from. The same seed gives the same noise and the same dropouts.
  public var seed: UInt64
  /// Metres of error, as a standard deviation in each direction; fixes then state at least that accuracy.
  public var noise: Double
  /// The probability, 0 … 1, that the signal is lost at a point.
  public var dropoutProbability: Double
  /// The number of points for which it then stays lost.
  public var dropoutLength: Int
  /// What the user answers.
  public var permission: SimulatedPermission
  /// Metres per second between points of a track without times; the default is a walk.
  public var pace: Double
  /// When a track without times begins.
  public var startTime: Timestamp
  /// Metres that the device must be beyond the edge of a region before it has left it. It enters at the edge.
  public var regionHysteresis: Double
  /// Metres of a significant change.
  public var significantDistance: Double
  /// Metres around a place within which one stays at it.
  public var visitRadius: Double
  /// Seconds at a place that make a visit.
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

/// What the simulated user answers when asked.
public enum SimulatedPermission: Hashable, Sendable {
  /// Yes, at once.
  case granted
  /// No, at once.
  case denied
  /// The device's owner said no.
  case restricted
  /// Yes or no, after some time on the clock.
  case late(after: Duration, granted: Bool = true)
}
