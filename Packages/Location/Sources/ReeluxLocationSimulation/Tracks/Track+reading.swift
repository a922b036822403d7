import ReeluxLocation

extension Track {
  /// The points of a GPX document that a track consists of.
  public enum Selection: Hashable, Sendable {
    /// The points of all tracks. If the document has no tracks, the points of all routes are used. If it has no routes
    /// either, its waypoints are used.
    case automatic
    /// The points of one role.
    case only(TrackPoint.Role)
    /// The points of one track, counted from 0.
    case track(Int)
    /// The points of one route, counted from 0.
    case route(Int)
    /// The points of the first track or route with this name. White space at its ends does not matter. If there is
    /// none, the text can also be `waypoints`, a number such as `track 2` or `route 1`, or a number alone. This is the
    /// number of a track, or of a route if the document has no tracks. These numbers begin at 1, as in
    /// ``TrackGroup/description``.
    case named(String)
  }

  /// Reads a GPX or NMEA file once to its end. Errors are therefore found before a simulation starts.
  ///
  /// The content determines the format: GPX is XML, and NMEA 0183 has `$` sentences. Other bytes can precede a log: a
  /// sentence must begin in its first 64 KB, or one with a right checksum in its first 4 MB. Costs the time to read the
  /// file, a second or two for a million points. The points are not kept in memory. For a long file, they are kept in a
  /// temporary file without a name, so that a simulation does not read the file again. If points have no time, a
  /// simulation reads the points twice.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - selection: The points of a GPX document that are used. ``Contents/followed`` describes them.
  ///   - mode: Whether damaged values are skipped or cause an error. ``Contents/skipped`` lists skipped values,
  ///     except names and extensions, which a simulation does not use.
  ///   - progress: A closure that is called every 10,000 points, and at the end.
  /// - Throws: A ``ReadingError`` with line and reason.
  public static func file(
    _ path: String, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    try reading(.file(path), following: selection, mode: mode, progress: progress)
  }

  /// Reads a GPX document or an NMEA log once; see ``file(_:following:mode:progress:)``.
  public static func reading(
    _ source: ByteSource, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    if try isNMEA(source) {
      return try nmea(source, following: selection, mode: mode, progress: progress)
    }
    return try gpx(source, following: selection, mode: mode, progress: progress)
  }

  /// Reads a GPX document once; see ``file(_:following:mode:progress:)``.
  public static func gpx(
    _ source: ByteSource, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    // A strict reader checks the names and extensions too, which a simulation does not use.
    var reader = try GPXReader(source, mode: mode, keepsDetails: mode == .strict)
    var writer = KeptPoints.Writer()
    while let point = try reader.next() {
      writer.append(point)
      if reader.progress.points.isMultiple(of: 10_000) { progress(reader.progress) }
    }
    progress(reader.progress)
    let (role, number) = try choose(selection, among: reader.groups, name: source.name)
    let contents = Contents(following: role, number, of: reader.groups, skipped: reader.skipped)
    let kept = writer.finish()
    return Track(name: source.name, contents: contents) { (detail) throws(ReadingError) -> Points in
      if detail == .fix, let kept { return kept.points(name: source.name, role, number) }
      var reader = try GPXReader(source, mode: mode, keepsDetails: detail == .all)
      return Points { () throws(ReadingError) -> TrackPoint? in
        while let point = try reader.next() {
          if point.role == role, number == nil || point.group == number { return point }
        }
        return nil
      }
    }
  }

