public import ReeluxCore

extension Reducer where Action == LocationAction, State == LocationState {
  /// The reducer of the location. An action that changes nothing is not accepted, and no observer is called.
  public static var location: Reducer { .partial { LocationReducer.reduce($0, &$1) } }
}

enum LocationReducer {
  /// Changes the state. Returns false for an action that changes nothing.
  static func reduce(_ action: LocationAction, _ state: inout LocationState) -> Bool {
    switch action {
    case .requestAuthorization:
      guard state.authorization == .notDetermined, !state.isAskingForAuthorization else { return false }
      state.isAskingForAuthorization = true
    case .startPosition, .requestPosition, .startSignificantChange, .startHeading, .startVisits, .monitor:
      return start(action, &state)
    case .stopPosition: return stop(.position, &state)
    case .cancelPositionRequest: return stop(.request, &state)
    case .stopSignificantChange: return stop(.significantChange, &state)
    case .stopHeading: return stop(.heading, &state)
    case .stopVisits: return stop(.visits, &state)
    case .stopMonitoring(let id): return state.regions.removeValue(forKey: id) != nil
    case .stopAll: return stopAll(&state)
    case .dismissError:
      guard state.lastError != nil else { return false }
      state.lastError = nil
    case .response(let response): return take(response, &state)
    }
    return true
  }

  // MARK: Requests

  private static func start(_ action: LocationAction, _ state: inout LocationState) -> Bool {
    guard let phase = state.firstPhase else { return false }
    // A copy of the state would make the change copy all regions.
    if case .monitor(let region) = action { return monitor(region, phase, &state) }
    let before = state
    switch action {
    case .startPosition(let options):
      guard state.position.phase == .stopped || state.position.options != options else { return false }
      let latest = state.position.latest
      state.position = LocationState.Position(phase: phase, options: options, latest: latest, isInterrupted: true)
    case .requestPosition(let limit):
      let accuracy = limit?.isNaN == true ? nil : limit
      guard state.request.phase == .stopped || state.request.requiredAccuracy != accuracy else { return false }
      state.request.phase = phase
      state.request.requiredAccuracy = accuracy
      state.request.number &+= 1
    case .startSignificantChange: state.significantChange.phase = phase
    case .startHeading(let options):
      state.heading.phase = phase
      state.heading.options = options
    case .startVisits:
      guard state.visits.phase == .stopped else { return false }
      state.visits = LocationState.Visits(phase: phase)
    default: return false
    }
    return state != before
  }

  private static func monitor(_ region: LocationRegion, _ phase: ServicePhase, _ state: inout LocationState) -> Bool {
    let watched = state.regions[region.id]
    guard watched?.region != region || watched?.phase == .stopped else { return false }
    state.regions[region.id] = LocationState.WatchedRegion(region: region, phase: phase)
    return true
  }

  private static func stop(_ service: LocationService, _ state: inout LocationState) -> Bool {
    guard state.phase(of: service) != .stopped else { return false }
    state.setPhase(.stopped, of: service)
    return true
  }

  private static func stopAll(_ state: inout LocationState) -> Bool {
    let before = state
    for service in state.wantedServices { state.setPhase(.stopped, of: service) }
    state.regions = [:]
    return state != before
  }

  /// The user has not decided, so the waiting services stop.
  private static func stopWaiting(_ state: inout LocationState) {
    for service in state.wantedServices where state.phase(of: service) == .awaitingAuthorization {
      state.setPhase(.stopped, of: service)
    }
  }

  // MARK: Responses

  private static func take(_ response: LocationAction.Response, _ state: inout LocationState) -> Bool {
    switch response {
    case .authorizationChanged(let authorization): return authorize(authorization, &state)
    case .moved(let fixes):
      guard !fixes.isEmpty else { return false }
      for fix in fixes { state.position.append(fix) }
    case .interrupted:
      guard !state.position.isInterrupted else { return false }
      state.position.isInterrupted = true
    case .positionReceived(let fix):
      let isStopped = stop(.request, &state)
      return replace(&state.request.response, by: fix) || isStopped
    case .significantlyMoved(let fix): return replace(&state.significantChange.latest, by: fix)
    case .headingChanged(let heading): return replace(&state.heading.latest, by: heading)
    case .visited(let visit):
      if visit.departure != nil { state.visits.ended &+= 1 }
      return replace(&state.visits.latest, by: visit) || visit.departure != nil
    case .regionDetermined(let id, let presence): return locate(id, presence, &state) { _ in }
    case .regionEntered(let id): return locate(id, .inside, &state) { $0.entries &+= 1 }
    case .regionLeft(let id): return locate(id, .outside, &state) { $0.exits &+= 1 }
    case .failed(let error):
      let before = state
      if error.service == .authorization { stopWaiting(&state) }
      state.setPhase(.stopped, of: error.service)
      state.lastError = error
      return state != before
    case .ended(let service): return stop(service, &state)
    }
    return true
  }

  /// Replaces a value. Returns false if it stays the same.
  private static func replace<Value: Equatable>(_ value: inout Value, by other: Value) -> Bool {
    guard value != other else { return false }
    value = other
    return true
  }

  private static func authorize(_ authorization: LocationAuthorization, _ state: inout LocationState) -> Bool {
    guard authorization != state.authorization else { return false }
    state.authorization = authorization
    state.isAskingForAuthorization = false
    for service in state.wantedServices { state.setPhase(state.firstPhase ?? .stopped, of: service) }
    return true
  }

  private static func locate(
    _ id: String, _ presence: RegionPresence, _ state: inout LocationState,
    _ count: (inout LocationState.WatchedRegion) -> Void
  ) -> Bool {
    guard var watched = state.regions[id], watched.presence != presence else { return false }
    watched.presence = presence
    count(&watched)
    state.regions[id] = watched
    return true
  }
}

extension LocationState.Position {
  /// Stores the newest fix. The path to it counts unless the signal was lost.
  package mutating func append(_ fix: LocationFix) {
    if let latest, !isInterrupted { distance += latest.coordinate.distance(to: fix.coordinate) }
    isInterrupted = false
    latest = fix
    // A restored state can have any number of fixes.
    fixes &+= 1
  }
}
