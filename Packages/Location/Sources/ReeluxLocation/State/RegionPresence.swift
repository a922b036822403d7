/// Where the device is, as a region sees it.
public enum RegionPresence: String, Hashable, Codable, Sendable {
  /// Not known yet.
  case unknown
  /// In the region.
  case inside
  /// Not in the region.
  case outside
}