  /// Reads an NMEA 0183 log once; see ``file(_:following:mode:progress:)``. A log is one track.
  public static func nmea(
    _ source: ByteSource, following selection: Selection = .automatic, mode: ReadingMode = .lenient,
    progress: (ReadingProgress) -> Void = { _ in }
  ) throws(ReadingError) -> Track {
    var group = TrackGroup(role: .track, number: 0)
    var reader = try NMEAReader(source, mode: mode)
    let day = reader.day
    var writer = KeptPoints.Writer()
    while let point = try reader.next() {
      writer.append(point)
      group.points += 1
      group.timedPoints += point.timestamp == nil ? 0 : 1
      if reader.progress.points.isMultiple(of: 10_000) { progress(reader.progress) }
    }
    progress(reader.progress)
    group.parts = group.points > 0 ? 1 : 0
    let groups = group.points > 0 ? [group] : []
    let (role, number) = try choose(selection, among: groups, name: source.name)
    var contents = Contents(following: role, number, of: groups, skipped: reader.skipped)
    contents.lacksDate = group.timedPoints > 0 && reader.lacksDate
    let kept = writer.finish()
    return Track(name: source.name, contents: contents) { (detail) throws(ReadingError) -> Points in
      guard role == .track else { return Points { () throws(ReadingError) -> TrackPoint? in nil } }
      if detail == .fix, let kept { return kept.points(name: source.name, .track, nil) }
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
      (found, wanted) = (groups.first { $0.role == .track && $0.number == number }, "track \(number &+ 1)")
    case .route(let number):
      (found, wanted) = (groups.first { $0.role == .route && $0.number == number }, "route \(number &+ 1)")
    case .named(let text):
      let name = GPXReader.trimmedName(text)
      found = groups.first { $0.role != .waypoint && $0.name == name } ?? group(describedBy: text, among: groups)
      wanted = "track or route '\(text)'"
    }
    guard let found else {
      let shown = groups.prefix(20).map(\.description).joined(separator: ", ")
      let rest = groups.count > 20 ? ", and \(groups.count - 20) more" : ""
      throw ReadingError(
        kind: .absent, input: name,
        reason: "there is no \(wanted); the file has \(groups.isEmpty ? "no points" : shown + rest)")
    }
    return (found.role, found.role == .waypoint ? nil : found.number)
  }

  /// The group that `waypoints`, `track 2`, `route 1` or `2` means.
  private static func group(describedBy text: String, among groups: [TrackGroup]) -> TrackGroup? {
    let words = text.lowercased().split(separator: " ")
    if words == ["waypoints"] || words == ["the", "waypoints"] { return groups.first { $0.role == .waypoint } }
    guard let digits = words.last, let number = Int(digits), number > 0, words.count <= 2, digits.first != "+" else {
      return nil
    }
    let main: TrackPoint.Role = groups.contains { $0.role == .track } ? .track : .route
    guard let role = words.count == 1 ? main : TrackPoint.Role(rawValue: String(words[0])), role != .waypoint else {
      return nil
    }
    return groups.first { $0.role == role && $0.number == number - 1 }
  }

  /// Searches the start of the input for content that only a GPX document or only a log has.
  ///
  /// In the first 64 KB, the start of a sentence is sufficient. Binary data can precede a log. So a sentence with a
  /// right checksum is searched in the first 4 MB.
  private static func isNMEA(_ source: ByteSource) throws(ReadingError) -> Bool {
    var input = try InputWindow(source)
    let bytes = input.bytes.prefix(65_536)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }) else { return false }
    // A line of syslog begins with a number: <14>.
    let isElement = first + 1 == bytes.count || !isDigit(bytes[first + 1])
    if bytes[first] == UInt8(ascii: "<"), isElement { return false }
    let isNamedGPX = source.name.lowercased().hasSuffix(".gpx")
    if isNamedGPX, bytes.contains(0), bytes.firstRange(of: Array("gpx".utf8)) == nil {
      let reason = "the file is binary and not a GPX document, which is text"
      throw ReadingError(kind: .malformed, input: source.name, reason: reason)
    }
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "<"),
        bytes[index...].starts(with: "<gpx".utf8) || bytes[index...].starts(with: "<?xml".utf8)
      {
        return false
      }
      if NMEASentence.begins(input.bytes, at: index) { return true }
    }
    if isNamedGPX { return false }
    let searched = 4 << 20
    while input.bytes.count < searched, try input.refill(keeping: 0) {}
    var sentence = NMEASentence()
    for index in input.bytes.indices.prefix(searched) where NMEASentence.begins(input.bytes, at: index) {
      if sentence.parse(input.bytes, at: index, needsChecksum: true) { return true }
    }
    let part = input.bytes.count < searched ? "it contains" : "its first 4 MB contain"
    let reason =
      "this is neither GPX, which begins with '<', nor NMEA 0183: "
      + "\(part) no sentence that begins with '$' and has a right checksum"
    throw ReadingError(kind: .malformed, input: source.name, line: 1, reason: reason)
  }
}
