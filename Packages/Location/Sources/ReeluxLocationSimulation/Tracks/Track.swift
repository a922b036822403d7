public import ReeluxLocation

/// A sequence of points for a simulated device. The points are generated or read whenever the track is opened.
///
/// The track of a file keeps no points in memory.
///
/// ```swift
/// let track = try Track.file("walk.gpx")
/// let circle = Track.circle(around: berlin, radius: 500)
/// ```
public struct Track: Sendable {
  /// The content of a track's source.
  public struct Contents: Hashable, Sendable {
    /// The tracks, routes and waypoints of the source, including those that are not used.
    public let groups: [TrackGroup]
    /// A description of the used groups: `track 2 'Morning run'`, `2 tracks`, `the waypoints`.
    public let followed: String
    /// The number of used points.
    public let points: Int
    /// The number of used points with a time.
    public let timedPoints: Int
    /// The number of segments or routes of the used points.
    public let parts: Int
    /// The content that was skipped or repaired.
    public let skipped: SkippedContent
    /// Whether the points have times of day but no date. Their first day is then the start of 1970.
    package internal(set) var lacksDate = false

    init(following role: TrackPoint.Role, _ number: Int?, of groups: [TrackGroup], skipped: SkippedContent) {
      let followed = groups.lazy.filter { $0.role == role && (number == nil || $0.number == number) && $0.points > 0 }
      self.groups = groups
      let count = followed.count
      self.followed = count > 1 ? "\(count) \(role.rawValue)s" : followed.first?.description ?? "nothing"
      points = followed.reduce(0) { $0 + $1.points }
      timedPoints = followed.reduce(0) { $0 + $1.timedPoints }
      parts = followed.reduce(0) { $0 + $1.parts }
      self.skipped = skipped
    }
  }

  /// The points of an open track.
  public struct Points {
    private var step: () throws(ReadingError) -> TrackPoint?

    init(_ step: @escaping () throws(ReadingError) -> TrackPoint?) {
      self.step = step
    }

    /// The next point; `nil` at the end.
    ///
    /// - Throws: A ``ReadingError`` if the source is malformed or has changed.
    public mutating func next() throws(ReadingError) -> TrackPoint? {
      try step()
    }
  }

  /// The name of the track in errors and reports.
  public let name: String
  /// The content; `nil` for a track that is generated or in memory.
  public let contents: Contents?

  /// The parts of each point that are read.
  enum Detail {
    /// Everything.
    case all
    /// Only the parts of a fix, without names and extensions.
    case fix
  }

  /// The groups of its points that may have names; empty for a track that is generated.
  var groups: [TrackGroup]

  private let opening: @Sendable (Detail) throws(ReadingError) -> Points

  init(
    name: String, contents: Contents? = nil,
    opening: @escaping @Sendable (Detail) throws(ReadingError) -> Points
  ) {
    self.name = name
    self.contents = contents
    groups = contents?.groups ?? []
    self.opening = opening
  }

  /// Opens the track at its first point.
  ///
  /// - Throws: A ``ReadingError`` if the source can no longer be opened.
  public func open() throws(ReadingError) -> Points {
    try opening(.all)
  }

  /// Opens the track at its first point.
  func open(_ detail: Detail) throws(ReadingError) -> Points {
    try opening(detail)
  }

  /// A track of points in memory.
  public static func points(_ points: [TrackPoint], name: String = "points") -> Track {
    .indexed(name: name, count: points.count) { points[$0] }
  }

  /// A track of places in memory, without times.
  public static func coordinates(_ coordinates: [Coordinate], name: String = "coordinates") -> Track {
    .indexed(name: name, count: coordinates.count) { TrackPoint(coordinate: coordinates[$0]) }
  }

  /// A track whose points are created one by one.
  static func indexed(name: String, count: Int, point: @escaping @Sendable (Int) -> TrackPoint) -> Track {
    Track(name: name) { (_) throws(ReadingError) -> Points in
      var index = 0
      return Points { () throws(ReadingError) -> TrackPoint? in
        guard index < count else { return nil }
        defer { index += 1 }
        return point(index)
      }
    }
  }
}
