/// What can be asked of the location feature, and what it answers.
public enum LocationAction: Hashable, Codable, Sendable {
  /// Asks the user, unless the answer is known. Starting a service asks too.
  case requestAuthorization
  /// Starts the position service, or starts it anew with other options.
  case startPosition(PositionOptions = PositionOptions())
  /// Stops the position service.
  case stopPosition
  /// Asks for one fix; with an accuracy in metres, for the first fix that is at least as accurate.
  case requestPosition(requiredAccuracy: Double? = nil)
  /// Takes the request for one fix back.
  case cancelPositionRequest
  /// Starts the significant-change service.
  case startSignificantChange
  /// Stops the significant-change service.
  case stopSignificantChange
  /// Starts the heading service, or starts it anew with other options.
  case startHeading(HeadingOptions = HeadingOptions())
  /// Stops the heading service.
  case stopHeading
  /// Starts to watch for stays.
  case startVisits
  /// Stops to watch for stays.
  case stopVisits
  /// Watches a region; one that is watched under the same id is replaced.
  case monitor(LocationRegion)
  /// Stops to watch the region with this id.
  case stopMonitoring(String)
  /// Stops every service and every watch.
  case stopAll
  /// Forgets the newest error.
  case dismissError
  /// What the feature's own middleware sends. An app reads it, and does not send it.
  case response(Response)

  /// What the services answer.
  public enum Response: Hashable, Codable, Sendable {
    /// The user answered, or changed the answer.
    case authorizationChanged(LocationAuthorization)
    /// The device moved: a batch of fixes, oldest first.
    case moved([LocationFix])
    /// The signal is lost; the way to the next fix is not known.
    case interrupted
    /// The answer to a request for one fix.
    case positionAnswered(LocationFix)
    /// The device moved far.
    case significantlyMoved(LocationFix)
    /// The direction of travel changed.
    case headingChanged(Heading)
    /// A stay began, or ended.
    case visited(Visit)
    /// Where the device is when the watch of a region begins.
    case regionDetermined(String, RegionPresence)
    /// The device entered the region with this id.
    case regionEntered(String)
    /// The device left the region with this id.
    case regionLeft(String)
    /// A service failed and is stopped.
    case failed(LocationError)
    /// A service has nothing more to say and is stopped: the end of a track.
    case ended(LocationService)
  }
}
