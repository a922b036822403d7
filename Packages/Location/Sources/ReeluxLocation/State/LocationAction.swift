/// Requests to the location feature, and its responses.
public enum LocationAction: Hashable, Codable, Sendable {
  /// Asks the user for permission, unless the answer is known. Starting a
  /// service asks too.
  case requestAuthorization
  /// Starts the position service, or restarts it with other options.
  case startPosition(PositionOptions = PositionOptions())
  /// Stops the position service.
  case stopPosition
  /// Requests one fix; with an accuracy in metres, the first fix that is at least as accurate.
  case requestPosition(requiredAccuracy: Double? = nil)
  /// Cancels the request for one fix.
  case cancelPositionRequest
  /// Starts the significant-change service.
  case startSignificantChange
  /// Stops the significant-change service.
  case stopSignificantChange
  /// Starts the heading service, or restarts it with other options.
  case startHeading(HeadingOptions = HeadingOptions())
  /// Stops the heading service.
  case stopHeading
  /// Starts the visits service.
  case startVisits
  /// Stops the visits service.
  case stopVisits
  /// Starts to watch a region; it replaces a watched region with the same id.
  case monitor(LocationRegion)
  /// Stops watching the region with this id.
  case stopMonitoring(String)
  /// Stops every service and every watch.
  case stopAll
  /// Removes the newest error.
  case dismissError
  /// A response of the feature's middleware. An app reads it, and does not send it.
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
