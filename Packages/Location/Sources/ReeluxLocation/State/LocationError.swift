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
