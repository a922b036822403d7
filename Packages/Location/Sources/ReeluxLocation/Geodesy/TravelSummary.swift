/// The length, ascent, descent and moving time of a track.
///
/// ```swift
/// var summary = TravelSummary()
/// for fix in fixes { summary.add(fix) }
/// print(summary.distance, summary.ascent, summary.movingTime)
/// ```
public struct TravelSummary: Hashable, Codable, Sendable {
  /// The number of fixes.
  public private(set) var fixes = 0
  /// The geodesic length in metres.
  public private(set) var distance = 0.0
  /// The ascent in metres.
  public private(set) var ascent = 0.0
  /// The descent in metres.
  public private(set) var descent = 0.0
  /// The sum of the times in seconds between consecutive fixes of a part. Steps back in time are left out.
  public private(set) var duration = 0.0
  /// The time in seconds in which the speed was at least ``minimumSpeed``.
  public private(set) var movingTime = 0.0
  /// The speed of the fastest step in metres per second; 0 without times.
  public private(set) var maximumSpeed = 0.0

  /// The smallest change of altitude in metres that counts. Smaller ones are noise.
  public let minimumClimb: Double
  /// The smallest speed in metres per second that counts as motion.
  public let minimumSpeed: Double

  /// The path in the moving time.
  private var movingDistance = 0.0
  private var last: LocationFix?
  private var altitude: Double?

  /// Creates an empty summary.
  ///
  /// - Parameters:
  ///   - minimumClimb: The smallest change of altitude in metres that counts. The default of 3 suits altitudes from a
  ///     barometer. For altitudes from satellites, use 10.
  ///   - minimumSpeed: The smallest speed in metres per second that counts as motion. Default: 0.5, a slow walk.
  public init(minimumClimb: Double = 3, minimumSpeed: Double = 0.5) {
    self.minimumClimb = minimumClimb > 0 ? minimumClimb : 0
    self.minimumSpeed = minimumSpeed
  }

  /// The mean speed in ``movingTime``, in metres per second; 0 without motion.
  public var movingSpeed: Double { movingTime > 0 ? movingDistance / movingTime : 0 }

  /// Excludes the path to the next fix, because it is unknown.
  public mutating func interrupt() {
    last = nil
    altitude = nil
  }

  /// Adds the next fix.
  public mutating func add(_ fix: LocationFix) {
    fixes &+= 1
    defer { last = fix }
    climb(to: fix.altitude)
    guard let last else { return }
    let metres = last.coordinate.distance(to: fix.coordinate)
    distance += metres
    let seconds = last.timestamp.seconds(to: fix.timestamp)
    guard seconds > 0, seconds.isFinite else { return }
    duration += seconds
    if metres / seconds >= minimumSpeed {
      movingTime += seconds
      movingDistance += metres
    }
    maximumSpeed = max(maximumSpeed, metres / seconds)
  }

  private mutating func climb(to next: Double?) {
    guard let next, next.isFinite else { return }
    guard let altitude else { return self.altitude = next }
    guard abs(next - altitude) >= minimumClimb else { return }
    if next > altitude { ascent += next - altitude } else { descent += altitude - next }
    self.altitude = next
  }
}
