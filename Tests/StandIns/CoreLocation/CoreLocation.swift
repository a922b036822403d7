// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in for Core Location, with the declarations that the device's feed uses and without behaviour.
//
// Where Core Location does not exist, Scripts/check-apple type-checks the device's feed with this module. The signatures
// are those of Apple's documentation for iOS 18. Other declarations are left out.
@_exported public import Foundation

public typealias CLLocationDegrees = Double
public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationSpeed = Double
public typealias CLLocationDirection = Double

public let kCLDistanceFilterNone: CLLocationDistance = -1
public let kCLHeadingFilterNone: CLLocationDegrees = -1
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1

public struct CLLocationCoordinate2D {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

open class CLLocation: NSObject {
  open var coordinate: CLLocationCoordinate2D { fatalError() }
  open var altitude: CLLocationDistance { fatalError() }
  open var horizontalAccuracy: CLLocationAccuracy { fatalError() }
  open var verticalAccuracy: CLLocationAccuracy { fatalError() }
  open var course: CLLocationDirection { fatalError() }
  open var speed: CLLocationSpeed { fatalError() }
  open var timestamp: Date { fatalError() }
}

open class CLHeading: NSObject {
  open var magneticHeading: CLLocationDirection { fatalError() }
  open var trueHeading: CLLocationDirection { fatalError() }
  open var headingAccuracy: CLLocationDirection { fatalError() }
  open var timestamp: Date { fatalError() }
}

open class CLVisit: NSObject {
  open var arrivalDate: Date { fatalError() }
  open var departureDate: Date { fatalError() }
  open var coordinate: CLLocationCoordinate2D { fatalError() }
  open var horizontalAccuracy: CLLocationAccuracy { fatalError() }
}

open class CLRegion: NSObject {
  open var identifier: String { fatalError() }
}

open class CLCircularRegion: CLRegion {
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) { fatalError() }
}

public enum CLRegionState: Int, Sendable {
  case unknown, inside, outside
}

public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

public struct CLError: Error {
  public enum Code: Int, Sendable {
    case locationUnknown, denied, network, headingFailure
  }

  public var code: Code { fatalError() }
}

open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)?
  open var authorizationStatus: CLAuthorizationStatus { fatalError() }
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  open var headingFilter: CLLocationDegrees = 1

  open func requestWhenInUseAuthorization() {}
  open func requestAlwaysAuthorization() {}
  open func startUpdatingLocation() {}
  open func stopUpdatingLocation() {}
  open func startUpdatingHeading() {}
  open func stopUpdatingHeading() {}
  open func startMonitoringSignificantLocationChanges() {}
  open func stopMonitoringSignificantLocationChanges() {}
  open func startMonitoringVisits() {}
  open func stopMonitoringVisits() {}
  open func startMonitoring(for region: CLRegion) {}
  open func stopMonitoring(for region: CLRegion) {}
  open func requestState(for region: CLRegion) {}
}

/// In the SDK, all functions are optional.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
}
