public import ReeluxCore

/// A middleware that connects the state with a feed. It keeps each service open while the state requires it, and sends
/// the responses of the service as actions.
///
/// After each action that changes the state, it sorts the watched regions by id. So such an action costs O(n log n) for
/// n regions.
public struct LocationMiddleware: FeedingMiddleware {
  /// The key of an open service. If the key changes, the service is opened again.
  private enum Key: Hashable, Sendable {
    case authorization
    case authorizationChanges
    case position(PositionOptions)
    case request(Int)
    case significantChange
    case heading(HeadingOptions)
    case visits
    case region(LocationRegion)
  }

  private let feed: LocationFeed

  /// Creates a middleware for a feed.
  public init(feed: LocationFeed) {
    self.feed = feed
  }

  /// Responds with an error to a request if permission is refused. When permission is refused later, responds with an
  /// error for each service that is not stopped.
  public func handle(
    action: LocationAction, from source: ActionSource, state: GetState<LocationState>
  ) -> Effect<LocationAction> {
    switch action {
    case .requestAuthorization: refusal(of: [.authorization], by: state().authorization)
    case .startPosition: refusal(of: [.position], by: state().authorization)
    case .requestPosition: refusal(of: [.request], by: state().authorization)
    case .startSignificantChange: refusal(of: [.significantChange], by: state().authorization)
    case .startHeading: refusal(of: [.heading], by: state().authorization)
    case .startVisits: refusal(of: [.visits], by: state().authorization)
    case .monitor(let region): refusal(of: [.region(region.id)], by: state().authorization)
    case .response(.authorizationChanged(let authorization)): refusal(of: state(), by: authorization)
    default: .none
    }
  }

  /// The feeds that the state requires: the request for permission while it is open, the changes of the permission if
  /// they matter, and each running service.
  public func feeds(for state: LocationState) -> [Feed<LocationAction>] {
    var feeds: [Feed<LocationAction>] = []
    if state.needsAnswer { feeds.append(authorization) }
    if let changes = feed.authorizationChanges, state.followsAuthorization {
      feeds.append(authorizationChanges(changes))
    }
    if state.position.phase == .running { feeds.append(positions(state.position)) }
    if state.request.phase == .running { feeds.append(request(state.request)) }
    if state.significantChange.phase == .running { feeds.append(significantChanges) }
    if state.heading.phase == .running { feeds.append(headings(state.heading.options)) }
    if state.visits.phase == .running { feeds.append(visits) }
    for (_, watched) in state.regions.sorted(by: { $0.key < $1.key }) where watched.phase == .running {
      feeds.append(watch(watched.region))
    }
    return feeds
  }

  private func refusal(
    of services: [LocationService], by authorization: LocationAuthorization
  ) -> Effect<LocationAction> {
    .send(services.compactMap { LocationError(service: $0, refusal: authorization) }.map { .response(.failed($0)) })
  }

  private func refusal(of state: LocationState, by authorization: LocationAuthorization) -> Effect<LocationAction> {
    var services = state.wantedServices
    if state.isAskingForAuthorization { services.insert(.authorization, at: 0) }
    return refusal(of: services, by: authorization)
  }

  // MARK: Services

  private var authorization: Feed<LocationAction> {
    Feed(key: Key.authorization) { [feed] send in
      for await answer in feed.authorization() {
        send(.response(.authorizationChanged(answer)))
        if answer != .notDetermined { return }
      }
      guard !Task.isCancelled else { return }
      let reason = "the feed's authorization ended without a grant or a refusal"
      send(.response(.failed(LocationError(service: .authorization, reason: .failed(reason)))))
    }
  }

  private func authorizationChanges(
    _ changes: @escaping @Sendable () -> AsyncStream<LocationAuthorization>
  ) -> Feed<LocationAction> {
    Feed(key: Key.authorizationChanges) { send in
      for await answer in changes() { send(.response(.authorizationChanged(answer))) }
    }
  }

