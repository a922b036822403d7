/// The filter of fixes. The defaults accept every fix.
public struct PositionOptions: Hashable, Codable, Sendable {
  /// The smallest distance in metres from the last accepted fix; 0 for no limit.
  public var minimumDistance: Double
  /// The smallest time in seconds since the last accepted fix; 0 for no limit. It is computed from the timestamps.
  /// A fix that is older than the last accepted one is accepted.
  public var minimumInterval: Double
  /// The largest accepted value of a fix's accuracy in metres; `nil` for no limit. A fix without an accuracy is
  /// accepted.
  public var requiredAccuracy: Double?

  /// Creates options. A value that is not a number is no limit.
  public init(minimumDistance: Double = 0, minimumInterval: Double = 0, requiredAccuracy: Double? = nil) {
    // Options with such a value would not equal themselves, and the service would be opened again after each action.
    self.minimumDistance = minimumDistance.isNaN ? 0 : minimumDistance
    self.minimumInterval = minimumInterval.isNaN ? 0 : minimumInterval
    self.requiredAccuracy = requiredAccuracy?.isNaN == true ? nil : requiredAccuracy
  }
}

/// The filter of headings.
public struct HeadingOptions: Hashable, Codable, Sendable {
  /// The smallest difference in degrees from the last accepted heading; 0 for no limit. Default: 5.
  public var minimumTurn: Double

  /// Creates options. A value that is not a number is no limit.
  public init(minimumTurn: Double = 5) {
    self.minimumTurn = minimumTurn.isNaN ? 0 : minimumTurn
  }
}
