import ReeluxLocation
import ReeluxLocationSimulation

extension FuzzFormat {
  /// GPX 1.1 documents.
  static let gpx = FuzzFormat(
    name: "gpx",
    generate: { GPXMaker.document(&$0) },
    dictionary: [
      "<", ">", "/>", "</", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "&", "&amp;", "&#x0;",
      "&#xFFFFFFFFFF;",
      "\"", "'", "=", ":", "xmlns", "xmlns:x=\"u\"", "gpx", "<trkpt lat=\"1\" lon=\"2\">", "</trkpt>", "<time>", "\r",
      "\n",
      "\u{FEFF}", "\u{0}", "encoding=\"iso-8859-1\"", "lat=\"1\"",
    ],
    check: { bytes, isValid in
      let whole = points(isValid: isValid) { () throws(ReadingError) in
        try GPXReader(.bytes(bytes), mode: isValid ? .strict : .lenient)
      } next: {
        (reader: inout GPXReader) throws(ReadingError) in
        try reader.next()
      }
      // Opening the document as a track must have the same result.
      if case .read = whole, (try? Track.gpx(.bytes(bytes))) == nil {
        return .wrong("read as points, refused as a track")
      }
      return whole
    })

  /// NMEA 0183 logs.
  static let nmea = FuzzFormat(
    name: "nmea",
    generate: { NMEAMaker.log(&$0) },
    dictionary: [
      "$", "*", ",", ",,", "*00", "\r\n", "\n", "GPGGA", "GNRMC", "$GPRMC", "N", "W", "A", "V", "235960", "320199",
      "!AIVDM,",
    ],
    check: { bytes, isValid in
      points(isValid: isValid) { () throws(ReadingError) in
        try NMEAReader(.bytes(bytes), mode: isValid ? .strict : .lenient)
      } next: {
        (reader: inout NMEAReader) throws(ReadingError) in
        try reader.next()
      }
    })

  /// ISO 8601 times.
  static let time = FuzzFormat(
    name: "time",
    generate: { random in
      let seconds = Double(random.below(315_537_897_600)) - 62_135_596_800 + Double(random.below(1000)) / 1000
      return Array(Timestamp(secondsSince1970: seconds).description.utf8)
    },
    dictionary: ["-", ":", "T", "Z", "+02:00", "-0330", ".", ",", "24", "60", "02-29", "9999"],
    check: { bytes, isValid in
      guard let time = Timestamp(iso8601: String(decoding: bytes, as: UTF8.self)) else {
        return isValid ? .wrong("a valid time is refused") : .refused
      }
      // The written text must give the same time, to the millisecond.
      guard let again = Timestamp(iso8601: time.description) else {
        return (-62_167_219_200..<253_402_300_799.9995).contains(time.secondsSince1970)
          ? .wrong("'\(time)' is not read again") : .read
      }
      return abs(again.seconds(to: time)) < 0.001 ? .read : .wrong("\(time) becomes \(again)")
    })

  /// Reads every point, and checks the guarantees of points and errors.
  private static func points<Reader>(
    isValid: Bool, open: () throws(ReadingError) -> Reader,
    next: (inout Reader) throws(ReadingError) -> TrackPoint?
  ) -> Outcome {
    do throws(ReadingError) {
      var reader = try open()
      while let point = try next(&reader) {
        let place = point.coordinate
        guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude) else {
          return .wrong("\(place) is no place")
        }
        if let seconds = point.timestamp?.secondsSince1970, !seconds.isFinite { return .wrong("a time is not finite") }
        if let course = point.course, !(0..<360).contains(course) { return .wrong("a course is \(course)") }
        if let speed = point.speed, !(speed >= 0) { return .wrong("a speed is \(speed)") }
      }
      return .read
    } catch {
      if isValid { return .wrong("a valid input is refused: \(error)") }
      guard let line = error.line, line >= 1, !error.reason.isEmpty else {
        return .wrong("an error without line or reason")
      }
      return .refused
    }
  }
}
