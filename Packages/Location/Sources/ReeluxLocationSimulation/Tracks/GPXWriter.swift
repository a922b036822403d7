import ReeluxLocation

/// A writer of tracks as GPX 1.1 documents, which ``GPXReader`` and other programs can read.
///
/// ```swift
/// let document = try GPXWriter(creator: "My app").document(of: track)
/// ```
///
/// Coordinates and other numbers are written so that reading them gives the same numbers. An accuracy is written as a
/// dilution, a fifth of its metres. Reading rounds it to nine decimals. Times have milliseconds. Values that are
/// infinite or not a number, and times outside the years 0 … 9999, are left out. A track or a route keeps its name. One
/// without a name gets the name of the ``Track``.
///
/// Speed, course, and those ``TrackPoint/extensions`` that Garmin's track point extensions define, are written as such.
/// Other extensions are elements of the namespace `urn:reelux:track-point`. If the name of an extension contains a
/// character that XML names must not contain, `_` replaces it.
public struct GPXWriter: Sendable {
  /// The program that the document names as its creator.
  public var creator: String

  /// Creates a writer.
  ///
  /// - Parameter creator: The program that the document names as its creator.
  public init(creator: String = "Reelux") {
    self.creator = creator
  }

  /// The document of a track as one text.
  ///
  /// - Throws: A ``ReadingError`` if the track cannot be read.
  public func document(of track: Track) throws(ReadingError) -> String {
    var text = ""
    do {
      try write(track) { text += $0 }
    } catch let error as ReadingError {
      throw error
    } catch {
      // Appending to a text does not throw.
    }
    return text
  }

  /// Writes the document of a track piece by piece. The memory does not grow with the track.
  ///
  /// - Parameters:
  ///   - track: The track. It is opened three times, because GPX requires waypoints first, then routes, then tracks.
  ///   - output: A closure that receives pieces of some kilobytes.
  /// - Throws: A ``ReadingError`` if the track cannot be read, and any error of `output`.
  public func write(_ track: Track, to output: (String) throws -> Void) throws {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="\(Self.escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:reelux="urn:reelux:track-point">

      """
    for role in [TrackPoint.Role.waypoint, .route, .track] {
      let names = Dictionary(
        track.groups.filter { $0.role == role }.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
      var points = try track.open()
      var last: TrackPoint?
      while let point = try points.next() {
        guard point.role == role else { continue }
        Self.begin(point, after: last, name: names[point.group].flatMap(\.self) ?? track.name, &text)
        last = point
        Self.append(point, &text)
        if text.utf8.count > 16_384 {
          try output(text)
          text = ""
        }
      }
      if let last { Self.end(last.role, &text) }
    }
    try output(text + "</gpx>\n")
  }

  /// Begins a track, route or segment if the point belongs to another one than the previous point.
  private static func begin(_ point: TrackPoint, after last: TrackPoint?, name: String, _ text: inout String) {
    switch point.role {
    case .waypoint: break
    case .route:
      guard last?.group != point.group || last?.part != point.part else { return }
      if last != nil { text += "</rte>\n" }
      text += "<rte><name>\(escaped(name))</name>\n"
    case .track:
      if let last, last.group == point.group {
        if last.part != point.part { text += "</trkseg><trkseg>\n" }
        return
      }
      if last != nil { text += "</trkseg></trk>\n" }
      text += "<trk><name>\(escaped(name))</name><trkseg>\n"
    }
  }

  private static func end(_ role: TrackPoint.Role, _ text: inout String) {
    switch role {
    case .waypoint: break
    case .route: text += "</rte>\n"
    case .track: text += "</trkseg></trk>\n"
    }
  }

  private static func append(_ point: TrackPoint, _ text: inout String) {
    let element =
      switch point.role {
      case .waypoint: "wpt"
      case .route: "rtept"
      case .track: "trkpt"
      }
    text += "<\(element) lat=\"\(decimal(point.coordinate.latitude))\" lon=\"\(decimal(point.coordinate.longitude))\">"
    append("ele", point.altitude, &text)
    if let time = point.timestamp, Timestamp(iso8601: time.description) != nil { text += "<time>\(time)</time>" }
    if let name = point.name { text += "<name>\(escaped(name))</name>" }
    if let satellites = point.satellites, satellites >= 0 { text += "<sat>\(satellites)</sat>" }
    append("hdop", point.horizontalAccuracy.map { $0 / 5 }, &text)
    append("vdop", point.verticalAccuracy.map { $0 / 5 }, &text)
    appendExtensions(point, &text)
    text += "</\(element)>\n"
  }

  /// Appends an element if its number is known and finite.
  private static func append(_ element: String, _ number: Double?, _ text: inout String) {
    if let number, number.isFinite { text += "<\(element)>\(decimal(number))</\(element)>" }
  }

  /// The names of Garmin's track point extensions, in the order that their schema requires.
  private static let garminNames = ["atemp", "wtemp", "depth", "hr", "cad", "speed", "course", "bearing"]

  private static func appendExtensions(_ point: TrackPoint, _ text: inout String) {
    var values = point.extensions
    var others: [String: String] = [:]
    for (name, number) in [("speed", point.speed), ("course", point.course)] {
      guard let number, number.isFinite else { continue }
      // A reader takes the first speed and course for those of the point.
      others[name] = values.updateValue(decimal(number), forKey: name)
    }
    let garmin = garminNames.compactMap { name in values.removeValue(forKey: name).map { (name, $0) } }
    others.merge(values) { first, _ in first }
    if garmin.isEmpty && others.isEmpty { return }
    text += "<extensions>"
    if !garmin.isEmpty {
      text += "<gpxtpx:TrackPointExtension>"
      for (name, value) in garmin { text += "<gpxtpx:\(name)>\(escaped(value))</gpxtpx:\(name)>" }
      text += "</gpxtpx:TrackPointExtension>"
    }
    for (key, value) in others.sorted(by: { $0.key < $1.key }) {
      let name = xmlName(key)
      text += "<reelux:\(name)>\(escaped(value))</reelux:\(name)>"
    }
    text += "</extensions>"
  }

  /// A finite number without an exponent, as XML's decimal numbers require.
  private static func decimal(_ number: Double) -> String {
    let text = "\(number)"
    guard let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return text }
    let exponent = Int(text[text.index(after: mark)...]) ?? 0
    let sign = number < 0 ? "-" : ""
    let parts = text[..<mark].drop { $0 == "-" }.split(separator: ".")
    let whole = String(parts.first ?? "0")
    let digits = whole + (parts.count > 1 ? String(parts[1]) : "")
    let point = whole.count + exponent
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    if point >= digits.count { return "\(sign)\(digits)\(String(repeating: "0", count: point - digits.count)).0" }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }

  /// A text as XML. Characters that XML forbids are left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\r": escaped += "&#13;"
      default:
        let isCharacter = scalar.value >= 0x20 || scalar == "\t" || scalar == "\n"
        if isCharacter, scalar != "\u{FFFE}", scalar != "\u{FFFF}" { escaped.unicodeScalars.append(scalar) }
      }
    }
    return escaped
  }

  private static func xmlName(_ key: String) -> String {
    let name = String(String.UnicodeScalarView(key.unicodeScalars.map { isOfName($0) ? $0 : "_" }))
    return name.unicodeScalars.first.map(beginsName) ?? false ? name : "_\(name)"
  }

  /// Whether a name of XML can begin with a scalar. A colon, which separates a prefix, counts as no part of a name.
  private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
      0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  /// Whether a name of XML can contain a scalar.
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: beginsName(scalar)
    }
  }
}
