/// What a location feed can be asked for.
public enum LocationService: Hashable, Codable, Sendable {
  /// The question whether the app may know the location.
  case authorization
  /// Every fix.
  case position
  /// One fix.
  case request
  /// A fix each time that the device has moved far.
  case significantChange
  /// The direction of travel.
  case heading
  /// Stays at places.
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

/// Where a service is between wanted and running.
public enum ServicePhase: String, Hashable, Codable, Sendable {
  /// It is not wanted, or not available. Its feed is closed.
  case stopped
  /// It starts as soon as the user allows it. Its feed is closed.
  case awaitingAuthorization
  /// Its feed is open.
  case running
}

/// Where the device is, as a region sees it.
public enum RegionPresence: String, Hashable, Codable, Sendable {
  /// Not known yet.
  case unknown
  /// In the region.
  case inside
  /// Not in the region.
  case outside
}
