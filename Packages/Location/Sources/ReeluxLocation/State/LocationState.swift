/// The known location, and the phases of the services.
///
/// Each service has a part of its own, so an app can select the one that a view shows:
/// `store.select(\.location.position)`.
public struct LocationState: Hashable, Codable, Sendable {
  /// Every fix.
  public struct Position: Hashable, Codable, Sendable {
    /// Whether it runs.
    public var phase = ServicePhase.stopped
    /// The filter of fixes.
    public var options = PositionOptions()
    /// The newest fix; it stays when the service is stopped.
    public var latest: LocationFix?
    /// The number of fixes since the service was started.
    public var fixes = 0
    /// Metres along the fixes since the service was started. The distance across an interruption does not
    /// count.
    public var distance = 0.0
    /// Whether the signal was lost after the newest fix, so that the way to the next one is not known.
    public var isInterrupted = false
  }

  /// One fix, once.
  public struct Request: Hashable, Codable, Sendable {
    /// Whether an answer is awaited.
    public var phase = ServicePhase.stopped
    /// The number of requests so far.
    public var number = 0
    /// Metres of accuracy that the answer must have; `nil` for no limit.
    public var requiredAccuracy: Double?
    /// The newest answer.
    public var answer: LocationFix?
  }

  /// A fix after each large movement of the device.
  public struct SignificantChange: Hashable, Codable, Sendable {
    /// Whether it runs.
    public var phase = ServicePhase.stopped
    /// The newest fix.
    public var latest: LocationFix?
  }

  /// The direction of travel.
  public struct Direction: Hashable, Codable, Sendable {
    /// Whether it runs.
    public var phase = ServicePhase.stopped
    /// The filter of headings.
    public var options = HeadingOptions()
    /// The newest heading.
    public var latest: Heading?
  }

  /// Visits of places.
  public struct Visits: Hashable, Codable, Sendable {
    /// Whether it runs.
    public var phase = ServicePhase.stopped
    /// The newest visit; it has no departure while it lasts.
    public var latest: Visit?
    /// The number of visits that have ended since the service was started.
    public var ended = 0
  }

  /// A region that is watched.
  public struct WatchedRegion: Hashable, Codable, Sendable {
    /// The region.
    public var region: LocationRegion
    /// Whether the watch runs.
    public var phase = ServicePhase.stopped
    /// Whether the device is inside.
    public var presence = RegionPresence.unknown
    /// How often the region was entered since the watch began.
    public var entries = 0
    /// How often the region was left since the watch began.
    public var exits = 0
  }

  /// Whether services may run.
  public var authorization: LocationAuthorization
  /// Whether the user was asked by ``LocationAction/requestAuthorization`` and has not answered.
  public var isAskingForAuthorization = false
  /// Every fix.
  public var position = Position()
  /// One fix, once.
  public var request = Request()
  /// A fix each time that the device has moved far.
  public var significantChange = SignificantChange()
  /// The direction of travel.
  public var heading = Direction()
  /// Stays at places.
  public var visits = Visits()
  /// The regions that are watched, by id.
  public var regions: [String: WatchedRegion] = [:]
  /// The newest error.
  public var lastError: LocationError?

  /// Creates a state in which nothing runs.
  ///
  /// - Parameter authorization: The known permission; if it is known, the user is not asked
  ///   again.
  public init(authorization: LocationAuthorization = .notDetermined) {
    self.authorization = authorization
  }
}
