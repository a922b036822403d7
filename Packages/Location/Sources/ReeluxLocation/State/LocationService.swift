/// A service of a location feed.
public enum LocationService: Hashable, Codable, Sendable {
  /// The request for permission.
  case authorization
  /// Every fix.
  case position
  /// One fix.
  case request
  /// A fix after each large movement of the device.
  case significantChange
  /// The direction of travel.
  case heading
  /// Visits of places.
  case visits
  /// Entering and leaving the region with this id.
  case region(String)
}

extension LocationService: CustomStringConvertible {
  /// The service in words, as messages name it.
  public var description: String {
    switch self {
    case .authorization: "authorization"
    case .position: "position"
    case .request: "one-shot position"
    case .significantChange: "significant change"
    case .heading: "heading"
    case .visits: "visits"
    case .region(let id): "region '\(id)'"
    }
  }
}

/// The phase of a service.
public enum ServicePhase: String, Hashable, Codable, Sendable {
  /// It is not wanted, or not available. Its feed is closed.
  case stopped
  /// It starts as soon as the user allows it. Its feed is closed.
  case awaitingAuthorization
  /// Its feed is open.
  case running
}

/// Whether the device is inside a region.
public enum RegionPresence: String, Hashable, Codable, Sendable {
  /// Not known yet.
  case unknown
  /// In the region.
  case inside
  /// Not in the region.
  case outside
}