  private func positions(_ position: LocationState.Position) -> Feed<LocationAction> {
    let options = position.options
    // The path from the newest fix of a restored state is unknown.
    let first: LocationAction.Response? = position.latest == nil || position.isInterrupted ? nil : .interrupted
    return open(.position, key: .position(options), first: first, feed.positions, options) {
      var filter = FixFilter(options)
      return { update in
        switch update {
        case .fixes(let fixes):
          let accepted = fixes.filter { filter.accepts($0) }
          return accepted.isEmpty ? nil : .moved(accepted)
        case .interrupted:
          return .interrupted
        }
      }
    }
  }

  private func request(_ request: LocationState.Request) -> Feed<LocationAction> {
    let options = PositionOptions(requiredAccuracy: request.requiredAccuracy)
    let withoutFix = LocationError(service: .request, reason: .failed("the feed ended before there was a fix"))
    return open(.request, key: .request(request.number), emptyError: withoutFix, feed.requests, options) {
      var filter = FixFilter(options)
      return { filter.accepts($0) ? .positionReceived($0) : nil }
    }
  }

  private var significantChanges: Feed<LocationAction> {
    open(.significantChange, key: .significantChange, { [feed] _ in feed.significantChanges() }, ()) {
      { .significantlyMoved($0) }
    }
  }

  private func headings(_ options: HeadingOptions) -> Feed<LocationAction> {
    open(.heading, key: .heading(options), feed.headings, options) {
      var filter = HeadingFilter(options)
      return { filter.accepts($0) ? .headingChanged($0) : nil }
    }
  }

  private var visits: Feed<LocationAction> {
    open(.visits, key: .visits, { [feed] _ in feed.visits() }, ()) {
      { .visited($0) }
    }
  }

  private func watch(_ region: LocationRegion) -> Feed<LocationAction> {
    open(.region(region.id), key: .region(region), feed.regionUpdates, region) {
      var presence = RegionPresence.unknown
      return { update in
        guard update.presence != presence else { return nil }
        defer { presence = update.presence }
        return switch update {
        // A simulation that jumps determines the presence again.
        case .determined(.inside) where presence == .outside, .entered: .regionEntered(region.id)
        case .determined(.outside) where presence == .inside, .left: .regionLeft(region.id)
        case .determined(let presence): .regionDetermined(region.id, presence)
        }
      }
    }
  }

  /// A feed for a service. It sends the service's responses as actions, and the end or the error of the service.
  ///
  /// - Parameters:
  ///   - first: A response that precedes those of the service.
  ///   - emptyError: For a service with one response: the error if the service ends before this response.
  ///   - responses: Opens the service with these options.
  ///   - translation: Creates a function that converts a response to an action, or to `nil`.
  private func open<Request: Sendable, Element: Sendable>(
    _ service: LocationService, key: Key, first: LocationAction.Response? = nil,
    emptyError: LocationError? = nil,
    _ responses: @escaping @Sendable (Request) -> LocationFeed.Responses<Element>,
    _ request: Request, _ translation: @escaping @Sendable () -> (Element) -> LocationAction.Response?
  ) -> Feed<LocationAction> {
    // The seat is reserved here, on the thread that runs the pipeline. Services that start together therefore have
    // a fixed order.
    let reservation = Locked(feed.reserve?())
    return Feed(key: key) { send in
      if let first { send(.response(first)) }
      let translate = translation()
      let opened = LocationFeed.opened(with: reservation) { responses(request) }
      var iterator: any AsyncIteratorProtocol<Element, any Error> = opened.makeAsyncIterator()
      // When this iterator is released, a simulation continues with the next service. So the iterator must live until
      // the last response is sent.
      defer { withExtendedLifetime(iterator) {} }
      do {
        while let element = try await iterator.next() {
          guard let response = translate(element) else { continue }
          send(.response(response))
          if emptyError != nil { return }
        }
        if !Task.isCancelled { send(.response(emptyError.map { .failed($0) } ?? .ended(service))) }
      } catch {
        if !Task.isCancelled { send(.response(.failed(LocationError(service: service, thrown: error)))) }
      }
    }
  }
}
