import ReeluxLocation

extension Track {
  /// The points of a GPX document to follow.
  public enum Selection: Hashable, Sendable {
    /// Those of its tracks; without any, those of its routes; without any, its waypoints.
    case automatic
    /// Those of one role.
    case only(TrackPoint.Role)
    /// Those of one track, counted from 0.
    case track(Int)
    /// Those of one route, counted from 0.
    case route(Int)
    /// Those of the first track or route of this name.
    case named(String)
  }

  /// Reads a GPX or NMEA file once to its end, so errors are found before a simulation begins.
  ///
  /// The content decides about the format: GPX is XML, NMEA 0183 has `$` sentences. Costs the time to read
  /// the file, a second or two for a million points. The points take no memory.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - selection: Which points of a GPX document are followed. ``Contents/followed`` says which these are.
  ///   - mode: Whether damaged values are skipped or refused. ``Contents/skipped`` says what was skipped.
  ///   - progress: Is called every 10,000 points.
  /// - Throws: A ``ReadingError`` with line and reason.
  public static func file(
    _ path: String, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    try reading(.file(path), following: selection, mode: mode, progress: progress)
  }

  /// Reads a GPX document or an NMEA log through once; see ``file(_:following:mode:progress:)``.
  public static func reading(
    _ source: ByteSource, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    if try isNMEA(source) {
      return try nmea(source, mode: mode, progress: progress)
    }
    return try gpx(source, following: selection, mode: mode, progress: progress)
  }

  /// Reads a GPX document through once; see ``file(_:following:mode:progress:)``.
  public static func gpx(
    _ source: ByteSource, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    var reader = try GPXReader(source, mode: mode, keepsDetails: false)
    while try reader.next() != nil {
      if reader.progress.points.isMultiple(of: 10_000) { progress(reader.progress) }
    }
    progress(reader.progress)
    let (role, number) = try choose(selection, among: reader.groups, name: source.name)
    let contents = Contents(following: role, number, of: reader.groups, skipped: reader.skipped)
    return Track(name: source.name, contents: contents) { (detail) throws(ReadingError) -> Points in
      var reader = try GPXReader(source, mode: mode, keepsDetails: detail == .all)
      return Points { () throws(ReadingError) -> TrackPoint? in
        while let point = try reader.next() {
          if point.role == role, number == nil || point.group == number { return point }
        }
        return nil
      }
    }
  }

  /// Reads an NMEA 0183 log through once; see ``file(_:following:mode:progress:)``.
  public static func nmea(
    _ source: ByteSource, mode: ReadingMode = .lenient, progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    var group = TrackGroup(role: .track, number: 0)
    var reader = try NMEAReader(source, mode: mode)
    let day = reader.day
    while let point = try reader.next() {
      group.points += 1
      group.timedPoints += point.timestamp == nil ? 0 : 1
      if reader.progress.points.isMultiple(of: 10_000) { progress(reader.progress) }
    }
    progress(reader.progress)
    group.parts = group.points > 0 ? 1 : 0
    let contents = Contents(
      following: .track, nil, of: group.points > 0 ? [group] : [], skipped: reader.skipped)
    return Track(name: source.name, contents: contents) { (_) throws(ReadingError) -> Points in
      var reader = try NMEAReader(source, mode: mode, day: day)
      return Points { () throws(ReadingError) -> TrackPoint? in try reader.next() }
    }
  }

  /// The role and number of the selected part of a document.
  private static func choose(
    _ selection: Selection, among groups: [TrackGroup], name: String
  ) throws(ReadingError) -> (TrackPoint.Role, Int?) {
    let found: TrackGroup?
    let wanted: String
    switch selection {
    case .automatic:
      return (
        [.track, .route, .waypoint].first { role in groups.contains { $0.role == role && $0.points > 0 } }
          ?? .track, nil
      )
    case .only(let role): return (role, nil)
    case .track(let number):
      (found, wanted) = (groups.first { $0.role == .track && $0.number == number }, "track \(number + 1)")
    case .route(let number):
      (found, wanted) = (groups.first { $0.role == .route && $0.number == number }, "route \(number + 1)")
    case .named(let name):
      (found, wanted) = (groups.first { $0.role != .waypoint && $0.name == name }, "track or route '\(name)'")
    }
    guard let found else {
      let there = groups.prefix(10).map(\.description).joined(separator: ", ")
      throw ReadingError(
        kind: .malformed, input: name, line: 1,
        reason: "there is no \(wanted); the file has \(there.isEmpty ? "no points" : there)")
    }
    return (found.role, found.number)
  }

  /// Looks at the begin of the input for what only a GPX document or only a log has.
  private static func isNMEA(_ source: ByteSource) throws(ReadingError) -> Bool {
    let input = try InputWindow(source)
    let bytes = input.bytes.prefix(65_536)
    guard let first = bytes.first(where: { !isSpace($0) }) else { return false }
    if first == UInt8(ascii: "<") { return false }
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "<"),
        bytes[index...].starts(with: "<gpx".utf8) || bytes[index...].starts(with: "<?xml".utf8)
      {
        return false
      }
      if bytes[index] == UInt8(ascii: "$") || bytes[index] == UInt8(ascii: "!"),
        bytes[(index + 1)...].prefix(3).count == 3,
        bytes[(index + 1)...].prefix(3).allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
      {
        return true
      }
    }
    if !source.name.lowercased().hasSuffix(".gpx") {
      let reason = "this is neither GPX, which begins with '<', nor NMEA 0183, whose sentences begin with '$'"
      throw ReadingError(kind: .malformed, input: source.name, line: 1, reason: reason)
    }
    return false
  }
}
