public import ReeluxLocation

extension LocationFeed {
  /// A device that says again what was recorded.
  ///
  /// Of the actions, the answers are given again to the services that they came from, in the recorded order; wishes
  /// are passed over. Fixes and headings come at the times that they state, other answers together with the one before
  /// them. Without a recorded answer of the user, it is yes.
  ///
  /// - Parameters:
  ///   - actions: Recorded actions, oldest first.
  ///   - speed: How fast recorded time runs.
  ///   - clock: The clock that is slept on.
  public static func replay(
    _ actions: [LocationAction], speed: SimulationSpeed = .max, clock: some Clock<Duration> = ContinuousClock()
  ) -> LocationFeed {
    let recording = Recording(actions)
    let time = SimulatedTime(speed: speed, pacer: Pacer(clock))
    return LocationFeed(
      authorization: { recording.authorizations },
      positions: { _ in
        recording.answers(of: .position, time) { action in
          switch action {
          case .moved(let fixes): .fixes(fixes)
          case .interrupted: .interrupted
          default: nil
          }
        }
      },
      requests: { _ in
        recording.answers(of: .request, time) { if case .positionAnswered(let fix) = $0 { fix } else { nil } }
      },
      significantChanges: {
        recording.answers(of: .significantChange, time) {
          if case .significantlyMoved(let fix) = $0 { fix } else { nil }
        }
      },
      headings: { _ in
        recording.answers(of: .heading, time) { if case .headingChanged(let heading) = $0 { heading } else { nil } }
      },
      visits: {
        recording.answers(of: .visits, time) { if case .visited(let visit) = $0 { visit } else { nil } }
      },
      regionUpdates: { region in
        recording.answers(of: .region(region.id), time) { action in
          switch action {
          case .regionDetermined(region.id, let presence): .determined(presence)
          case .regionEntered(region.id): .entered
          case .regionLeft(region.id): .left
          default: nil
          }
        }
      })
  }
}
