/// Which fixes are worth an action. The defaults let every fix through.
public struct PositionOptions: Hashable, Codable, Sendable {
  /// Metres that a fix must be away from the last one let through; 0 for no limit.
  public var minimumDistance: Double
  /// Seconds that must lie between two fixes by their timestamps; 0 for no limit.
  public var minimumInterval: Double
  /// Metres of accuracy that a fix must have; `nil` for no limit. A fix that does not state its accuracy passes.
  public var requiredAccuracy: Double?

  /// Creates options.
  public init(minimumDistance: Double = 0, minimumInterval: Double = 0, requiredAccuracy: Double? = nil) {
    self.minimumDistance = minimumDistance
    self.minimumInterval = minimumInterval
    self.requiredAccuracy = requiredAccuracy
  }
}

/// Which headings are worth an action.
public struct HeadingOptions: Hashable, Codable, Sendable {
  /// Degrees by which a heading must differ from the last one let through; 0 for no limit.
  public var minimumTurn: Double

  /// Creates options.
  public init(minimumTurn: Double = 5) {
    self.minimumTurn = minimumTurn
  }
}
