/// Requests to the location feature and its responses.
public enum LocationAction: Hashable, Codable, Sendable {
  /// Requests permission from the user, unless the decision is known. Starting a service does this too.
  case requestAuthorization
  /// Starts the position service, or restarts it with other options.
  case startPosition(PositionOptions = PositionOptions())
  /// Stops the position service.
  case stopPosition
  /// Requests one fix. With an accuracy in metres, the response is the first fix that is at least as accurate, or whose
  /// accuracy is unknown.
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
  /// Starts to watch a region. It replaces a watched region with the same id.
  case monitor(LocationRegion)
  /// Stops watching the region with this id.
  case stopMonitoring(String)
  /// Stops every service and every watch.
  case stopAll
  /// Removes the last error.
  case dismissError
  /// A response of the feature's middleware. An app may read it and must not send it.
  case response(Response)

  /// A response of a service.
  public enum Response: Hashable, Codable, Sendable {
    /// The user decided, or changed the decision.
    case authorizationChanged(LocationAuthorization)
    /// The device moved: a batch of fixes, oldest first.
    case moved([LocationFix])
    /// The signal is lost. The path to the next fix is unknown.
    case interrupted
    /// The response to a request for one fix.
    case positionReceived(LocationFix)
    /// The device moved a large distance.
    case significantlyMoved(LocationFix)
    /// The direction of the device changed.
    case headingChanged(Heading)
    /// A visit began or ended.
    case visited(Visit)
    /// Whether the device is inside when the watch of a region starts.
    case regionDetermined(String, RegionPresence)
    /// The device entered the region with this id.
    case regionEntered(String)
    /// The device left the region with this id.
    case regionLeft(String)
    /// A service failed and has stopped.
    case failed(LocationError)
    /// A service has no more responses and has stopped, for example at the end of a track.
    case ended(LocationService)
  }
}
