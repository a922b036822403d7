#if canImport(CoreLocation) && (os(iOS) || os(macOS) || os(visionOS))
  import CoreLocation

  extension LocationFeed {
    /// The device's own location, from Core Location.
    ///
    /// The position service works on iOS, macOS and visionOS. Headings, significant changes, visits and
    /// circular regions work on iOS. On other platforms, they fail with ``LocationError/Reason/unavailable``, and a
    /// polygon fails with this error on every platform. Each open service has its own location manager, which is
    /// stopped and released when the service closes. The app's `Info.plist` must state why the app needs the location.
    ///
    /// The first fix of a service can be one that the device has stored. Its timestamp shows how old it is.
    ///
    /// - Parameter always: Whether to request permission also for the time when the app is not in use. Default: false.
    public static func device(always: Bool = false) -> LocationFeed {
      var feed = LocationFeed(
        authorization: { authorization(always: always) },
        positions: { options in
          session(.position) { manager in
            manager.distanceFilter = options.minimumDistance > 0 ? options.minimumDistance : kCLDistanceFilterNone
            manager.desiredAccuracy = options.requiredAccuracy ?? kCLLocationAccuracyBest
            manager.startUpdatingLocation()
          } stop: { manager in
            manager.stopUpdatingLocation()
          } response: { event in
            switch event {
            case .fixes(let fixes): .fixes(fixes)
            case .paused: .interrupted
            default: nil
            }
          }
        })
      feed.authorizationChanges = { authorizationChanges() }
      #if os(iOS)
        addServices(to: &feed)
      #endif
      return feed
    }

    #if os(iOS)
      /// The number of open watches by the region's id. All location managers of an app share its regions.
      @MainActor private static var openWatches: [String: Int] = [:]

      private static func addServices(to feed: inout LocationFeed) {
        feed.significantChanges = {
          session(.significantChange) {
            $0.startMonitoringSignificantLocationChanges()
          } stop: {
            $0.stopMonitoringSignificantLocationChanges()
          } response: { event in
            if case .fixes(let fixes) = event { fixes.last } else { nil }
          }
        }
        feed.headings = { options in
          session(.heading) {
            $0.headingFilter = options.minimumTurn > 0 ? options.minimumTurn : kCLHeadingFilterNone
            $0.startUpdatingHeading()
          } stop: {
            $0.stopUpdatingHeading()
          } response: { event in
            if case .heading(let heading) = event { heading } else { nil }
          }
        }
        feed.visits = {
          session(.visits) {
            $0.startMonitoringVisits()
          } stop: {
            $0.stopMonitoringVisits()
          } response: { event in
            if case .visit(let visit) = event { visit } else { nil }
          }
        }
        feed.regionUpdates = { region in
          guard case .circle(let center, let radius) = region.shape else {
            // Core Location supports only circles.
            return unavailable(.region(region.id))
          }
          // A region of Core Location is not Sendable. The manager identifies it by its identifier.
          let circle = { @Sendable in
            CLCircularRegion(
              center: CLLocationCoordinate2D(latitude: center.latitude, longitude: center.longitude),
              radius: radius, identifier: region.id)
          }
          return session(.region(region.id)) {
            openWatches[region.id, default: 0] += 1
            $0.startMonitoring(for: circle())
            $0.requestState(for: circle())
          } stop: {
            openWatches[region.id, default: 0] -= 1
            // A watch that replaces this one can be open already.
            if openWatches[region.id, default: 0] > 0 { return }
            openWatches[region.id] = nil
            $0.stopMonitoring(for: circle())
          } response: { event in
            if case .region(region.id, let update) = event { update } else { nil }
          }
        }
      }
    #endif

    private static func authorization(always: Bool) -> AsyncStream<LocationAuthorization> {
      AsyncStream { continuation in
        let session = Task { @MainActor in
          let session = DeviceSession { event in
            if case .authorization(let authorization) = event { continuation.yield(authorization) }
          }
          if always {
            session.manager.requestAlwaysAuthorization()
          } else {
            session.manager.requestWhenInUseAuthorization()
          }
          return session
        }
        continuation.onTermination = { _ in
          // The session must live until the request for permission has ended.
          Task { @MainActor in await session.value.end { _ in } }
        }
      }
    }

    /// The changes of the permission. A location manager reports the permission when it is created, and when it
    /// changes.
    private static func authorizationChanges() -> AsyncStream<LocationAuthorization> {
      AsyncStream { continuation in
        let session = Task { @MainActor in
          DeviceSession { event in
            if case .authorization(let authorization) = event { continuation.yield(authorization) }
          }
        }
        continuation.onTermination = { _ in
          Task { @MainActor in await session.value.end { _ in } }
        }
      }
    }

    /// One service with its own location manager, from opening to closing.
    private static func session<Element: Sendable>(
      _ service: LocationService, start: @escaping @MainActor @Sendable (CLLocationManager) -> Void,
      stop: @escaping @MainActor @Sendable (CLLocationManager) -> Void,
      response: @escaping @Sendable (DeviceEvent) -> Element?
    ) -> Responses<Element> {
      AsyncThrowingStream<Element, any Error> { continuation in
        let session = Task { @MainActor in
          let session = DeviceSession { event in
            if case .failed(let reason, let region) = event {
              // The failure of another region does not concern this service.
              if let region, service != .region(region) { return }
              continuation.finish(throwing: LocationError(service: service, reason: reason))
            } else if let element = response(event) {
              continuation.yield(element)
            }
          }
          start(session.manager)
          return session
        }
        continuation.onTermination = { _ in
          Task { @MainActor in await session.value.end(stop) }
        }
      }
    }
  }
#endif
