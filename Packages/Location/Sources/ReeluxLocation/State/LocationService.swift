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
