// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in for Core Location, with the declarations that the device's feed uses.
//
// Where Core Location does not exist, Scripts/test-apple builds this file as a module named CoreLocation. The
// declarations are those of Apple's documentation for iOS 18, except where a comment says otherwise. A manager does
// nothing: a test reads its calls, and calls its delegate.
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

// In the SDK, the properties of these values are read-only.

open class CLLocation: NSObject {
  public var coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 0)
  public var altitude: CLLocationDistance = 0
  public var horizontalAccuracy: CLLocationAccuracy = -1
  public var verticalAccuracy: CLLocationAccuracy = -1
  public var course: CLLocationDirection = -1
  public var speed: CLLocationSpeed = -1
  public var timestamp = Date(timeIntervalSince1970: 0)
}

open class CLHeading: NSObject {
  public var magneticHeading: CLLocationDirection = 0
  public var trueHeading: CLLocationDirection = -1
  public var headingAccuracy: CLLocationDirection = -1
  public var timestamp = Date(timeIntervalSince1970: 0)
}

open class CLVisit: NSObject {
  public var arrivalDate = Date.distantPast
  public var departureDate = Date.distantFuture
  public var coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 0)
  public var horizontalAccuracy: CLLocationAccuracy = 0
}

open class CLRegion: NSObject {
  public let identifier: String

  init(identifier: String) { self.identifier = identifier }
}

open class CLCircularRegion: CLRegion {
  public let center: CLLocationCoordinate2D
  public let radius: CLLocationDistance

  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }
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
    case regionMonitoringDenied, regionMonitoringFailure, regionMonitoringSetupDelayed
    case regionMonitoringResponseDelayed = 7
  }

  public let code: Code

  public init(_ code: Code) { self.code = code }
}

open class CLLocationManager: NSObject {
  /// Not in the SDK: receives each call of a manager. All managers are used on the main actor.
  @MainActor public static var noteCall: @MainActor (CLLocationManager, String) -> Void = { _, _ in }

  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { note() }
  }
  open var authorizationStatus = CLAuthorizationStatus.notDetermined
  open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
  open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
  open var headingFilter: CLLocationDegrees = 1

  open func requestWhenInUseAuthorization() { note() }
  open func requestAlwaysAuthorization() { note() }
  open func startUpdatingLocation() { note() }
  open func stopUpdatingLocation() { note() }
  open func startUpdatingHeading() { note() }
  open func stopUpdatingHeading() { note() }
  open func startMonitoringSignificantLocationChanges() { note() }
  open func stopMonitoringSignificantLocationChanges() { note() }
  open func startMonitoringVisits() { note() }
  open func stopMonitoringVisits() { note() }
  open func startMonitoring(for region: CLRegion) { note() }
  open func stopMonitoring(for region: CLRegion) { note() }
  open func requestState(for region: CLRegion) { note() }

  private func note(_ function: String = #function) {
    nonisolated(unsafe) let manager = self
    MainActor.assumeIsolated { Self.noteCall(manager, function) }
  }
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
