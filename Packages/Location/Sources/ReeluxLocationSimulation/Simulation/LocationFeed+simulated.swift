import ReeluxCore
public import ReeluxLocation

extension LocationFeed {
  /// A feed of a device that follows a track. Each point gives one fix at its time.
  ///
  /// The services share one simulated time. It starts when the first service opens. The first response follows at least
  /// 0.1 ms later. A service that opens later starts at the current simulated time. Responses at the same time arrive
  /// in this order: position, request, significant change, heading, visits, regions. With the same track, options and
  /// clock, a store receives the same responses in the same order. On the system's clock, this is true for services
  /// that start together, for example with the grant of the permission.
  ///
  /// For this order, each response is compared with the next responses of all open services of the store. So a response
  /// costs time proportional to the number of open services. Each watched region counts as one.
  ///
  /// - Parameters:
  ///   - track: The track. The points of a file are read during the simulation, so the memory does not grow with their
  ///     number.
  ///   - speed: The speed of the simulated time. Default: real time. With `.max`, every service receives the whole
  ///     track.
  ///   - clock: The clock on which the feed sleeps. Default: the system's clock.
  ///   - options: Noise, dropouts, permission and other settings.
  ///   - control: A control to pause, resume and move the simulation, and to change the permission.
  public static func simulated(
    _ track: Track, speed: SimulationSpeed = 1, clock: some Clock<Duration> = ContinuousClock(),
    options: SimulationOptions = SimulationOptions(), control: SimulationControl? = nil
  ) -> LocationFeed {
    let pacer = Pacer(clock)
    let time = SimulatedTime(speed: speed, pacer: pacer, isControlled: control != nil)
    control?.add(time)
    let batchSize = speed == .max ? options.batchSize : 1
    var feed = LocationFeed(
      authorization: { permission(options.permission, control, pacer: pacer) },
      positions: { _ in
        walk(track, options, time, .position) {
          var batch: [LocationFix] = []
          return { moment in
            if let fix = moment?.fix, moment?.isAfterGap == false {
              batch.append(fix)
              if batch.count < batchSize { return [] }
            }
            var responses: [PositionUpdate] = batch.isEmpty ? [] : [.fixes(batch)]
            batch.removeAll()
            guard let moment else { return responses }
            if moment.fix == nil || moment.isAfterGap { responses.append(.interrupted) }
            if let fix = moment.fix, moment.isAfterGap { responses.append(.fixes([fix])) }
            return responses
          }
        }
      },
      requests: { _ in
        walk(track, options, time, .request) {
          { moment in moment?.fix.map { [$0] } ?? [] }
        }
      },
      significantChanges: {
        walk(track, options, time, .significantChange) {
          var watch = SignificantChangeWatch(distance: options.significantDistance)
          return { moment in moment?.fix.flatMap { watch.accepts($0) ? [$0] : nil } ?? [] }
        }
      },
      headings: { _ in
        walk(track, options, time, .heading) {
          { moment in
            guard let fix = moment?.fix, let course = fix.course else { return [] }
            return [Heading(degrees: course, timestamp: fix.timestamp)]
          }
        }
      },
      visits: {
        walk(track, options, time, .visits) {
          var watch = VisitWatch(radius: options.visitRadius, duration: options.visitDuration)
          return { moment in moment?.fix.flatMap { watch.update($0) }.map { [$0] } ?? [] }
        }
      },
      regionUpdates: { region in
        walk(track, options, time, .region(region.id)) {
          var watch = RegionWatch(region, hysteresis: options.regionHysteresis)
          return { moment in moment?.fix.flatMap { watch.update($0) }.map { [$0] } ?? [] }
        }
      })
    feed.reserve = { time.reserve() }
    if let control { feed.authorizationChanges = { control.authorizations } }
    return feed
  }

  /// The responses of one service to a walk.
  ///
  /// - Parameter makeConversion: Creates a function that converts each moment, and the end of the track, to responses.
  private static func walk<Element: Sendable>(
    _ track: Track, _ options: SimulationOptions, _ time: SimulatedTime, _ service: LocationService,
    _ makeConversion: @escaping @Sendable () -> (SimulatedWalk.Moment?) -> [Element]
  ) -> Responses<Element> {
    PacedResponses(time: time) { present, isJump in
      var (walk, waiting): (SimulatedWalk, [SimulatedWalk.Moment])
      do {
        walk = try SimulatedWalk(track: track, options: options)
        waiting = try walk.skip(to: present)
      } catch {
        return { (service.place(at: present), .failure(error)) }
      }
      var isFirst = isJump
      let convert = makeConversion()
      var responses: [Element] = []
      var place = service.place(at: 0)
      var isAtEnd = false
      return {
        do {
          while responses.isEmpty, !isAtEnd {
            guard var moment = try waiting.isEmpty ? walk.next() : waiting.removeFirst() else {
              isAtEnd = true
              responses = convert(nil).reversed()
              break
            }
            if isFirst { moment.isAfterGap = true }
            isFirst = false
            responses = convert(moment).reversed()
            place.seconds = moment.seconds
          }
          return (place, .success(responses.popLast()))
        } catch {
          return (place, .failure(error))
        }
      }
    }
  }

  /// The only decision of the simulated user. The decision of a control has priority.
  private static func permission(
    _ permission: SimulatedPermission, _ control: SimulationControl?, pacer: Pacer
  ) -> AsyncStream<LocationAuthorization> {
    let asked = pacer.elapsed()
    let hasAnswered = Locked(false)
    return AsyncStream(unfolding: {
      guard !hasAnswered.withLock({ answered in (answered, answered = true).0 }) else { return nil }
      do { try await pacer.sleep(asked + SimulatedTime.settling) } catch { return nil }
      if let decision = control?.decision { return decision }
      switch permission {
      case .granted: return .whenInUse
      case .denied: return .denied
      case .restricted: return .restricted
      case .late(let delay, let granted):
        try? await pacer.sleep(asked + max(.zero, delay).sleepable)
        return Task.isCancelled ? nil : control?.decision ?? (granted ? .whenInUse : .denied)
      }
    })
  }
}
