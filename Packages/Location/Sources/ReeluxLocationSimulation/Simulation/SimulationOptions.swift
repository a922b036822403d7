public import ReeluxLocation

/// The settings of a simulated device: noise, dropouts, permission and thresholds. With the defaults, each point of the
/// track gives one fix without noise.
public struct SimulationOptions: Hashable, Sendable {
  /// The seed of the random numbers. The same seed gives the same noise and dropouts. Default: 0.
  public var seed: UInt64
  /// The standard deviation of the error in metres, to the north and to the east. A fix states this accuracy, or the
  /// point's own if that is larger. Default: 0. A negative number, or one that is not finite, counts as 0.
  public var noise: Double
  /// The probability, 0 … 1, that the signal is lost at a point. Default: 0. A smaller number counts as 0, and a larger
  /// one as 1.
  public var dropoutProbability: Double
  /// The number of points for which the signal stays lost. Default: 5. With 0 or less, the signal is never lost.
  public var dropoutLength: Int
  /// The decision of the simulated user. Default: granted.
  public var permission: SimulatedPermission
  /// The speed in metres per second on a track without times. Default: 1.4, a walk. A number that is not more than 0
  /// counts as 1.4. If a point without a time lies between two points with times, its time is interpolated.
  public var pace: Double
  /// The start of a track without times. Default: the start of 1970.
  public var startTime: Timestamp
  /// The hysteresis in metres. A device enters a region at its edge, and leaves it at this distance outside of the
  /// edge. Default: 20.
  public var regionHysteresis: Double
  /// The distance in metres of a significant change. Default: 500.
  public var significantDistance: Double
  /// The radius in metres of a visit's place. Default: 100.
  public var visitRadius: Double
  /// The shortest duration of a visit in seconds. Default: 300.
  public var visitDuration: Double
  /// The largest number of fixes in one response of the position service at the speed ``SimulationSpeed/max``, at least
  /// 1. Default: 1.
  ///
  /// A batch is one action. It simulates a device that reports several fixes together. With larger batches, a long
  /// track is followed several times as fast, and its recording has fewer actions. A batch ends where the signal is
  /// lost. At any other speed, each fix is sent alone at its time.
  public var batchSize: Int

  /// Creates options.
  public init(
    seed: UInt64 = 0, noise: Double = 0, dropoutProbability: Double = 0, dropoutLength: Int = 5,
    permission: SimulatedPermission = .granted, pace: Double = 1.4, startTime: Timestamp = .epoch,
    regionHysteresis: Double = 20, significantDistance: Double = 500, visitRadius: Double = 100,
    visitDuration: Double = 300, batchSize: Int = 1
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
    self.batchSize = max(1, batchSize)
  }
}

/// The speed of the simulated time.
public enum SimulationSpeed: Hashable, Sendable {
  /// The simulated seconds for each second of the clock. 1 is real time; with 60, a minute takes a second.
  ///
  /// A factor below 1/1000 counts as 1/1000, and a factor above 1,000,000,000 counts as this number. `Double.nan`
  /// counts as 1.
  case factor(Double)
  /// As fast as possible, independent of the clock.
  case max

  /// The factor, limited to 1/1000 … 1,000,000,000; `nil` for `max`.
  var value: Double? {
    switch self {
    case .factor(let factor): factor.isNaN ? 1 : Swift.min(1e9, Swift.max(1e-3, factor))
    case .max: nil
    }
  }
}

extension SimulationSpeed: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Creates a speed from a factor, as in `speed: 2.5`.
  public init(floatLiteral value: Double) { self = .factor(value) }

  /// Creates a speed from a factor, as in `speed: 10`.
  public init(integerLiteral value: Int) { self = .factor(Double(value)) }
}

/// The decision of the simulated user about the permission.
public enum SimulatedPermission: Hashable, Sendable {
  /// A grant 0.1 ms after the request, on the clock of the feed.
  case granted
  /// A refusal 0.1 ms after the request, on the clock of the feed.
  case denied
  /// A refusal by a restriction of the device, 0.1 ms after the request.
  case restricted
  /// A grant or a refusal after some time on the clock.
  case late(after: Duration, granted: Bool = true)
}
