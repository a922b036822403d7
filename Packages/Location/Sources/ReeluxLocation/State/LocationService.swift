/// A service of a location feed.
public enum LocationService: Hashable, Codable, Sendable {
  /// The request for permission.
  case authorization
  /// Every fix.
  case position
  /// One fix.
  case request
  /// A fix after each large movement.
  case significantChange
  /// The direction in which the device points, or its direction of travel in a simulation.
  case heading
  /// Visits of places.
  case visits
  /// Entering and leaving the region with this id.
  case region(String)
}

extension LocationService: CustomStringConvertible {
  /// The service as text for messages.
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
  /// The service is not required, or not available. Its feed is closed.
  case stopped
  /// The service starts when the user permits it. Its feed is closed.
  case awaitingAuthorization
  /// The feed of the service is open.
  case running
}

/// Whether the device is inside a region.
public enum RegionPresence: String, Hashable, Codable, Sendable {
  /// Unknown so far.
  case unknown
  /// In the region.
  case inside
  /// Not in the region.
  case outside
}
