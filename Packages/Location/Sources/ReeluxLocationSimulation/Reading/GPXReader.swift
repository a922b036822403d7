import ReeluxLocation

/// A reader that returns the points of a GPX 1.1 document one by one. Its memory does not grow with the document.
///
/// ```swift
/// var reader = try GPXReader(.file("walk.gpx"))
/// while let point = try reader.next() {
///   print(point.coordinate, point.timestamp ?? .epoch)
/// }
/// print(reader.skipped.entries)
/// ```
///
/// Points are returned in document order. GPX orders waypoints first, then routes, then tracks. Elements of other
/// namespaces are ignored, except in the `extensions` of a point, which become ``TrackPoint/extensions``. There,
/// `speed` and `course` are read at any depth, as in Garmin's `TrackPointExtension`, and so are `bearing`, which is the
/// course, and the accuracies `hAcc` and `vAcc` in metres. GPX 1.0 and documents without a namespace can be read too.
/// Other accuracies are estimated from `hdop` and `vdop` as five metres for each unit, the usual error of a civil
/// receiver. A negative speed, accuracy, dilution or number of satellites and a course of −1 are unknown. If a point
/// has an element twice, the last one counts.
///
/// A lenient reader also reads elements that have another namespace than their document, if it is one of GPX or none,
/// and tracks with points outside of segments.
///
/// Empty or damaged values are skipped and counted in ``skipped``. A point without valid coordinates is skipped as a
/// whole. A longitude up to 360 degrees is read as the same meridian: 190 becomes −170. A course outside of 0 to 360
/// degrees is read as the same direction: −5 becomes 355. With ``ReadingMode/strict``, the reader throws instead. The
/// reader always throws an error if the document is cut off, if it is not well-formed and cannot be repaired, or if all
/// its points are damaged.
public struct GPXReader {
  /// The progress of the reader.
  public var progress: ReadingProgress {
    ReadingProgress(
      bytes: scanner.input.offset(of: scanner.index), totalBytes: scanner.input.size, points: points)
  }

  /// The content that was skipped or repaired so far.
  public var skipped: SkippedContent { scanner.skipped }

  /// The tracks, routes and waypoints so far. They take about 60 bytes each.
  public private(set) var groups: [TrackGroup] = []

  /// The reader's position in the document.
  private enum Place {
    case gpx, track, route, groupName, segment, point, extensions, extended, ignored
    case time, elevation, name, speed, course, horizontalDilution, verticalDilution, satellites

    /// Whether the text of the element is needed.
    var holdsContent: Bool {
      switch self {
      case .gpx, .track, .route, .segment, .point, .extensions, .ignored: false
      default: true
      }
    }
  }

  private var scanner: XMLScanner
  private var places: [Place] = []
  private var namespace = 0
  /// Whether other namespaces are those of GPX.
  private var namespaces: [Int: Bool] = [:]
  private var parts = 0
  /// Whether the last point of the track was outside of a segment.
  private var isOutsideSegment = false
  private var tracks = 0
  private var routes = 0
  private var group: Int?
  private var waypoints: Int?
  private var lastPart: Int?
  private var points = 0
  private var point: TrackPoint?
  private var contentPlace = 0
  private var isLeaf = false
  private var isFinished = false
  private let keepsDetails: Bool

  private static let extensionLimit = 64

  /// Opens a document.
  ///
  /// - Parameters:
  ///   - source: The document.
  ///   - mode: Whether damaged values are skipped or cause an error.
  /// - Throws: A ``ReadingError`` if the source cannot be opened or is compressed. In strict mode, also if its encoding
  ///   is not supported.
  public init(_ source: ByteSource, mode: ReadingMode = .lenient) throws(ReadingError) {
    try self.init(source, mode: mode, keepsDetails: true)
  }

  /// Opens a document. Without details, points have no names and no extensions.
  init(_ source: ByteSource, mode: ReadingMode, keepsDetails: Bool) throws(ReadingError) {
    scanner = try XMLScanner(InputWindow(source), mode: mode)
    self.keepsDetails = keepsDetails
  }

