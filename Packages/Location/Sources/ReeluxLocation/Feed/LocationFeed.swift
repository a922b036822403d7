import ReeluxCore

/// A source of locations. For each service, it has a function that opens an asynchronous sequence of responses.
///
/// The middleware opens a sequence when the state requires the service. It cancels the task that reads the sequence
/// when the state no longer requires the service. If the sequence ends, the service stops. If it throws, the service
/// stops with an error.
///
/// A feed of your own passes only the services that it has:
///
/// ```swift
/// let feed = LocationFeed(
///   authorization: { AsyncStream { $0.yield(.always); $0.finish() } },
///   positions: { _ in
///     AsyncThrowingStream<PositionUpdate, any Error> { continuation in
///       continuation.yield(.fixes([fix]))
///       continuation.finish()
///     }
///   })
/// ```
public struct LocationFeed: Sendable {
  /// The responses of a service.
  public typealias Responses<Element> = any AsyncSequence<Element, any Error> & Sendable

  /// Requests permission from the user. The sequence must end with a grant or a refusal. Without a grant, no service
  /// starts.
  public var authorization: @Sendable () -> AsyncStream<LocationAuthorization>
  /// Reports changes of the permission while the app runs; `nil` if the feed does not report them.
  public var authorizationChanges: (@Sendable () -> AsyncStream<LocationAuthorization>)?
  /// Opens the position service. The feed may use the options to save power. The middleware applies them in any case.
  public var positions: @Sendable (PositionOptions) -> Responses<PositionUpdate>
  /// Opens a sequence of fixes for a request. The first fix that is accurate enough is the response.
  ///
  /// Default: the fixes of ``positions``, in each batch the newest one first.
  public var requests: @Sendable (PositionOptions) -> Responses<LocationFix> {
    get { ownRequests ?? { [positions] options in FixesOfPositions(updates: positions(options)) } }
    set { ownRequests = newValue }
  }
  /// Opens the significant-change service.
  public var significantChanges: @Sendable () -> Responses<LocationFix>
  /// Opens the heading service. The feed may use the options to save power. The middleware applies them in any case.
  public var headings: @Sendable (HeadingOptions) -> Responses<Heading>
  /// Opens the visits service.
  public var visits: @Sendable () -> Responses<Visit>
  /// Opens the watch of a region.
  public var regionUpdates: @Sendable (LocationRegion) -> Responses<RegionUpdate>

  /// `nil` for requests that use ``positions``.
  private var ownRequests: (@Sendable (PositionOptions) -> Responses<LocationFix>)?

  /// Reserves a seat for a service in the order of a simulation. Releasing the object frees the seat.
  package var reserve: (@Sendable () -> any AnyObject & Sendable)?
  /// The reservation of the service that is being opened.
  @TaskLocal package static var reservation: (any AnyObject & Sendable)?

  /// Opens a service with a reservation. If the service does not keep it, its seat is free afterwards: the app may have
  /// replaced a service of a simulation by its own one.
  static func opened<Opened>(
    with reservation: borrowing Locked<(any AnyObject & Sendable)?>, _ open: () -> Opened
  ) -> Opened {
    $reservation.withValue(reservation.withLock { $0.take() }, operation: open)
  }

  /// Creates a feed. If the state requires a service that the feed does not have, the service fails with
  /// ``LocationError/Reason/unavailable``. If there is no service for requests, a request uses the position service.
  public init(
    authorization: @escaping @Sendable () -> AsyncStream<LocationAuthorization>,
    positions: @escaping @Sendable (PositionOptions) -> Responses<PositionUpdate> = { _ in unavailable(.position) },
    requests: (@Sendable (PositionOptions) -> Responses<LocationFix>)? = nil,
    significantChanges: @escaping @Sendable () -> Responses<LocationFix> = { unavailable(.significantChange) },
    headings: @escaping @Sendable (HeadingOptions) -> Responses<Heading> = { _ in unavailable(.heading) },
    visits: @escaping @Sendable () -> Responses<Visit> = { unavailable(.visits) },
    regionUpdates: @escaping @Sendable (LocationRegion) -> Responses<RegionUpdate> = { unavailable(.region($0.id)) }
  ) {
    self.authorization = authorization
    self.positions = positions
    ownRequests = requests
    self.significantChanges = significantChanges
    self.headings = headings
    self.visits = visits
    self.regionUpdates = regionUpdates
  }

  /// The responses of a service that a feed does not have: an error.
  public static func unavailable<Element: Sendable>(_ service: LocationService) -> Responses<Element> {
    AsyncThrowingStream<Element, any Error> {
      throw LocationError(service: service, reason: .unavailable)
    }
  }
}
