extension LocationState {
  /// The services that are not stopped: position, request, significant change, heading, visits, and then the regions by
  /// their ids.
  public var wantedServices: [LocationService] {
    var services: [LocationService] = []
    if position.phase != .stopped { services.append(.position) }
    if request.phase != .stopped { services.append(.request) }
    if significantChange.phase != .stopped { services.append(.significantChange) }
    if heading.phase != .stopped { services.append(.heading) }
    if visits.phase != .stopped { services.append(.visits) }
    for id in regions.keys.sorted() where regions[id]?.phase != .stopped { services.append(.region(id)) }
    return services
  }

  /// Whether the user must decide: a service waits for permission, or the app requested it.
  var needsAnswer: Bool {
    guard authorization == .notDetermined else { return false }
    return isAskingForAuthorization || wantedServices.contains { phase(of: $0) == .awaitingAuthorization }
  }

  /// Whether a change of the permission matters: a service may have to stop, or a refusal may be withdrawn.
  var followsAuthorization: Bool {
    authorization.isRefusal || (authorization.allowsUse && !wantedServices.isEmpty)
  }

  /// The phase of a service.
  public func phase(of service: LocationService) -> ServicePhase {
    switch service {
    case .authorization: isAskingForAuthorization ? .running : .stopped
    case .position: position.phase
    case .request: request.phase
    case .significantChange: significantChange.phase
    case .heading: heading.phase
    case .visits: visits.phase
    case .region(let id): regions[id]?.phase ?? .stopped
    }
  }

  mutating func setPhase(_ phase: ServicePhase, of service: LocationService) {
    switch service {
    case .authorization: isAskingForAuthorization = phase != .stopped
    case .position: position.phase = phase
    case .request: request.phase = phase
    case .significantChange: significantChange.phase = phase
    case .heading: heading.phase = phase
    case .visits: visits.phase = phase
    case .region(let id): regions[id]?.phase = phase
    }
  }

  /// The first phase of a service; `nil` if permission is refused by the user or by a restriction of the device.
  var firstPhase: ServicePhase? {
    switch authorization {
    case .notDetermined: .awaitingAuthorization
    case .whenInUse, .always: .running
    case .denied, .restricted: nil
    }
  }
}
