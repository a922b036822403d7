import ReeluxLocation

extension Track {
  /// Which points of a GPX document are followed.
  public enum Selection: Hashable, Sendable {
    /// Those of its tracks; without any, those of its routes; without any, its waypoints.
    case automatic
    /// Those of one role.
    case only(TrackPoint.Role)
  }

  /// Reads a GPX or NMEA file through once, so that its errors are known before anything follows it.
  ///
  /// The content tells which it is: GPX begins with `<`, NMEA 0183 has `$` sentences. It costs the time to read the
  /// file, a few seconds for a million points, and no memory for the points.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - selection: Which points of a GPX document are followed.
  ///   - progress: Is called every 10,000 points.
  /// - Throws: A ``ReadingError`` with line and reason.
  public static func file(
    _ path: String, following selection: Selection = .automatic, progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    try reading(.file(path), following: selection, progress: progress)
  }

  /// Reads a GPX document or an NMEA log through once; see ``file(_:following:progress:)``.
  public static func reading(
    _ source: ByteSource, following selection: Selection = .automatic,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    if try beginsLikeNMEA(source) {
      return try nmea(source, progress: progress)
    }
    return try gpx(source, following: selection, progress: progress)
  }

  /// Reads a GPX document through once; see ``file(_:following:progress:)``.
  public static func gpx(
    _ source: ByteSource, following selection: Selection = .automatic,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    var found: [TrackPoint.Role: Contents] = [:]
    var lastPart: [TrackPoint.Role: Int] = [:]
    var reader = try GPXReader(source)
    while let point = try reader.next() {
      var contents = found[point.role] ?? Contents()
      contents.points += 1
      contents.timedPoints += point.timestamp == nil ? 0 : 1
      if lastPart.updateValue(point.part, forKey: point.role) != point.part { contents.parts += 1 }
      found[point.role] = contents
      if reader.progress.points.isMultiple(of: 10_000) { progress(reader.progress) }
    }
    progress(reader.progress)
    let role: TrackPoint.Role =
      switch selection {
      case .only(let role): role
      case .automatic: [.track, .route, .waypoint].first { found[$0] != nil } ?? .track
      }
    var contents = found[role] ?? Contents()
    contents.roles = found.mapValues(\.points)
    return Track(name: source.name, contents: contents) { () throws(ReadingError) -> Points in
      var reader = try GPXReader(source)
      return Points { () throws(ReadingError) -> TrackPoint? in
        while let point = try reader.next() {
          if point.role == role { return point }
        }
        return nil
      }
    }
  }

  /// Reads an NMEA 0183 log through once; see ``file(_:following:progress:)``.
  public static func nmea(
    _ source: ByteSource, progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    var contents = Contents()
    var reader = try NMEAReader(source)
    while let point = try reader.next() {
      contents.points += 1
      contents.timedPoints += point.timestamp == nil ? 0 : 1
      if reader.progress.points.isMultiple(of: 10_000) { progress(reader.progress) }
    }
    progress(reader.progress)
    contents.parts = contents.points > 0 ? 1 : 0
    contents.roles = contents.points > 0 ? [.track: contents.points] : [:]
    contents.skipped = reader.skipped
    let day = reader.firstDate ?? .epoch
    return Track(name: source.name, contents: contents) { () throws(ReadingError) -> Points in
      var reader = try NMEAReader(source, day: day)
      return Points { () throws(ReadingError) -> TrackPoint? in try reader.next() }
    }
  }

  /// Looks at the first 4096 bytes: markup comes first in GPX, a `$` or `!` at the start of a line only in NMEA.
  private static func beginsLikeNMEA(_ source: ByteSource) throws(ReadingError) -> Bool {
    var reader = try ByteReader(source)
    var sawText = false
    var previous: UInt8 = 0x0A
    for _ in 0..<4096 {
      guard let byte = try reader.next() else { break }
      if byte == UInt8(ascii: "<") && !sawText { return false }
      let isMark = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
      if isMark && (previous == 0x0A || previous == 0x0D || !sawText) { return true }
      // White space and a byte order mark may come before anything.
      if byte > 0x20 && ![0xEF, 0xBB, 0xBF].contains(byte) { sawText = true }
      previous = byte
    }
    if sawText && reader.offset > 0 && !source.name.lowercased().hasSuffix(".gpx") {
      let reason = "this is neither GPX, which begins with '<', nor NMEA 0183, whose lines begin with '$'"
      throw reader.malformed(reason, line: 1)
    }
    return false
  }
}
