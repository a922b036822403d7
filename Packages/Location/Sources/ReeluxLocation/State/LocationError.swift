/// The user's permission to use the device's location.
public enum LocationAuthorization: String, Hashable, Codable, Sendable, CaseIterable {
  /// The user has not decided.
  case notDetermined
  /// The user refused.
  case denied
  /// A restriction of the device, such as parental controls, forbids it.
  case restricted
  /// Allowed while the app is in use.
  case whenInUse
  /// Always allowed.
  case always

  /// Whether services may run.
  public var allowsUse: Bool { self == .whenInUse || self == .always }

  /// Whether the permission is refused.
  public var isRefusal: Bool { self == .denied || self == .restricted }
}

/// The reason why a service does not run.
public struct LocationError: Error, Hashable, Codable, Sendable {
  /// The reason.
  public enum Reason: Hashable, Codable, Sendable {
    /// The user does not allow it.
    case denied
    /// A restriction of the device does not allow it.
    case restricted
    /// The feed has no such service.
    case unavailable
    /// The feed failed; the text gives the reason, and for a file also the line.
    case failed(String)
  }

  /// The service that does not run.
  public var service: LocationService
  /// The reason.
  public var reason: Reason

  /// Creates an error.
  public init(service: LocationService, reason: Reason) {
    self.service = service
    self.reason = reason
  }

  /// Creates the error of a service whose feed threw. A `LocationError` keeps its reason.
  init(service: LocationService, thrown error: any Error) {
    self.service = service
    reason = (error as? LocationError)?.reason ?? .failed("\(error)")
  }

  /// Creates the error of a refused permission; `nil` if the permission is not refused.
  init?(service: LocationService, refusal authorization: LocationAuthorization) {
    guard authorization.isRefusal else { return nil }
    self.init(service: service, reason: authorization == .restricted ? .restricted : .denied)
  }
}

extension LocationError: CustomStringConvertible {
  /// The service and the reason: `position: the user does not allow it`.
  public var description: String {
    switch reason {
    case .denied: "\(service): the user does not allow it"
    case .restricted: "\(service): the device does not allow it"
    case .unavailable: "\(service): the feed has no such service"
    case .failed(let text): "\(service): \(text)"
    }
  }
}
