import ReeluxCore
public import ReeluxLocation

extension LocationFeed {
  /// A device that follows a track: each point gives one fix, at its time.
  ///
  /// The services share one simulated time. It begins 0.1 ms after the first service was opened. A service that is
  /// opened later begins at the current simulated time. Answers of the same time come in this order: position,
  /// request, significant change, heading, visits, regions. The same track, options and clock give a store the same
  /// answers in the same order.
  ///
  /// - Parameters:
  ///   - track: The track. A file is read during the walk, so its length costs no memory.
  ///   - speed: The speed of the simulated time. With `.max`, every service gets the whole track.
  ///   - clock: The clock on which the feed sleeps.
  ///   - options: Noise, dropouts, permission and other settings.
  ///   - control: Pauses, resumes and moves the simulation, and changes the permission.
  public static func simulated(
    _ track: Track, speed: SimulationSpeed = 1, clock: some Clock<Duration> = ContinuousClock(),
    options: SimulationOptions = SimulationOptions(), control: SimulationControl? = nil
  ) -> LocationFeed {
    let pacer = Pacer(clock)
    let time = SimulatedTime(speed: speed, pacer: pacer, isControlled: control != nil)
    control?.add(time)
    var feed = LocationFeed(
      authorization: { permission(options.permission, pacer: pacer) },
      positions: { _ in
        walk(track, options, time, .position) {
          { moment in
            guard let fix = moment.fix else { return [.interrupted] }
            return moment.isAfterGap ? [.interrupted, .fixes([fix])] : [.fixes([fix])]
          }
        }
      },
      requests: { _ in
        walk(track, options, time, .request) {
          { moment in moment.fix.map { [$0] } ?? [] }
        }
      },
      significantChanges: {
        walk(track, options, time, .significantChange) {
          var watch = SignificantChangeWatch(distance: options.significantDistance)
          return { moment in moment.fix.flatMap { watch.accepts($0) ? [$0] : nil } ?? [] }
        }
      },
      headings: { _ in
        walk(track, options, time, .heading) {
          { moment in
            guard let fix = moment.fix, let course = fix.course else { return [] }
            return [Heading(degrees: course, timestamp: fix.timestamp)]
          }
        }
      },
      visits: {
        walk(track, options, time, .visits) {
          var watch = VisitWatch(radius: options.visitRadius, duration: options.visitDuration)
          return { moment in moment.fix.flatMap { watch.update($0) }.map { [$0] } ?? [] }
        }
      },
      regionUpdates: { region in
        walk(track, options, time, .region(region.id)) {
          var watch = RegionWatch(region, hysteresis: options.regionHysteresis)
          return { moment in moment.fix.flatMap { watch.update($0) }.map { [$0] } ?? [] }
        }
      })
    feed.reserve = { time.reserve() }
    if let control { feed.authorizationChanges = { control.authorizations } }
    return feed
  }

  /// The answers of one service to a walk.
  ///
  /// - Parameter makeSense: Makes the function that turns each moment into answers.
  private static func walk<Element: Sendable>(
    _ track: Track, _ options: SimulationOptions, _ time: SimulatedTime, _ service: LocationService,
    _ makeSense: @escaping @Sendable () -> (SimulatedWalk.Moment) -> [Element]
  ) -> Answers<Element> {
    PacedAnswers(time: time) { present, isJump in
      var walk = try SimulatedWalk(track: track, options: options)
      var waiting = try walk.skip(to: present)
      var isFirst = isJump
      let sense = makeSense()
      var answers: [Element] = []
      var place = service.place(at: 0)
      return {
        do {
          while answers.isEmpty, var moment = try waiting.isEmpty ? walk.next() : waiting.removeFirst() {
            if isFirst { moment.isAfterGap = true }
            isFirst = false
            answers = sense(moment).reversed()
            place.seconds = moment.seconds
          }
          return (place, .success(answers.popLast()))
        } catch {
          return (place, .failure(error))
        }
      }
    }
  }

  /// The user's only answer.
  private static func permission(
    _ permission: SimulatedPermission, pacer: Pacer
  ) -> AsyncStream<LocationAuthorization> {
    let asked = pacer.elapsed()
    let hasAnswered = Locked(false)
    return AsyncStream(unfolding: {
      guard !hasAnswered.withLock({ answered in (answered, answered = true).0 }) else { return nil }
      do { try await pacer.sleep(asked + SimulatedTime.settling) } catch { return nil }
      switch permission {
      case .granted: return .whenInUse
      case .denied: return .denied
      case .restricted: return .restricted
      case .late(let delay, let granted):
        try? await pacer.sleep(asked + max(.zero, delay))
        return Task.isCancelled ? nil : granted ? .whenInUse : .denied
      }
    })
  }
}
