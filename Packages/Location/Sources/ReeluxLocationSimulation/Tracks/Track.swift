public import ReeluxLocation

/// A way to be followed: points in order, made or read anew each time that the track is opened.
///
/// A track of a file holds no points, so that a file of any length costs no memory.
///
/// ```swift
/// let track = try Track.file("walk.gpx")
/// let circle = Track.circle(around: berlin, radius: 500)
/// ```
public struct Track: Sendable {
  /// What is known of a track's content.
  public struct Contents: Hashable, Sendable {
    /// The number of points that are followed.
    public var points = 0
    /// The number of points of each role in the source, followed or not.
    public var roles: [TrackPoint.Role: Int] = [:]
    /// The number of segments or routes that the followed points belong to.
    public var parts = 0
    /// How many of the followed points have a time.
    public var timedPoints = 0
    /// What was passed over in an NMEA log.
    public var skipped = NMEAReader.Skipped()

    /// Creates an empty description.
    public init() {}
  }

  /// The points of an opened track, one after the other.
  public struct Points {
    private var step: () throws(ReadingError) -> TrackPoint?

    init(_ step: @escaping () throws(ReadingError) -> TrackPoint?) {
      self.step = step
    }

    /// Goes on to the next point; nothing at the end.
    ///
    /// - Throws: A ``ReadingError`` when the source is malformed or was changed meanwhile.
    public mutating func next() throws(ReadingError) -> TrackPoint? {
      try step()
    }
  }

  /// What errors and reports call the track.
  public let name: String
  /// What the track holds; `nil` for a generated one.
  public let contents: Contents?

  private let opening: @Sendable () throws(ReadingError) -> Points

  init(
    name: String, contents: Contents? = nil, opening: @escaping @Sendable () throws(ReadingError) -> Points
  ) {
    self.name = name
    self.contents = contents
    self.opening = opening
  }

  /// Starts at the first point.
  ///
  /// - Throws: A ``ReadingError`` when the source cannot be opened any more.
  public func open() throws(ReadingError) -> Points {
    try opening()
  }

  /// A track of points in memory.
  public static func points(_ points: [TrackPoint], name: String = "points") -> Track {
    .indexed(name: name, count: points.count) { points[$0] }
  }

  /// A track of places in memory, without times.
  public static func coordinates(_ coordinates: [Coordinate], name: String = "coordinates") -> Track {
    .indexed(name: name, count: coordinates.count) { TrackPoint(coordinate: coordinates[$0]) }
  }

  /// A track whose points are made one by one.
  static func indexed(name: String, count: Int, point: @escaping @Sendable (Int) -> TrackPoint) -> Track {
    Track(name: name) { () throws(ReadingError) -> Points in
      var index = 0
      return Points { () throws(ReadingError) -> TrackPoint? in
        guard index < count else { return nil }
        defer { index += 1 }
        return point(index)
      }
    }
  }
}
