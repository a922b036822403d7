#if canImport(CoreLocation) && (os(iOS) || os(macOS) || os(visionOS))
  import CoreLocation

  /// An event of a location manager, in this package's types.
  enum DeviceEvent: Sendable {
    case authorization(LocationAuthorization)
    case fixes([LocationFix])
    case paused
    case heading(Heading)
    case visit(Visit)
    case region(String, RegionUpdate)
    /// A failure of the service, or of one region. All location managers of an app share its regions.
    case failed(LocationError.Reason, region: String? = nil)
  }

  /// A location manager and its delegate. It runs on the main actor, because the manager calls its delegate on the
  /// thread that created it.
  @MainActor
  final class DeviceSession: NSObject {
    let manager = CLLocationManager()
    private var receive: (@Sendable (DeviceEvent) -> Void)?

    init(receive: @escaping @Sendable (DeviceEvent) -> Void) {
      self.receive = receive
      super.init()
      manager.delegate = self
    }

    /// Stops the service. No event arrives afterwards.
    func end(_ stop: @MainActor (CLLocationManager) -> Void) {
      receive = nil
      stop(manager)
      manager.delegate = nil
    }

    private nonisolated func pass(_ event: DeviceEvent) {
      MainActor.assumeIsolated { receive?(event) }
    }
  }

  extension DeviceSession: CLLocationManagerDelegate {
    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      switch manager.authorizationStatus {
      case .notDetermined: pass(.authorization(.notDetermined))
      case .restricted: pass(.authorization(.restricted))
      case .denied: pass(.authorization(.denied))
      case .authorizedAlways: pass(.authorization(.always))
      default: pass(.authorization(.whenInUse))
      }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
      let fixes = locations.compactMap { LocationFix($0) }
      if !fixes.isEmpty { pass(.fixes(fixes)) }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      switch (error as? CLError)?.code {
      case .locationUnknown, .headingFailure: break  // The manager keeps trying.
      #if os(iOS)
        case .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed: break  // Its events are late.
      #endif
      case .denied: pass(.failed(.denied))
      default: pass(.failed(.failed(error.localizedDescription)))
      }
    }

    #if os(iOS)
      nonisolated func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        pass(.paused)
      }

      nonisolated func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        // A negative accuracy means that the heading is invalid.
        guard newHeading.headingAccuracy >= 0 else { return }
        let degrees = newHeading.trueHeading >= 0 ? newHeading.trueHeading : newHeading.magneticHeading
        let timestamp = Timestamp(secondsSince1970: newHeading.timestamp.timeIntervalSince1970)
        pass(.heading(Heading(degrees: degrees, timestamp: timestamp, accuracy: newHeading.headingAccuracy)))
      }

      nonisolated func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        let place = visit.coordinate
        guard let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude) else { return }
        // Core Location has these dates for an unknown arrival, and for a visit that has not ended.
        let arrival = visit.arrivalDate == .distantPast ? nil : visit.arrivalDate
        let departure = visit.departureDate == .distantFuture ? nil : visit.departureDate
        pass(
          .visit(
            Visit(
              coordinate: coordinate, radius: visit.horizontalAccuracy,
              arrival: arrival.map { Timestamp(secondsSince1970: $0.timeIntervalSince1970) },
              departure: departure.map { Timestamp(secondsSince1970: $0.timeIntervalSince1970) })))
      }

      nonisolated func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
      ) {
        switch state {
        case .inside: pass(.region(region.identifier, .determined(.inside)))
        case .outside: pass(.region(region.identifier, .determined(.outside)))
        default: break
        }
      }

      nonisolated func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        pass(.region(region.identifier, .entered))
      }

      nonisolated func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        pass(.region(region.identifier, .left))
      }

      nonisolated func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
      ) {
        switch (error as? CLError)?.code {
        case .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed: break  // Its events are late.
        default: pass(.failed(.failed(error.localizedDescription), region: region?.identifier))
        }
      }
    #endif
  }

  extension LocationFix {
    /// Converts a fix of Core Location. Returns `nil` for an invalid one.
    init?(_ location: CLLocation) {
      let place = location.coordinate
      guard location.horizontalAccuracy >= 0,
        let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
      else { return nil }
      self.init(
        coordinate: coordinate,
        timestamp: Timestamp(secondsSince1970: location.timestamp.timeIntervalSince1970),
        horizontalAccuracy: location.horizontalAccuracy,
        altitude: location.verticalAccuracy > 0 ? location.altitude : nil,
        verticalAccuracy: location.verticalAccuracy > 0 ? location.verticalAccuracy : nil,
        speed: location.speed >= 0 ? location.speed : nil,
        course: location.course >= 0 ? Heading.normalized(location.course) : nil)
    }
  }
#endif
