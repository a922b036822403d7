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
