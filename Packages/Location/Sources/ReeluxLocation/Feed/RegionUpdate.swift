/// What the watch of a region says.
public enum RegionUpdate: Hashable, Codable, Sendable {
  /// Where the device is when the watch begins.
  case determined(RegionPresence)
  /// The device came in.
  case entered
  /// The device went out.
  case left

  /// Where the device is after it.
  public var presence: RegionPresence {
    switch self {
    case .determined(let presence): presence
    case .entered: .inside
    case .left: .outside
    }
  }
}
