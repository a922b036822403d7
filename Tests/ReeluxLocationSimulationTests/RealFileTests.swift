import Foundation
import ReeluxLocation
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

/// Files in the form that devices and programs write, with their faults.
@Suite(.timeLimit(.minutes(15))) struct RealFileTests {
  private func read(_ source: ByteSource, mode: ReadingMode = .lenient) throws -> (
    points: [TrackPoint], contents: Track.Contents
  ) {
    let track = try Track.reading(source, mode: mode)
    var opened = try track.open()
    var points: [TrackPoint] = []
    while let point = try opened.next() { points.append(point) }
    return (points, try #require(track.contents))
  }

  private func read(_ text: String, name: String = "walk.gpx") throws -> (
    points: [TrackPoint], contents: Track.Contents
  ) {
    try read(.text(text, name: name))
  }

  private func log(_ lines: String...) -> String { lines.joined(separator: "\r\n") + "\r\n" }

  // MARK: GPX

  @Test(.conformance(116)) func emptyAndDamagedFieldsAreSkippedCountedAndNamed() throws {
    let document = """
      <?xml version="1.0"?>
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="1" lon="2"><ele></ele><time/></trkpt>
      <trkpt lat="1" lon="2"><ele>NaN</ele><time>2024-05-01</time><hdop> </hdop></trkpt>
      <trkpt lat="NaN" lon="2"/>
      <trkpt lat="95.5" lon="2"/>
      <trkpt lon="2"/>
      <trkpt lat="1" lon="190"/>
      <trkpt lat="1" lon="-181"/>
      <trkpt lat="1" lon="361"/>
      <trkpt lat="1" lon="-170"><ele>5</ele><time>2024-05-01T12:00:00Z</time><sat>7</sat><vdop>2</vdop></trkpt>
      </trkseg></trk></gpx>
      """
    let (points, contents) = try read(document)
    #expect(points.map(\.coordinate.longitude) == [2, 2, -170, 179, -170])
    #expect(points.map(\.altitude) == [nil, nil, nil, nil, 5])
    #expect(points.map { $0.timestamp == nil } == [true, true, true, true, false])
    #expect(points[4].satellites == 7)
    #expect(points[4].verticalAccuracy == 10)
    #expect(
      contents.skipped.entries.map(\.description) == [
        "3 times, first in line 3: '' in <ele> is not a number",
        "2 times, first in line 3: the time '' is not a valid time of the form 2024-05-01T08:00:00Z",
        "4 times, first in line 5: latitude 'NaN' is not a number",
        "2 times, first in line 8: longitude 190.0 is not between -180 and 180; -170.0 is used",
      ])
    #expect(throws: ReadingError.self) { try read(.text(document), mode: .strict) }
  }

  @Test(
    .conformance(116),
    arguments: [
      "https://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/1/", "https://topografix.com/GPX/1/1/",
      "http://www.topografix.com/gpx/1/1", "HTTP://www.topografix.com/GPX/1/0",
    ])
  func namespacesThatAreNearlyRightAreRead(namespace: String) throws {
    let document = "<gpx xmlns='\(namespace)'><wpt lat='1' lon='2'><ele>3</ele></wpt></gpx>"
    #expect(try read(document).points.first?.altitude == 3)
    #expect(throws: ReadingError.self) { try read(.text(document), mode: .strict) }
    #expect(throws: ReadingError.self) { try read("<gpx xmlns='urn:other'><wpt lat='1' lon='2'/></gpx>") }
  }

  @Test(.conformance(116)) func textThatOtherProgramsLeaveBehindIsRepaired() throws {
    let document =
      "\0\0junk\n<gpx><trk><name>Bar & Grill &nbsp;\u{1}x</name><trkseg><trkpt lat='1' lon='2'>"
      + "<extensions><gpxtpx:hr>140</gpxtpx:hr></extensions></trkpt></trkseg></trk></gpx>\0\0\0"
    let (points, contents) = try read(document)
    #expect(points.first?.extensions == ["hr": "140"])
    #expect(contents.groups.first?.name == "Bar & Grill &nbsp;x")
    #expect(contents.skipped.count >= 4)
    #expect(throws: ReadingError.self) { try read(.text(document), mode: .strict) }
  }

  @Test func bearingAndAccuraciesInExtensionsAreTaken() throws {
    let extensions = [
      "<osmand:speed>1.3</osmand:speed><osmand:bearing>181</osmand:bearing>",
      "<speed>1.5</speed><course>271.5</course><hAcc>3.1</hAcc><vAcc>2.5</vAcc>",
      "<course>-1</course><hAcc>-1</hAcc><vAcc>-1</vAcc>", "<course>5</course><bearing>6</bearing>",
    ]
    let points = extensions.map { "<trkpt lat='1' lon='2'><extensions>\($0)</extensions></trkpt>" }.joined()
    let read = try read("<gpx xmlns:osmand='https://osmand.net'><trk><trkseg>\(points)</trkseg></trk></gpx>").points
    #expect(read.map(\.speed) == [1.3, 1.5, nil, nil])
    #expect(read.map(\.course) == [181, 271.5, nil, 5])
    #expect(read.map(\.horizontalAccuracy) == [nil, 3.1, nil, nil])
    #expect(read.map(\.verticalAccuracy) == [nil, 2.5, nil, nil])
    #expect(read.map(\.extensions) == [[:], [:], [:], ["bearing": "6"]])
  }

  @Test func extensionsAreKeysAndValuesAndSpeedAndCourseAreTaken() throws {
    let (points, _) = try read(
      """
      <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
      <trk><trkseg><trkpt lat="1" lon="2"><extensions><power>230</power><g:TrackPointExtension>
      <g:atemp>21.0</g:atemp><g:hr>142</g:hr><g:cad/><g:speed>3.5</g:speed><g:course>370</g:course>
      </g:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
      """)
    let point = try #require(points.first)
    #expect(point.extensions == ["power": "230", "atemp": "21.0", "hr": "142"])
    #expect(point.speed == 3.5)
    #expect(point.course == 10)
  }

  @Test(arguments: [
    "%", "<gpxtpx:TrackPointExtension>%</gpxtpx:TrackPointExtension>", "<TrackPointExtension>%</TrackPointExtension>",
    "<hr>140</hr><a><g:b><cad/>%</g:b></a>",
  ])
  func speedAndCourseAreReadAtAnyDepthOfTheExtensionsWithAndWithoutDetails(extensions: String) throws {
    let values = "<gpxtpx:atemp>21</gpxtpx:atemp><gpxtpx:speed>2.5</gpxtpx:speed><g:course>77</g:course>"
    let document = """
      <gpx xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:g="urn:g"><trk><trkseg>
      <trkpt lat="1" lon="2"><extensions>\(extensions.replacing("%", with: values))</extensions><ele>3</ele></trkpt>
      <trkpt lat="1" lon="3"/></trkseg></trk></gpx>
      """
    for keepsDetails in [true, false] {
      var reader = try GPXReader(.text(document), mode: .strict, keepsDetails: keepsDetails)
      let (first, second) = (try reader.next(), try reader.next())
      let point = try #require(first)
      #expect(point.speed == 2.5)
      #expect(point.course == 77)
      #expect(point.altitude == 3)
      #expect(point.extensions["atemp"] == (keepsDetails ? "21" : nil))
      #expect(second?.speed == nil)
    }
    var fixes = try Track.gpx(.text(document)).open(.fix)
    let fix = try fixes.next()
    #expect(fix?.speed == 2.5)
  }

  @Test func whichTrackIsFollowedCanBeChosenAndIsSaid() throws {
    let document = """
      <gpx><wpt lat="1" lon="1"/><rte><name>Plan</name><rtept lat="2" lon="2"/></rte>
      <trk><name>Morning</name><trkseg><trkpt lat="3" lon="3"/></trkseg></trk>
      <trk><trkseg><trkpt lat="4" lon="4"/></trkseg><trkseg><trkpt lat="5" lon="5"/></trkseg></trk></gpx>
      """
    func follow(_ selection: Track.Selection) throws -> (latitudes: [Double], followed: String?) {
      let track = try Track.gpx(.text(document), following: selection)
      var opened = try track.open()
      var latitudes: [Double] = []
      while let point = try opened.next() { latitudes.append(point.coordinate.latitude) }
      #expect(track.contents?.points == latitudes.count)
      return (latitudes, track.contents?.followed)
    }
    #expect(try follow(.automatic) == ([3, 4, 5], "2 tracks"))
    #expect(try follow(.track(1)) == ([4, 5], "track 2"))
    #expect(try follow(.named("Morning")) == ([3], "track 1 'Morning'"))
    #expect(try follow(.named("Plan")) == ([2], "route 1 'Plan'"))
    #expect(try follow(.route(0)) == ([2], "route 1 'Plan'"))
    #expect(try follow(.only(.waypoint)) == ([1], "the waypoints"))
    let error = try #require(throws: ReadingError.self) { try follow(.track(2)) }
    #expect(error.reason.contains("there is no track 3; the file has the waypoints, route 1 'Plan', track 1"))
    #expect(error.kind == .absent)
    // The text can be a number, too.
    #expect(try follow(.named("2")) == ([4, 5], "track 2"))
    #expect(try follow(.named("Track 1")) == ([3], "track 1 'Morning'"))
    #expect(try follow(.named("route 1")) == ([2], "route 1 'Plan'"))
    #expect(try follow(.named("waypoints")) == ([1], "the waypoints"))
    #expect(try follow(.named("the waypoints")) == ([1], "the waypoints"))
    let unknown = [
      "0", "3", "-1", "+1", "track +1", "my waypoints", "route 2", "waypoint 1", "route", "", "99999999999999999999",
      "a track 1",
    ]
    for text in unknown {
      let error = try #require(throws: ReadingError.self) { try follow(.named(text)) }
      #expect(
        error.description == """
          input: there is no track or route '\(text)'; the file has the waypoints, route 1 'Plan', track 1 'Morning', track 2
          """)
    }
  }

  @Test func aNameThatIsANumberIsAName() throws {
    let document = """
      <gpx><rte><rtept lat="2" lon="2"/></rte><rte><name>1</name><rtept lat="3" lon="3"/></rte></gpx>
      """
    #expect(try Track.gpx(.text(document), following: .named("1")).contents?.followed == "route 2 '1'")
    #expect(try Track.gpx(.text(document), following: .named("2")).contents?.followed == "route 2 '1'")
    #expect(try Track.gpx(.text(document), following: .named("route 1")).contents?.followed == "route 1")
  }

  @Test func aLogHasOneTrack() throws {
    let log = ByteSource.text("$GPGGA,100002,5223.4100,N,01307.2100,E,1,08,0.9,45.0,M,46.9,M,,*7F\n")
    for selection in [Track.Selection.automatic, .named("1"), .track(0), .only(.track)] {
      #expect(try Track.reading(log, following: selection).contents?.followed == "track 1")
    }
    let error = try #require(throws: ReadingError.self) { try Track.reading(log, following: .named("Morning")) }
    #expect(error.reason == "there is no track or route 'Morning'; the file has track 1")
    #expect(try Track.reading(log, following: .only(.route)).contents?.points == 0)
  }

  // MARK: NMEA

  @Test(.conformance(116)) func receiversWithoutAFixAreSkippedWhateverElseTheySay() throws {
    let (points, contents) = try read(
      log(
        nmea("GPRMC,120000,V,8960.000000,N,18060.0000,E,x,y,010124,,,N"),
        nmea("GPGGA,120000,8960.000000,N,99999.0,E,0,00,bad,bad,M,,M,,"),
        nmea("GNGNS,120000,9999.0,N,99999.0,E,NN,00,,,,,"), nmea("GPGLL,9999.0,N,99999.0,E,990000,V,N"),
        nmea("GPRMC,,V,,,,,,,010124,,,N"),
        nmea("GPRMC,120001,A,0100.000,N,00200.000,E,0,0,010124,,,A")), name: "a.nmea")
    #expect(points.count == 1)
    #expect(contents.skipped.entries.map(\.description) == ["5 times, first in line 1: the receiver had no position"])
  }

  @Test(.conformance(116)) func impossibleSentencesAndFieldsAreSkippedAndTheRestIsKept() throws {
    let text = log(
      nmea("GPRMC,120000,A,0100.000,N,00200.000,E,fast,0,010124,,"),
      nmea("GPRMC,120001,A,9500.000,N,00200.000,E,0,0,010124,,"),
      nmea("GPRMC,120002,A,0100.000,N,00200.000,E,1,0,320124,,"))
    let (points, contents) = try read(text, name: "a.nmea")
    #expect(points.map { $0.timestamp?.description } == ["2024-01-01T12:00:00Z", "2024-01-01T12:00:02Z"])
    #expect(points.first?.speed == nil)
    #expect(contents.skipped.count == 3)
    #expect(throws: ReadingError.self) { try read(.text(text, name: "a.nmea"), mode: .strict) }
  }

  @Test(.conformance(116)) func whatLoggersPutAroundASentenceIsPassedOver() throws {
    let time = "GPRMC,12000%,A,0100.000,N,00200.000,E,0,0,010124,,"
    func sentence(_ second: Int) -> String { nmea(time.replacing("%", with: "\(second)")) }
    let (points, contents) = try read(
      log(
        "2024-01-01 12:00:00.123 \(sentence(0))", "[1704110401.5] \(sentence(1))",
        #"\g:1-2-73874,n:157036,s:r003669945,c:1120959341*4A\"# + sentence(2), "NMEA,\(sentence(3)),1704110403000",
        "\u{1}\u{2}µb$%&\u{7F}\(sentence(4))", sentence(5) + "  "), name: "a.log")
    #expect(points.count == 6)
    #expect(contents.skipped.isEmpty)
  }

  @Test(.conformance(116)) func leadingBinaryDataIsPassedOver() throws {
    var bytes: [UInt8] = []
    for index in 0..<5000 { bytes.append([0xB5, 0x62, 0x01, 0x07, 0x0A, 0x24, 0x2A, 0xFF, 0x00][index % 9]) }
    let sentence = nmea("GPGGA,115959,0100.000,N,00200.000,E,1,05,,,M,,M,,")
    let (points, _) = try read(.bytes(bytes + Array("\(sentence)\r\n".utf8), name: "a.ubx"))
    #expect(points.count == 1)
  }

  @Test(
    .conformance(117),
    arguments: [
      ["GGA 235958", "GGA 235959", "GGA 000000", "RMC 000000 020124", "GGA 000001"],
      ["RMC 235958 010124", "GGA 235959", "GGA 000000", "RMC 000000 020124", "GGA 000001"],
      ["GGA 235958", "GGA 235959", "ZDA 000000 020124", "GGA 000000", "RMC 000001 020124"],
      ["GGA 235958", "RMC 235959 010124", "RMC 000000 010124", "GGA 000001"],
      ["GLL 235958", "GNS 235959", "RMC 000000 020124", "GLL 000001"],
      ["ZDA 235957 010124", "GLL 235958", "GLL 235959", "GLL 000000", "GLL 000001"],
    ])
  func timesNeverRunBackwardsAtMidnight(sentences: [String]) throws {
    let lines = sentences.map { text in
      let words = text.split(separator: " ")
      let date = words.count > 2 ? String(words[2]) : ""
      switch words[0] {
      case "GGA": return nmea("GPGGA,\(words[1]),0100.0,N,00200.0,E,1,05,,,M,,M,,")
      case "GNS": return nmea("GNGNS,\(words[1]),0100.0,N,00200.0,E,AN,05,1,2,3,,")
      case "GLL": return nmea("GPGLL,0100.0,N,00200.0,E,\(words[1]),A,A")
      case "ZDA": return nmea("GPZDA,\(words[1]),\(date.prefix(2)),\(date.dropFirst(2).prefix(2)),2024,00,00")
      default: return nmea("GPRMC,\(words[1]),A,0100.0,N,00200.0,E,0,0,\(date),,")
      }
    }
    let (points, _) = try read(lines.joined(separator: "\n"), name: "a.nmea")
    #expect(
      points.map { $0.timestamp?.description } == [
        "2024-01-01T23:59:58Z", "2024-01-01T23:59:59Z", "2024-01-02T00:00:00Z", "2024-01-02T00:00:01Z",
      ])
  }

  @Test(.conformance(117)) func theOtherSentencesGivePlaceQualityMotionAndDate() throws {
    let (points, _) = try read(
      log(
        nmea("GNZDA,120000.00,01,05,2024,00,00"), nmea("GNGNS,120000.00,0100.0,N,00200.0,E,AAN,11,0.8,99.5,46.0,,"),
        nmea("GNVTG,84.4,T,81.3,M,10.0,N,18.5,K,A"), nmea("GNGLL,0100.1,N,00200.0,E,120001.00,A,A")), name: "a.nmea")
    #expect(points.count == 2)
    let point = try #require(points.first)
    #expect(point.timestamp?.description == "2024-05-01T12:00:00Z")
    #expect(point.altitude == 99.5)
    #expect(point.satellites == 11)
    #expect(point.horizontalAccuracy == 4)
    #expect(point.course == 84.4)
    #expect(abs((point.speed ?? 0) - 5.144_444) < 0.000_01)
  }

  // MARK: Encodings, pipes, compression

  @Test(.conformance(120), arguments: [true, false], [true, false])
  func utf16IsRead(bigEndian: Bool, mark: Bool) throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><gpx><wpt lat='1' lon='2'><name>Zürich 😀</name></wpt></gpx>"
    let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      return bigEndian ? [high, low] : [low, high]
    }
    #expect(try read(.bytes(bytes)).points.first?.name == "Zürich 😀")
    // The result is the same in parts of one byte.
    let slow = ByteSource(name: "slow", size: nil) { () throws(ReadingError) -> ByteSource.Parts in
      var rest = bytes[...]
      return { () throws(ReadingError) -> [UInt8] in rest.popFirst().map { [$0] } ?? [] }
    }
    #expect(try read(slow).points.first?.name == "Zürich 😀")
  }

  @Test(.conformance(120), arguments: ["windows-1252", "ISO-8859-1"])
  func windows1252IsDecoded(encoding: String) throws {
    let bytes =
      Array("<?xml version='1.0' encoding='\(encoding)'?><gpx><wpt lat='1' lon='2'><name>5 ".utf8)
      + [0x80, 0x20, 0x96, 0x20, 0xFC] + Array("</name></wpt></gpx>".utf8)
    #expect(try read(.bytes(bytes)).points.first?.name == "5 € – ü")
  }

  @Test(
    .conformance(120),
    arguments: [
      ([0x1F, 0x8B, 8, 0], "gzip"), ([0x50, 0x4B, 3, 4], "zip"), ([0x42, 0x5A, 0x68, 0x39], "bzip2"),
      ([0x1F, 0x9D, 0x90], "compress"), ([0x04, 0x22, 0x4D, 0x18], "lz4"),
    ] as [([UInt8], String)])
  func aCompressedFileIsNamedAsSuch(bytes: [UInt8], name: String) throws {
    let error = try #require(throws: ReadingError.self) { try read(.bytes(bytes, name: "walk.gpx")) }
    #expect(error.kind == .malformed)
    #expect(error.reason.hasPrefix("the file is compressed (\(name))"))
  }

  @Test(.conformance(120)) func aPipeIsReadOnceAndFollowedTwice() throws {
    let pipe = Pipe()
    let document =
      "<gpx><trk><trkseg>" + String(repeating: "<trkpt lat='1' lon='2'/>\n", count: 500) + "</trkseg></trk></gpx>"
    try pipe.fileHandleForWriting.write(contentsOf: Data(document.utf8))
    try pipe.fileHandleForWriting.close()
    let reading = pipe.fileHandleForReading
    let source = ByteSource.stream(name: "standard input") { reading }
    let (points, contents) = try read(source)
    #expect(points.count == 500)
    #expect(contents.points == 500)
    #expect(try read(source).points.count == 500)
  }

  @Test func streamThatCannotBeReadGivesTheReasonOfTheSystem() throws {
    // A shell opens a folder as standard input: MoviesCLI track - < folder
    let folder = unsafe open(NSTemporaryDirectory(), O_RDONLY | O_DIRECTORY)
    try #require(folder >= 0)
    let handle = FileHandle(fileDescriptor: folder, closeOnDealloc: true)
    let source = ByteSource.stream(name: "standard input") { handle }
    #expect(
      throws: ReadingError(
        kind: .unreadable, input: "standard input", reason: "the file cannot be read: Is a directory")
    ) {
      try Track.reading(source)
    }
  }
}