  /// Returns the next point; `nil` at the end of a complete document.
  ///
  /// - Throws: A ``ReadingError`` with line and reason if the document is malformed, cut off or not GPX, or if all its
  ///   points are damaged. In strict mode, also if a value is damaged.
  public mutating func next() throws(ReadingError) -> TrackPoint? {
    while !isFinished {
      switch try scanner.next() {
      case .start:
        let place = try enter()
        places.append(place)
        scanner.collectsText = place.holdsContent
        if scanner.collectsText {
          scanner.text.removeAll(keepingCapacity: true)
          contentPlace = scanner.input.start + scanner.index
          isLeaf = true
        }
      case .end:
        let place = places.popLast() ?? .ignored
        if place == .point {
          scanner.collectsText = false
          if let finished = leavePoint() { return finished }
        } else {
          if place.holdsContent { try takeContent(at: place) }
          scanner.collectsText = places.last?.holdsContent ?? false
          if place == .track || place == .route { group = nil }
        }
      case .finished:
        isFinished = true
        if points == 0, let damage = skipped.entry(of: .point) {
          let all =
            damage.count == 1 ? "the only point is damaged:" : "all \(damage.count) points are damaged; the first one:"
          throw ReadingError(
            kind: .malformed, input: scanner.input.name, line: damage.firstLine, reason: "\(all) \(damage.reason)")
        }
      }
    }
    return nil
  }

  /// The kind of the element that just began. It depends on the parent.
  private mutating func enter() throws(ReadingError) -> Place {
    guard let parent = places.last else {
      try checkRoot()
      return .gpx
    }
    let entry = scanner.names.entries[scanner.name]
    if parent == .extensions || parent == .extended {
      let isOfFix = entry.word?.isOfFix ?? false
      // Garmin's programs write the speed and the course into a further element.
      return keepsDetails || isOfFix ? .extended : .extensions
    }
    guard parent != .ignored, let word = entry.word, isOfGPX(scanner.namespace) else { return .ignored }
    switch (parent, word) {
    case (.point, .time): return .time
    case (.point, .ele): return .elevation
    case (.point, .name): return keepsDetails ? .name : .ignored
    case (.point, .speed): return .speed
    case (.point, .course): return .course
    case (.point, .hdop): return .horizontalDilution
    case (.point, .vdop): return .verticalDilution
    case (.point, .sat): return .satellites
    case (.point, .extensions): return .extensions
    case (.segment, .trkpt): return try beginPoint(.track)
    case (.route, .rtept): return try beginPoint(.route)
    case (.gpx, .wpt): return try beginPoint(.waypoint)
    case (.gpx, .trk):
      beginGroup(.track, number: tracks)
      tracks += 1
      isOutsideSegment = false
      return .track
    case (.gpx, .rte):
      beginGroup(.route, number: routes)
      routes += 1
      parts += 1
      return .route
    case (.track, .trkseg):
      parts += 1
      isOutsideSegment = false
      return .segment
    case (.track, .trkpt) where scanner.mode == .lenient:
      if !isOutsideSegment { parts += 1 }
      isOutsideSegment = true
      return try beginPoint(.track)
    case (.track, .name), (.route, .name): return .groupName
    case (_, .trkseg), (_, .trkpt), (_, .rtept), (_, .wpt):
      try refuse(.point, at: scanner.index) { (_) in "<\(word.rawValue)> is in the wrong element" }
      return .ignored
    default: return .ignored
    }
  }

  /// Whether a namespace is that of the document. A lenient reader also accepts the other ones of GPX, and none.
  private mutating func isOfGPX(_ number: Int) -> Bool {
    if number == namespace { return true }
    guard scanner.mode == .lenient, number >= 0 else { return false }
    if let known = namespaces[number] { return known }
    let name = scanner.namespaces.names[number]
    let isGPX = name.isEmpty || Self.isNearlyGPX(name)
    namespaces[number] = isGPX
    return isGPX
  }

  private mutating func checkRoot() throws(ReadingError) {
    let namespaceName = scanner.namespace > 0 ? scanner.namespaces.names[scanner.namespace] : ""
    let isExact = [
      "", "http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0",
    ].contains(namespaceName)
    guard scanner.names.entries[scanner.name].word == .gpx, isExact || Self.isNearlyGPX(namespaceName) else {
      let place = namespaceName.isEmpty ? "" : " of the namespace '\(namespaceName)'"
      throw scanner.input.malformed(
        "this is not a GPX document: its root element is <\(scanner.names.written(scanner.name))>\(place)",
        at: scanner.index)
    }
    if !isExact {
      try refuse(.namespace, at: scanner.index) { (_) in "the namespace '\(namespaceName)' differs from that of GPX" }
    }
    namespace = scanner.namespace
  }

