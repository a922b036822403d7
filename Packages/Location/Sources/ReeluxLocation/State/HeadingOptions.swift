/// Which headings are worth an action.
public struct HeadingOptions: Hashable, Codable, Sendable {
  /// Degrees by which a heading must differ from the last one let through; 0 for no limit.
  public var minimumTurn: Double

  /// Creates options.
  public init(minimumTurn: Double = 5) {
    self.minimumTurn = minimumTurn
  }
}
