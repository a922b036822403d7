import ReeluxLocation

/// Reads the points of a GPX 1.1 document one after the other, in memory that does not grow with the document.
///
/// ```swift
/// var reader = try GPXReader(.file("walk.gpx"))
/// while let point = try reader.next() {
///   print(point.coordinate, point.timestamp ?? .epoch)
/// }
/// ```
///
/// Points come in document order: waypoints, then the points of routes, then those of tracks, as GPX orders them.
/// Elements of other namespaces and everything in `extensions` are passed over, whatever they are called. GPX 1.0 and
/// documents that name no namespace are read too. An estimate of the accuracy is made from `hdop`: five metres for
/// each unit, the usual error of a civil receiver.
public struct GPXReader {
  /// How far the reader has come.
  public var progress: ReadingProgress {
    ReadingProgress(bytes: scanner.reader.offset, totalBytes: scanner.reader.size, points: points)
  }

  /// Where in the document the reader is.
  private enum Place {
    case gpx, track, segment, route, point, ignored
    case pointTime, pointElevation, pointName, pointSpeed, pointCourse, pointDilution
  }

  private var scanner: XMLScanner
  private var places: [Place] = []
  private var namespace = ""
  private var parts = 0
  private var points = 0
  private var point: TrackPoint?
  private var content: [UInt8] = []
  private var contentLine = 1

  private static let namespaces = ["http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0", ""]

  /// Opens a document.
  ///
  /// - Throws: A ``ReadingError`` when the source cannot be opened.
  public init(_ source: ByteSource) throws(ReadingError) {
    scanner = XMLScanner(try ByteReader(source))
  }

  /// Reads on to the next point; nothing at the end of a complete document.
  ///
  /// - Throws: A ``ReadingError`` with line and reason when the document is malformed, cut off or no GPX, or when a
  ///   value is out of its range.
  public mutating func next() throws(ReadingError) -> TrackPoint? {
    while let event = try scanner.next() {
      switch event {
      case .start:
        let place = try enter()
        places.append(place)
        scanner.keepsText = Self.holdsContent(place)
        if scanner.keepsText {
          content.removeAll(keepingCapacity: true)
          contentLine = scanner.eventLine
        }
      case .text:
        content += scanner.text
        guard content.count <= XMLScanner.lengthLimit else {
          throw scanner.reader.malformed("a text is too long")
        }
      case .end:
        let place = places.popLast() ?? .ignored
        scanner.keepsText = places.last.map(Self.holdsContent) ?? false
        if place == .point, let finished = point {
          point = nil
          points += 1
          return finished
        }
        try takeContent(at: place)
      }
    }
    return nil
  }

  private static func holdsContent(_ place: Place) -> Bool {
    switch place {
    case .pointTime, .pointElevation, .pointName, .pointSpeed, .pointCourse, .pointDilution: true
    case .gpx, .track, .segment, .route, .point, .ignored: false
    }
  }

  /// What the element that just began is, by where it stands.
  private mutating func enter() throws(ReadingError) -> Place {
    let name = scanner.name
    guard let parent = places.last else {
      guard name.local == "gpx", Self.namespaces.contains(name.namespace) else {
        let place = name.namespace.isEmpty ? "" : " of the namespace '\(name.namespace)'"
        throw scanner.reader.malformed(
          "this is no GPX document: its root element is <\(name.written)>\(place)", line: scanner.eventLine)
      }
      namespace = name.namespace
      return .gpx
    }
    guard name.namespace == namespace else { return .ignored }
    switch (parent, name.local) {
    case (.gpx, "trk"): return .track
    case (.track, "trkseg"):
      parts += 1
      return .segment
    case (.gpx, "rte"):
      parts += 1
      return .route
    case (.gpx, "wpt"): return try beginPoint(.waypoint)
    case (.route, "rtept"): return try beginPoint(.route)
    case (.segment, "trkpt"): return try beginPoint(.track)
    case (.point, "time"): return .pointTime
    case (.point, "ele"): return .pointElevation
    case (.point, "name"): return .pointName
    case (.point, "speed"): return .pointSpeed
    case (.point, "course"): return .pointCourse
    case (.point, "hdop"): return .pointDilution
    default: return .ignored
    }
  }

  private mutating func beginPoint(_ role: TrackPoint.Role) throws(ReadingError) -> Place {
    let latitude = try degrees("lat", limit: 90, called: "latitude")
    let longitude = try degrees("lon", limit: 180, called: "longitude")
    let coordinate = Coordinate(normalizing: latitude, longitude: longitude)
    point = TrackPoint(coordinate: coordinate, role: role, part: role == .waypoint ? 0 : max(0, parts - 1))
    return .point
  }

  private func degrees(_ attribute: String, limit: Double, called what: String) throws(ReadingError) -> Double {
    let found = scanner.attributes.first { $0.name.local == attribute && $0.name.prefix.isEmpty }
    guard let found else {
      throw scanner.reader.malformed(
        "<\(scanner.name.written)> has no attribute '\(attribute)'", line: scanner.eventLine)
    }
    guard let value = decimalNumber(found.value) else {
      throw scanner.reader.malformed("\(what) '\(shown(found.value))' is not a number", line: found.line)
    }
    guard abs(value) <= limit else {
      throw scanner.reader.malformed(
        "\(what) \(shown(found.value)) is not between \(-Int(limit)) and \(Int(limit))", line: found.line)
    }
    return value
  }

  /// Takes over the content of an element of a point.
  private mutating func takeContent(at place: Place) throws(ReadingError) {
    guard var point else { return }
    switch place {
    case .pointTime:
      guard let timestamp = Timestamp(iso8601Bytes: trimmed(content)) else {
        throw scanner.reader.malformed("the time '\(shown(content))' is not ISO 8601", line: contentLine)
      }
      point.timestamp = timestamp
    case .pointElevation: point.altitude = try number("ele")
    case .pointSpeed: point.speed = max(0, try number("speed"))
    case .pointCourse: point.course = Heading.normalized(try number("course"))
    case .pointDilution: point.horizontalAccuracy = max(0, try number("hdop")) * 5
    case .pointName: point.name = try scanner.decoded(content, line: contentLine)
    case .gpx, .track, .segment, .route, .point, .ignored: return
    }
    self.point = point
  }

  private func number(_ element: String) throws(ReadingError) -> Double {
    guard let value = decimalNumber(content) else {
      throw scanner.reader.malformed("'\(shown(content))' in <\(element)> is not a number", line: contentLine)
    }
    return value
  }

  /// The start of a text for a message, whatever its bytes are.
  private func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(40), as: UTF8.self)
  }
}