  /// Whether a namespace is a variant of that of GPX: with `https`, with a slash at the end, or in another case.
  private static func isNearlyGPX(_ name: String) -> Bool {
    var rest = name.lowercased()[...]
    for prefix in ["https://", "http://", "www."] where rest.hasPrefix(prefix) { rest = rest.dropFirst(prefix.count) }
    while rest.last == "/" { rest.removeLast() }
    return rest == "topografix.com/gpx/1/1" || rest == "topografix.com/gpx/1/0"
  }

  // MARK: Points and groups

  private mutating func beginGroup(_ role: TrackPoint.Role, number: Int) {
    lastPart = nil
    groups.append(TrackGroup(role: role, number: number))
    group = groups.count - 1
  }

  private mutating func beginPoint(_ role: TrackPoint.Role) throws(ReadingError) -> Place {
    guard let latitude = try degrees(.lat, called: "latitude"),
      let longitude = try degrees(.lon, called: "longitude")
    else { return .ignored }
    if abs(latitude.value) > 90 {
      try refuse(.point, at: latitude.place) { (_) in "latitude \(latitude.value) is not between -90 and 90" }
      return .ignored
    }
    if abs(longitude.value) > 180 {
      // Some programs count the degrees from 0 to 360, or go on counting beyond the meridian of 180 degrees.
      let isRead = abs(longitude.value) <= 360
      try refuse(isRead ? .longitude : .point, at: longitude.place) { reader in
        let used = Coordinate(normalizing: 0, longitude: longitude.value).longitude
        return "longitude \(longitude.value) is not between -180 and 180"
          + (isRead && reader.scanner.mode == .lenient ? "; \(used) is used" : "")
      }
      guard isRead else { return .ignored }
    }
    let group = role == .track ? tracks - 1 : role == .route ? routes - 1 : 0
    point = TrackPoint(
      coordinate: Coordinate(normalizing: latitude.value, longitude: longitude.value), role: role, group: group,
      part: role == .waypoint ? 0 : max(0, parts - 1))
    return .point
  }

  private mutating func leavePoint() -> TrackPoint? {
    guard let finished = point.take() else { return nil }
    points += 1
    if finished.role == .waypoint, waypoints == nil {
      waypoints = groups.count
      groups.append(TrackGroup(role: .waypoint, number: 0))
    }
    if let group = finished.role == .waypoint ? waypoints : group {
      groups[group].count(finished, beginsPart: lastPart != finished.part)
      if finished.role != .waypoint { lastPart = finished.part }
    }
    return finished
  }

  private mutating func degrees(
    _ word: XMLNames.Word, called what: StaticString
  ) throws(ReadingError) -> (value: Double, place: Int)? {
    for attribute in scanner.attributes {
      let entry = scanner.names.entries[attribute.name]
      guard entry.word == word, entry.prefix == 0 else { continue }
      let (bytes, range) = scanner.value(of: attribute)
      if let value = decimalNumber(bytes, range) { return (value, attribute.place) }
      try refuse(.point, at: attribute.place) { (_) in "\(what) '\(shown(bytes, range))' is not a number" }
      return nil
    }
    try refuse(.point, at: scanner.index) { (reader) in
      "<\(reader.scanner.names.written(reader.scanner.name))> has no attribute '\(word.rawValue)'"
    }
    return nil
  }

  // MARK: Content

  /// The position of the content in the bytes of the window.
  private var contentOffset: Int { max(0, contentPlace - scanner.input.start) }

