import ReeluxLocation
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

/// Facts that no other test checks, as deliberate defects have shown: see Scripts/reliability, `mutate`.
@Suite(.conformance(81), .timeLimit(.minutes(15))) struct RareReadingTests {
  private func points(nmea log: String...) throws -> [TrackPoint] {
    var reader = try NMEAReader(.text(log.joined(separator: "\n"), name: "walk.nmea"))
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return points
  }

  private func points(gpx body: String) throws -> [TrackPoint] {
    let document = "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">\(body)</gpx>"
    var reader = try GPXReader(.text(document))
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return points
  }

  private func rmc(_ time: String, _ status: String = "A", speed: String = "", date: String = "230394") -> String {
    nmea("GPRMC,\(time),\(status),4807.038,N,01131.000,E,\(speed),,\(date),,,A")
  }

  @Test func aChecksumMayHaveSmallLetters() throws {
    // Some of these checksums contain letters.
    for minute in 10..<40 {
      let sentence = rmc("12\(minute)19")
      let (text, sum) = (sentence.dropLast(2), sentence.suffix(2))
      #expect(try points(nmea: text + sum.lowercased()).count == 1)
    }
  }

  @Test func twentyFourHoursAreNoTime() throws {
    #expect(try points(nmea: rmc("235959"), rmc("240000")).count == 1)
  }

  @Test(arguments: [("230379", 2079), ("230380", 1980), ("230394", 1994)])
  func aYearOfTwoDigitsIsFrom1980To2079(date: String, year: Int) throws {
    let point = try #require(try points(nmea: rmc("120000", date: date)).first)
    #expect(point.timestamp?.description.hasPrefix("\(year)-03-23") == true)
  }

  @Test func aSentenceWithStatusVGivesNoPoint() throws {
    #expect(try points(nmea: rmc("120000", "V"), rmc("120001")).count == 1)
  }

  @Test func theSpeedOfAPointIsThatOfItsOwnSentence() throws {
    let vtg = nmea("GPVTG,90.0,T,,M,20.0,N,37.0,K,A")
    let point = try #require(try points(nmea: rmc("120000", speed: "10.0"), vtg).first)
    #expect(abs((point.speed ?? 0) - 10 * 1852 / 3600) < 1e-6)
    let other = try #require(try points(nmea: rmc("120000"), vtg).first)
    #expect(abs((other.speed ?? 0) - 20 * 1852 / 3600) < 1e-6)
  }

  @Test func waypointsBelongToNoPart() throws {
    let segment = #"<trkseg><trkpt lat="1" lon="2"/></trkseg>"#
    let found = try points(gpx: #"<trk>\#(segment)\#(segment)</trk><wpt lat="3" lon="4"/>"#)
    #expect(found.map(\.part) == [0, 1, 0])
  }

  @Test func aPlaceBeyondThePoleIsLeftOut() throws {
    #expect(try points(gpx: #"<wpt lat="90" lon="4"/><wpt lat="90.5" lon="4"/>"#).count == 1)
  }

  @Test func anExtensionDoesNotReplaceTheSpeedOfThePoint() throws {
    let found = try points(
      gpx:
        #"<trk><trkseg><trkpt lat="1" lon="2"><speed>5</speed><extensions><speed>9</speed></extensions></trkpt></trkseg></trk>"#
    )
    #expect(found.first?.speed == 5)
  }

  @Test func aSimplifiedTrackKeepsWhatIsFarthest() throws {
    // The second point is on the line from the first to the third.
    let places = [(0.0, 0.0), (0.000_5, 0.01), (0.001, 0.02), (0, 0.03)].map {
      TrackPoint(coordinate: Coordinate(normalizing: $0.0, longitude: $0.1))
    }
    var kept: [TrackPoint] = []
    var reader = try Track.points(places).simplified(tolerance: 10).open()
    while let point = try reader.next() { kept.append(point) }
    #expect(kept.map(\.coordinate) == [places[0], places[2], places[3]].map(\.coordinate))
  }

  @Test func aNumberOfATrackThatCannotExistIsAbsent() throws {
    for selection in [Track.Selection.track(.max), .route(.max)] {
      let error = try #require(throws: ReadingError.self) {
        try Track.gpx(.text("<gpx><wpt lat=\"1\" lon=\"1\"/></gpx>"), following: selection)
      }
      #expect(error.kind == .absent)
    }
  }

  @Test func waypointsAreOnePartWhateverIsBetweenThem() throws {
    let waypoint = #"<wpt lat="3" lon="4"/>"#
    let segment = #"<trkseg><trkpt lat="1" lon="2"/></trkseg>"#
    let body = "\(waypoint)<trk>\(segment)\(segment)</trk>\(waypoint)<trk>\(segment)</trk>\(waypoint)"
    var reader = try GPXReader(.text("<gpx>\(body)</gpx>"))
    while try reader.next() != nil {}
    #expect(reader.groups.map(\.parts) == [1, 2, 1])
    #expect(reader.groups.map(\.points) == [3, 2, 1])
  }

  @Test func aValueThatWouldBeInfiniteIsUnknown() throws {
    let fix = try points(nmea: nmea("GPGGA,123519,4807.038,N,01131.000,E,1,08,1e300,545.4,M,46.9,M,,")).first
    #expect(fix != nil && fix?.horizontalAccuracy == nil)
    let motion = try points(nmea: rmc("123519", speed: "1e308")).first
    #expect(motion != nil && motion?.speed == nil)
    #expect(try points(gpx: #"<wpt lat="1" lon="2"><hdop>1e300</hdop></wpt>"#).first?.horizontalAccuracy == nil)
  }

  @Test func aStrictTrackHasNoDamagedName() throws {
    let document =
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><name>caf".utf8 + [0xE9]
      + "</name></trkpt></trkseg></trk></gpx>".utf8
    let source = ByteSource.bytes(Array(document), name: "walk.gpx")
    #expect(throws: ReadingError.self) { try Track.gpx(source, mode: .strict) }
    #expect(try Track.gpx(source).contents?.points == 1)
  }

  @Test func aRepeatedExtensionReplacesTheFirstOneAtTheLimitToo() throws {
    let extensions = (0..<64).map { "<e\($0)>a</e\($0)>" }.joined() + "<e0>b</e0>"
    let found = try points(gpx: "<wpt lat=\"1\" lon=\"2\"><extensions>\(extensions)</extensions></wpt>")
    #expect(found.first?.extensions["e0"] == "b")
  }
}
