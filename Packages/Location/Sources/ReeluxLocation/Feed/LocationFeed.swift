/// What the outside must offer: for each service a function that opens an asynchronous sequence of answers.
///
/// The middleware opens a sequence when the state wants the service, and cancels its task when the state no longer
/// does. A sequence that ends stops the service; one that throws stops it with an error.
///
/// A feed of your own names only what it has:
///
/// ```swift
/// let feed = LocationFeed(
///   authorization: { AsyncStream { $0.yield(.always); $0.finish() } },
///   positions: { _ in receiver.updates })
/// ```
public struct LocationFeed: Sendable {
  /// The answers of a service.
  public typealias Answers<Element> = any AsyncSequence<Element, any Error> & Sendable

  /// Asks the user. Answers come until it is yes or no; without any of the two, the services do not start.
  public var authorization: @Sendable () -> AsyncStream<LocationAuthorization>
  /// Opens the changes of the permission while the app runs; `nil` where the feed does not know them.
  public var authorizationChanges: (@Sendable () -> AsyncStream<LocationAuthorization>)?
  /// Opens the position service. The options are for saving power: the middleware filters in any case.
  public var positions: @Sendable (PositionOptions) -> Answers<PositionUpdate>
  /// Opens fixes for a request; the first that is accurate enough is the answer.
  public var requests: @Sendable (PositionOptions) -> Answers<LocationFix>
  /// Opens the significant-change service.
  public var significantChanges: @Sendable () -> Answers<LocationFix>
  /// Opens the heading service. The options are for saving power: the middleware filters in any case.
  public var headings: @Sendable (HeadingOptions) -> Answers<Heading>
  /// Opens the watch for stays.
  public var visits: @Sendable () -> Answers<Visit>
  /// Opens the watch of a region.
  public var regionUpdates: @Sendable (LocationRegion) -> Answers<RegionUpdate>

  /// Reserves a place in the order of a simulation for a service that may be opened; given back when it is released.
  package var reserve: (@Sendable () -> any AnyObject & Sendable)?
  /// What was reserved for the service that is being opened.
  @TaskLocal package static var reservation: (any AnyObject & Sendable)?

  /// Creates a feed. A service that is left out fails as not available when it is started; a request for one fix
  /// opens the position service then.
  public init(
    authorization: @escaping @Sendable () -> AsyncStream<LocationAuthorization>,
    positions: @escaping @Sendable (PositionOptions) -> Answers<PositionUpdate> = { _ in unavailable(.position) },
    requests: (@Sendable (PositionOptions) -> Answers<LocationFix>)? = nil,
    significantChanges: @escaping @Sendable () -> Answers<LocationFix> = { unavailable(.significantChange) },
    headings: @escaping @Sendable (HeadingOptions) -> Answers<Heading> = { _ in unavailable(.heading) },
    visits: @escaping @Sendable () -> Answers<Visit> = { unavailable(.visits) },
    regionUpdates: @escaping @Sendable (LocationRegion) -> Answers<RegionUpdate> = { unavailable(.region($0.id)) }
  ) {
    self.authorization = authorization
    self.positions = positions
    self.requests = requests ?? { options in NewestFixes(updates: positions(options)) }
    self.significantChanges = significantChanges
    self.headings = headings
    self.visits = visits
    self.regionUpdates = regionUpdates
  }

  /// The answers of a service that a feed does not have: an error.
  public static func unavailable<Element: Sendable>(_ service: LocationService) -> Answers<Element> {
    AsyncThrowingStream<Element, any Error> {
      throw LocationError(service: service, reason: .unavailable)
    }
  }
}