  /// Stores the content of an element of a point or group.
  private mutating func takeContent(at place: Place) throws(ReadingError) {
    if place == .groupName {
      if let group { groups[group].name = try trimmedName() }
      return
    }
    guard point != nil else { return }
    switch place {
    case .time:
      let range = trimmed(scanner.text, 0..<scanner.text.count)
      guard let timestamp = Timestamp(iso8601Bytes: scanner.text, in: range) else {
        return try refuse(.time, at: contentOffset) { (reader) in
          "the time '\(shown(reader.scanner.text, range))' is not a valid time of the form 2024-05-01T08:00:00Z"
        }
      }
      point?.timestamp = timestamp
    case .elevation: if let value = try number("ele") { point?.altitude = value }
    case .speed: if let value = try number("speed") { point?.setSpeed(value) }
    case .course: if let value = try number("course") { try takeCourse(value) }
    case .horizontalDilution: if let value = try number("hdop") { point?.setHorizontalDilution(value) }
    case .verticalDilution: if let value = try number("vdop") { point?.setVerticalDilution(value) }
    case .satellites:
      guard let value = try number("sat"), value >= 0 else { return }
      guard let count = Int(exactly: value) else {
        return try refuse(.number, at: contentOffset) { (_) in "\(value) in <sat> is not a number of satellites" }
      }
      point?.satellites = count
    case .name:
      let name = try trimmedName()
      point?.name = name
    case .extended: try takeExtension()
    case .gpx, .track, .route, .groupName, .segment, .point, .extensions, .ignored: break
    }
  }

  /// Stores an element of the extensions that contains no other element.
  private mutating func takeExtension() throws(ReadingError) {
    guard isLeaf else { return }
    isLeaf = false
    let range = trimmed(scanner.text, 0..<scanner.text.count)
    guard !range.isEmpty else { return }
    let entry = scanner.names.entries[scanner.name]
    if let word = entry.word, word.isOfFix, let value = decimalNumber(scanner.text, range) {
      // OsmAnd writes the course as the bearing.
      if word == .course || word == .bearing, point?.course == nil { return try takeCourse(value) }
      if point?.take(value, of: word) == true { return }
    }
    guard keepsDetails else { return }
    if (point?.extensions.count ?? 0) < Self.extensionLimit || point?.extensions[entry.local] != nil {
      point?.extensions[entry.local] = String(decoding: scanner.text[range], as: UTF8.self)
    } else {
      try refuse(.extensions, at: contentOffset) { (_) in
        "a point has more than \(Self.extensionLimit) extensions"
      }
    }
  }

  /// Stores a course as a direction of the circle, and counts another value. Phones write −1 for an unknown course.
  private mutating func takeCourse(_ value: Double) throws(ReadingError) {
    if value == -1 { return }
    point?.course = Heading.normalized(value)
    if (0...360).contains(value) { return }
    try refuse(.course, at: contentOffset) { (_) in "the course \(value) is not between 0 and 360" }
  }

  private mutating func number(_ element: StaticString) throws(ReadingError) -> Double? {
    if let value = decimalNumber(scanner.text, 0..<scanner.text.count) { return value }
    try refuse(.number, at: contentOffset) { (reader) in
      "'\(shown(reader.scanner.text, 0..<reader.scanner.text.count))' in <\(element)> is not a number"
    }
    return nil
  }

  /// The name in an element; `nil` if it is empty.
  private mutating func trimmedName() throws(ReadingError) -> String? {
    let name = try text().map(Self.trimmedName)
    return name?.isEmpty == true ? nil : name
  }

  /// A text with one blank in place of each sequence of white space, and none at its ends.
  static func trimmedName(_ text: String) -> String {
    text.unicodeScalars.split { $0.isASCII && isSpace(UInt8($0.value)) }.map { String($0) }.joined(separator: " ")
  }

  /// The text of an element. Text that is not UTF-8 is read as windows-1252. If the document declares an encoding that
  /// is not supported, such text is `nil`.
  private mutating func text() throws(ReadingError) -> String? {
    if let text = String(validating: scanner.text, as: UTF8.self) { return text }
    if case .unknown = scanner.input.encoding { return nil }
    try refuse(.name, at: contentOffset) { (_) in
      "text is not valid UTF-8; it is read as windows-1252"
    }
    var text = String.UnicodeScalarView()
    for byte in scanner.text { text.append(TextDecoder.windows1252(byte)) }
    return String(text)
  }

  /// Counts damaged content. In strict mode, throws an error instead.
  private mutating func refuse(
    _ kind: SkippedContent.Kind, at place: Int, _ reason: (borrowing GPXReader) -> String
  ) throws(ReadingError) {
    if scanner.mode == .lenient, scanner.skipped.count(again: kind) { return }
    // The window may have moved since the place was determined.
    let place = min(place, scanner.input.bytes.count)
    guard scanner.mode == .lenient else { throw scanner.input.malformed(reason(self), at: place) }
    let (line, text) = (scanner.input.line(at: place), reason(self))
    scanner.skipped.note(kind, line: line, text)
  }
}
