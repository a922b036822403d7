import ReeluxCore
public import ReeluxLocation

extension LocationFeed {
  /// A feed that replays recorded actions.
  ///
  /// Each recorded response goes to its service, in the recorded order. A service that starts again continues after
  /// its last response. Recorded requests are ignored. Fixes and headings arrive at their recorded times. Other
  /// responses arrive together with the preceding one. A service that starts later than in the recording begins with
  /// the responses that have the time of the latest fix or heading. It leaves out the earlier ones.
  ///
  /// Only the first decision about the permission is replayed. A later refusal is replayed as the errors of the
  /// services that it stopped, and the state keeps the permission. If the recording contains no decision, the feed
  /// grants it.
  ///
  /// - Parameters:
  ///   - actions: Recorded actions, oldest first.
  ///   - speed: The speed of the recorded time. Default: as fast as possible.
  ///   - clock: The clock on which the feed sleeps. Default: the system's clock.
  public static func replay(
    _ actions: [LocationAction], speed: SimulationSpeed = .max, clock: some Clock<Duration> = ContinuousClock()
  ) -> LocationFeed {
    let recording = RecordedResponses(actions)
    let time = SimulatedTime(speed: speed, pacer: Pacer(clock), isReplay: true)
    var feed = LocationFeed(
      authorization: { recording.authorizations },
      positions: { _ in
        recording.responses(of: .position, time) { action in
          switch action {
          case .response(.moved(let fixes)): .fixes(fixes)
          case .response(.interrupted): .interrupted
          default: nil
          }
        }
      },
      requests: { _ in
        recording.responses(of: .request, time) {
          if case .response(.positionReceived(let fix)) = $0 { fix } else { nil }
        }
      },
      significantChanges: {
        recording.responses(of: .significantChange, time) {
          if case .response(.significantlyMoved(let fix)) = $0 { fix } else { nil }
        }
      },
      headings: { _ in
        recording.responses(of: .heading, time) {
          if case .response(.headingChanged(let heading)) = $0 { heading } else { nil }
        }
      },
      visits: {
        recording.responses(of: .visits, time) { if case .response(.visited(let visit)) = $0 { visit } else { nil } }
      },
      regionUpdates: { region in
        recording.responses(of: .region(region.id), time) { action in
          switch action {
          case .response(.regionDetermined(region.id, let presence)): .determined(presence)
          case .response(.regionEntered(region.id)): .entered
          case .response(.regionLeft(region.id)): .left
          default: nil
          }
        }
      })
    feed.reserve = { time.reserve() }
    return feed
  }
}

/// Recorded actions and the times at which they are replayed.
final class RecordedResponses: Sendable {
  private let entries: [(seconds: Double, action: LocationAction)]
  /// The index after the last response of each service.
  private let next = Locked<[LocationService: Int]>([:])

  init(_ actions: [LocationAction]) {
    var origin: Timestamp?
    var seconds = 0.0
    entries = actions.map { action in
      if let timestamp = RecordedResponses.timestamp(of: action) {
        let begin = origin ?? timestamp
        origin = begin
        seconds = max(seconds, begin.seconds(to: timestamp))
      }
      return (seconds, action)
    }
  }

  /// The recorded decisions about permission.
  var authorizations: AsyncStream<LocationAuthorization> {
    let recorded = entries.compactMap { entry -> LocationAuthorization? in
      if case .response(.authorizationChanged(let authorization)) = entry.action { authorization } else { nil }
    }
    return AsyncStream { continuation in
      for authorization in recorded.isEmpty ? [.whenInUse] : recorded { continuation.yield(authorization) }
      continuation.finish()
    }
  }

  /// The responses of one service, up to its end or failure. `convert` selects them.
  func responses<Element: Sendable>(
    of service: LocationService, _ time: SimulatedTime, _ convert: @escaping @Sendable (LocationAction) -> Element?
  ) -> LocationFeed.Responses<Element> {
    PacedResponses(time: time) { [self] place in
      next.withLock { $0[service] = place.rank + 1 }
    } open: { [self] present, _ in
      // The responses without a time that came after the last fix have its time.
      let latest = entries.last { $0.seconds <= present }?.seconds ?? 0
      var index = entries.firstIndex { $0.seconds >= latest } ?? entries.count
      index = max(index, next.withLock { $0[service] ?? 0 })
      return { [self] in
        while index < entries.count {
          let (seconds, action) = entries[index]
          let place = SimulationGate.Place(seconds: seconds, rank: index)
          defer { index += 1 }
          if let element = convert(action) { return (place, .success(element)) }
          if action == .response(.ended(service)) { return (place, .success(nil)) }
          if case .response(.failed(let error)) = action, error.service == service { return (place, .failure(error)) }
        }
        // The recording ends before the service.
        var place = service.place(at: entries.last?.seconds ?? 0)
        place.rank += entries.count
        return (place, .success(nil))
      }
    }
  }

  private static func timestamp(of action: LocationAction) -> Timestamp? {
    switch action {
    case .response(.moved(let fixes)): fixes.last?.timestamp
    case .response(.positionReceived(let fix)), .response(.significantlyMoved(let fix)): fix.timestamp
    case .response(.headingChanged(let heading)): heading.timestamp
    default: nil
    }
  }
}
