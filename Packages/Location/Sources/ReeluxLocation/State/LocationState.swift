/// The known location and the phases of the services.
///
/// Each service has its own part, so a view can select one: `store.select(\.location.position)`.
public struct LocationState: Hashable, Codable, Sendable {
  /// The position service, which reports every fix.
  public struct Position: Hashable, Codable, Sendable {
    /// The phase of the service.
    public var phase = ServicePhase.stopped
    /// The filter of fixes.
    public var options = PositionOptions()
    /// The newest fix. It stays when the service stops.
    public var latest: LocationFix?
    /// The number of fixes since the service started.
    public var fixes = 0
    /// The length in metres of the path since the service started. A path across an interruption does not count.
    public var distance = 0.0
    /// Whether the signal was lost after the newest fix, or the service has started and has no fix yet. The path to the
    /// next fix is then unknown.
    public var isInterrupted = false
  }

  /// A request for one fix.
  public struct Request: Hashable, Codable, Sendable {
    /// The phase of the request.
    public var phase = ServicePhase.stopped
    /// The number of requests so far.
    public var number = 0
    /// The accuracy in metres that the response must have; `nil` for no limit.
    public var requiredAccuracy: Double?
    /// The newest response.
    public var response: LocationFix?
  }

  /// The significant-change service, which reports a fix after each large movement.
  public struct SignificantChange: Hashable, Codable, Sendable {
    /// The phase of the service.
    public var phase = ServicePhase.stopped
    /// The newest fix.
    public var latest: LocationFix?
  }

  /// The heading service. It reports the direction in which the device points, or the direction of travel in a
  /// simulation.
  public struct Direction: Hashable, Codable, Sendable {
    /// The phase of the service.
    public var phase = ServicePhase.stopped
    /// The filter of headings.
    public var options = HeadingOptions()
    /// The newest heading.
    public var latest: Heading?
  }

  /// The visits service.
  public struct Visits: Hashable, Codable, Sendable {
    /// The phase of the service.
    public var phase = ServicePhase.stopped
    /// The newest visit. It has no departure until it ends.
    public var latest: Visit?
    /// The number of visits that have ended since the service started.
    public var ended = 0
  }

  /// A watched region.
  public struct WatchedRegion: Hashable, Codable, Sendable {
    /// The region and its id.
    public var region: LocationRegion
    /// The phase of the watch.
    public var phase = ServicePhase.stopped
    /// Whether the device is inside.
    public var presence = RegionPresence.unknown
    /// How often the device has entered the region since the watch started.
    public var entries = 0
    /// How often the device has left the region since the watch started.
    public var exits = 0
  }

  /// The user's permission.
  public var authorization: LocationAuthorization
  /// Whether ``LocationAction/requestAuthorization`` has requested permission from the user, without a decision yet.
  public var isAskingForAuthorization = false
  /// The position service.
  public var position = Position()
  /// The request for one fix.
  public var request = Request()
  /// The significant-change service.
  public var significantChange = SignificantChange()
  /// The heading service.
  public var heading = Direction()
  /// The visits service.
  public var visits = Visits()
  /// The watched regions by id.
  public var regions: [String: WatchedRegion] = [:]
  /// The last error.
  public var lastError: LocationError?

  /// Creates a state without running services.
  ///
  /// - Parameter authorization: The permission. If it is not `.notDetermined`, starting a service requests no
  ///   permission. A feed that reports changes of the permission, such as `.device()`, then replaces the value. If it
  ///   reports `.notDetermined`, the user is asked.
  public init(authorization: LocationAuthorization = .notDetermined) {
    self.authorization = authorization
  }
}
