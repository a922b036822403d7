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
  /// Metres along the fixes, geodesic.
  public private(set) var distance = 0.0
  /// Metres climbed.
  public private(set) var ascent = 0.0
  /// Metres descended.
  public private(set) var descent = 0.0
  /// Seconds between the first and the last fix of each part.
  public private(set) var duration = 0.0
  /// Seconds in which the speed was at least that of motion.
  public private(set) var movingTime = 0.0
  /// Metres per second at the fastest step; 0 without times.
  public private(set) var maximumSpeed = 0.0

  /// The smallest change of altitude, in metres, that counts. It filters noise.
  public let minimumClimb: Double
  /// The smallest speed, in metres per second, that counts as motion.
  public let minimumSpeed: Double

  private var last: LocationFix?
  private var altitude: Double?

  /// Creates an empty summary.
  ///
  /// - Parameters:
  ///   - minimumClimb: The smallest change of altitude, in metres, that counts; the default of 3 suits barometers, and
  ///     10 suits satellites.
  ///   - minimumSpeed: The smallest speed, in metres per second, that counts as motion; the
  ///     default is a slow walk.
  public init(minimumClimb: Double = 3, minimumSpeed: Double = 0.5) {
    self.minimumClimb = minimumClimb > 0 ? minimumClimb : 0
    self.minimumSpeed = minimumSpeed
  }

  /// Metres per second in motion; 0 without motion.
  public var movingSpeed: Double { movingTime > 0 ? distance / movingTime : 0 }

  /// Leaves out the way to the next fix, which is not known.
  public mutating func interrupt() {
    last = nil
    altitude = nil
  }

  /// Adds the next fix.
  public mutating func add(_ fix: LocationFix) {
    fixes += 1
    defer { last = fix }
    climb(to: fix.altitude)
    guard let last else { return }
    let metres = last.coordinate.distance(to: fix.coordinate)
    distance += metres
    let seconds = last.timestamp.seconds(to: fix.timestamp)
    guard seconds > 0, seconds.isFinite else { return }
    duration += seconds
    if metres / seconds >= minimumSpeed { movingTime += seconds }
    maximumSpeed = max(maximumSpeed, metres / seconds)
  }

  private mutating func climb(to next: Double?) {
    guard let next else { return }
    guard let altitude else { return self.altitude = next }
    guard abs(next - altitude) >= minimumClimb else { return }
    if next > altitude { ascent += next - altitude } else { descent += altitude - next }
    self.altitude = next
  }
}
