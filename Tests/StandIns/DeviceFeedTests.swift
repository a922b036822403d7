// Scripts/test-apple runs these tests with the stand-in for Core Location, on systems without Core Location.
import CoreLocation
import ReeluxLocation
import Testing

/// The feed of the device, with managers that the tests drive.
@MainActor @Suite(.serialized, .timeLimit(.minutes(15))) struct DeviceFeedTests {
  /// Returns the manager that gets this call while `body` runs or later.
  private func manager(called call: String, _ body: () -> Void) async -> CLLocationManager {
    var called = CLLocationManager()
    await withCheckedContinuation { continuation in
      CLLocationManager.noteCall = { manager, name in
        guard name == call else { return }
        CLLocationManager.noteCall = { _, _ in }
        called = manager
        continuation.resume()
      }
      body()
    }
    return called
  }

  /// Reads a service until it fails or is cancelled.
  private func read<Element: Sendable>(
    _ responses: LocationFeed.Responses<Element>, _ seen: @escaping @MainActor (Element) -> Void = { _ in }
  ) -> Task<LocationError?, Never> {
    Task {
      do {
        for try await element in responses { seen(element) }
        return nil
      } catch { return error as? LocationError }
    }
  }

  private func fix(latitude: Double) -> CLLocation {
    let location = CLLocation()
    location.coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: 13)
    location.horizontalAccuracy = 5
    return location
  }

  @Test func thePositionServiceStartsItsManagerAndStopsAtADenial() async throws {
    var reading: Task<LocationError?, Never>?
    var updates: [PositionUpdate] = []
    let started = await manager(called: "startUpdatingLocation()") {
      let options = PositionOptions(minimumDistance: 10)
      reading = read(LocationFeed.device().positions(options)) { updates.append($0) }
    }
    #expect(started.distanceFilter == 10)
    let unusable = CLLocation()
    started.delegate?.locationManager(started, didUpdateLocations: [unusable, fix(latitude: 52)])
    started.delegate?.locationManager(started, didUpdateLocations: [unusable])
    started.delegate?.locationManager(started, didFailWithError: CLError(.locationUnknown))
    started.delegate?.locationManagerDidPauseLocationUpdates(started)
    started.delegate?.locationManager(started, didFailWithError: CLError(.denied))
    #expect(await reading?.value?.reason == .denied)
    let coordinate = try #require(Coordinate(latitude: 52, longitude: 13))
    let fix = LocationFix(coordinate: coordinate, timestamp: Timestamp(secondsSince1970: 0), horizontalAccuracy: 5)
    #expect(updates == [.fixes([fix]), .interrupted])
  }

  @Test func aCancelledServiceStopsItsManagerAndNoEventArrivesAfterwards() async {
    var reading: Task<LocationError?, Never>?
    var count = 0
    let started = await manager(called: "startUpdatingLocation()") {
      reading = read(LocationFeed.device().positions(PositionOptions())) { _ in count += 1 }
    }
    let delegate = started.delegate
    let stopped = await manager(called: "stopUpdatingLocation()") { reading?.cancel() }
    #expect(stopped === started)
    _ = await reading?.value
    delegate?.locationManager(started, didUpdateLocations: [fix(latitude: 52)])
    #expect(started.delegate == nil && count == 0)
  }

  @Test func theHeadingIsTheTrueOneIfItIsKnown() async {
    var reading: Task<LocationError?, Never>?
    var degrees: [Double] = []
    let started = await manager(called: "startUpdatingHeading()") {
      let headings = LocationFeed.device().headings(HeadingOptions(minimumTurn: 3))
      reading = read(headings) { degrees.append($0.degrees) }
    }
    #expect(started.headingFilter == 3)
    let heading = CLHeading()
    heading.magneticHeading = 80
    // An invalid heading.
    started.delegate?.locationManager(started, didUpdateHeading: heading)
    (heading.magneticHeading, heading.headingAccuracy) = (90, 5)
    started.delegate?.locationManager(started, didUpdateHeading: heading)
    heading.trueHeading = 92
    started.delegate?.locationManager(started, didUpdateHeading: heading)
    started.delegate?.locationManager(started, didFailWithError: CLError(.denied))
    _ = await reading?.value
    #expect(degrees == [90, 92])
  }

  @Test func aRegionReportsItsOwnEventsAndFailuresOnly() async throws {
    let coordinate = try #require(Coordinate(latitude: 52, longitude: 13))
    let circle = LocationRegion(id: "cinema", center: coordinate, radius: 100)
    var reading: Task<LocationError?, Never>?
    var updates: [RegionUpdate] = []
    let started = await manager(called: "requestState(for:)") {
      reading = read(LocationFeed.device().regionUpdates(circle)) { updates.append($0) }
    }
    let center = CLLocationCoordinate2D(latitude: 0, longitude: 0)
    let own = CLCircularRegion(center: center, radius: 1, identifier: "cinema")
    let other = CLCircularRegion(center: center, radius: 1, identifier: "home")
    let delegate = started.delegate
    delegate?.locationManager(started, didDetermineState: .outside, for: own)
    delegate?.locationManager(started, didDetermineState: .inside, for: other)
    delegate?.locationManager(started, didDetermineState: .unknown, for: own)
    delegate?.locationManager(started, didEnterRegion: other)
    delegate?.locationManager(started, monitoringDidFailFor: other, withError: CLError(.network))
    for code in [CLError.Code.regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed] {
      delegate?.locationManager(started, monitoringDidFailFor: own, withError: CLError(code))
      delegate?.locationManager(started, didFailWithError: CLError(code))
    }
    delegate?.locationManager(started, didEnterRegion: own)
    delegate?.locationManager(started, didExitRegion: own)
    delegate?.locationManager(started, monitoringDidFailFor: own, withError: CLError(.network))
    let error = await reading?.value
    #expect(error?.service == .region("cinema"))
    #expect(updates == [.determined(.outside), .entered, .left])
  }

  @Test func aRegionThatReplacesAnotherWithItsIDStaysWatched() async throws {
    let center = try #require(Coordinate(latitude: 52, longitude: 13))
    var readings: [Task<LocationError?, Never>] = []
    var managers: [CLLocationManager] = []
    for radius in [100.0, 200] {
      let circle = LocationRegion(id: "museum", center: center, radius: radius)
      managers.append(
        await manager(called: "requestState(for:)") {
          readings.append(read(LocationFeed.device().regionUpdates(circle)))
        })
    }
    var stops = 0
    await withCheckedContinuation { continuation in
      CLLocationManager.noteCall = { manager, name in
        if name == "stopMonitoring(for:)" { stops += 1 }
        if name == "delegate" { continuation.resume() }
      }
      readings[0].cancel()
    }
    #expect(managers[0].delegate == nil && stops == 0)
    let stopped = await manager(called: "stopMonitoring(for:)") { readings[1].cancel() }
    #expect(stopped === managers[1])
  }

  @Test func aVisitHasNoArrivalAndNoDepartureWhileTheyAreUnknown() async {
    var reading: Task<LocationError?, Never>?
    var arrivals: [Timestamp?] = []
    var departures: [Timestamp?] = []
    let started = await manager(called: "startMonitoringVisits()") {
      reading = read(LocationFeed.device().visits()) {
        arrivals.append($0.arrival)
        departures.append($0.departure)
      }
    }
    let visit = CLVisit()
    started.delegate?.locationManager(started, didVisit: visit)
    visit.arrivalDate = Date(timeIntervalSince1970: 30)
    visit.departureDate = Date(timeIntervalSince1970: 60)
    started.delegate?.locationManager(started, didVisit: visit)
    started.delegate?.locationManager(started, didFailWithError: CLError(.denied))
    _ = await reading?.value
    #expect(arrivals == [nil, Timestamp(secondsSince1970: 30)])
    #expect(departures == [nil, Timestamp(secondsSince1970: 60)])
  }

  @Test(arguments: [false, true]) func theRequestForPermissionReportsTheAnswer(always: Bool) async {
    let call = always ? "requestAlwaysAuthorization()" : "requestWhenInUseAuthorization()"
    var answers: [LocationAuthorization] = []
    var reading: Task<Void, Never>?
    let asked = await manager(called: call) {
      reading = Task {
        for await answer in LocationFeed.device(always: always).authorization() {
          answers.append(answer)
          if answer != .notDetermined { break }
        }
      }
    }
    asked.delegate?.locationManagerDidChangeAuthorization(asked)
    asked.authorizationStatus = always ? .authorizedAlways : .authorizedWhenInUse
    asked.delegate?.locationManagerDidChangeAuthorization(asked)
    await reading?.value
    #expect(answers == [.notDetermined, always ? .always : .whenInUse])
  }
}
