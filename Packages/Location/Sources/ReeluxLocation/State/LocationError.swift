/// Whether the user lets the app know where the device is.
public enum LocationAuthorization: String, Hashable, Codable, Sendable, CaseIterable {
  /// The user has not been asked, or has not answered.
  case notDetermined
  /// The user said no.
  case denied
  /// The device's owner does not leave it to the user, and said no.
  case restricted
  /// Yes, while the app is in use.
  case whenInUse
  /// Yes, always.
  case always

  /// Whether services may run.
  public var allowsUse: Bool { self == .whenInUse || self == .always }

  /// Whether the answer is no.
  public var isRefusal: Bool { self == .denied || self == .restricted }
}

/// Why a service does not run.
public struct LocationError: Error, Hashable, Codable, Sendable {
  /// What stopped it.
  public enum Reason: Hashable, Codable, Sendable {
    /// The user does not allow it.
    case denied
    /// The device's owner does not allow it.
    case restricted
    /// The feed has no such service.
    case unavailable
    /// The feed failed; the text says how, for a track of a file with line and reason.
    case failed(String)
  }

  /// The service that does not run.
  public var service: LocationService
  /// What stopped it.
  public var reason: Reason

  /// Creates an error.
  public init(service: LocationService, reason: Reason) {
    self.service = service
    self.reason = reason
  }

  /// The error that a service's feed threw; a `LocationError` keeps its reason.
  init(service: LocationService, thrown error: any Error) {
    self.service = service
    reason = (error as? LocationError)?.reason ?? .failed("\(error)")
  }

  /// The refusal that an authorization means for a service; nothing if it is none.
  init?(service: LocationService, refusal authorization: LocationAuthorization) {
    guard authorization.isRefusal else { return nil }
    self.init(service: service, reason: authorization == .restricted ? .restricted : .denied)
  }
}

extension LocationError: CustomStringConvertible {
  /// Service and reason: `position: the user does not allow it`.
  public var description: String {
    switch reason {
    case .denied: "\(service): the user does not allow it"
    case .restricted: "\(service): the device does not allow it"
    case .unavailable: "\(service): not available here"
    case .failed(let text): "\(service): \(text)"
    }
  }
}
