import ReeluxLocation

/// Recorded actions with the times at which they are given again.
struct Recording: Sendable {
  private let entries: [(seconds: Double, action: LocationAction)]

  init(_ actions: [LocationAction]) {
    var origin: Timestamp?
    var seconds = 0.0
    entries = actions.map { action in
      if let timestamp = Recording.timestamp(of: action) {
        let begin = origin ?? timestamp
        origin = begin
        seconds = max(seconds, begin.seconds(to: timestamp))
      }
      return (seconds, action)
    }
  }

  /// What the user answered.
  var authorizations: AsyncStream<LocationAuthorization> {
    let recorded = entries.compactMap { entry -> LocationAuthorization? in
      if case .authorizationChanged(let authorization) = entry.action { authorization } else { nil }
    }
    return AsyncStream { continuation in
      for authorization in recorded.isEmpty ? [.whenInUse] : recorded { continuation.yield(authorization) }
      continuation.finish()
    }
  }

  /// The answers of one service: those that `answer` picks out, until the service ended or failed.
  func answers<Element: Sendable>(
    of service: LocationService, _ time: SimulatedTime, _ answer: @escaping @Sendable (LocationAction) -> Element?
  ) -> LocationFeed.Answers<Element> {
    let entries = self.entries
    return PacedAnswers(time: time) { present in
      var index = entries.firstIndex { $0.seconds >= present } ?? entries.count
      return {
        while index < entries.count {
          let (seconds, action) = entries[index]
          let place = SimulationGate.Place(seconds: seconds, rank: index)
          defer { index += 1 }
          if let element = answer(action) { return (place, .success(element)) }
          if action == .ended(service) { return (place, .success(nil)) }
          if case .failed(let error) = action, error.service == service { return (place, .failure(error)) }
        }
        // The recording stops before the service did.
        var place = service.place(at: entries.last?.seconds ?? 0)
        place.rank += entries.count
        return (place, .success(nil))
      }
    }
  }

  private static func timestamp(of action: LocationAction) -> Timestamp? {
    switch action {
    case .moved(let fixes): fixes.last?.timestamp
    case .positionAnswered(let fix), .significantlyMoved(let fix): fix.timestamp
    case .headingChanged(let heading): heading.timestamp
    default: nil
    }
  }
}
