/// What a way amounts to: length, climbing, and the time in motion.
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

  /// Metres by which the altitude must change before it counts, so that its noise does not.
  public let minimumClimb: Double
  /// Metres per second from which on it is motion.
  public let minimumSpeed: Double

  private var last: LocationFix?
  private var altitude: Double?

  /// Creates the summary of no way.
  ///
  /// - Parameters:
  ///   - minimumClimb: Metres by which the altitude must change before it counts; the default of 3 suits barometers, and
  ///     10 suits satellites.
  ///   - minimumSpeed: Metres per second from which on it is motion; the default is a slow walk.
  public init(minimumClimb: Double = 3, minimumSpeed: Double = 0.5) {
    self.minimumClimb = minimumClimb > 0 ? minimumClimb : 0
    self.minimumSpeed = minimumSpeed
  }

  /// Metres per second in motion; 0 where nothing moved.
  public var movingSpeed: Double { movingTime > 0 ? distance / movingTime : 0 }

  /// The way to the next fix is not known; it does not count.
  public mutating func interrupt() {
    last = nil
    altitude = nil
  }

  /// Takes the next fix in.
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
