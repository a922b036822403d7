import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct TrackToolTests {
  private let start = Coordinate(normalizing: 52.52, longitude: 13.405)

  private func points(_ track: Track) throws -> [TrackPoint] {
    var opened = try track.open()
    var points: [TrackPoint] = []
    while let point = try opened.next() { points.append(point) }
    return points
  }

  /// One point each second, at this distance from the start, with these heights.
  private func climb(_ heights: [Double?], metres: (Int) -> Double) -> Track {
    .points(
      heights.enumerated().map { index, height in
        TrackPoint(
          coordinate: start.moved(by: metres(index), bearing: 90),
          timestamp: Timestamp(secondsSince1970: Double(index)),
          altitude: height)
      })
  }

  @Test func ascentAndDescentLeaveTheNoiseOut() throws {
    let heights: [Double?] = [100, 101, 99, 101, 110, nil, 112, 111, 90, 89, 95]
    let summary = try climb(heights) { Double($0) * 10 }.summary(minimumClimb: 3)
    // 100 → 110 → 90 → 95. Steps of less than three metres do not count.
    #expect(summary.ascent == 15)
    #expect(summary.descent == 20)
    #expect(summary.fixes == 11)
    #expect(abs(summary.distance - 100) < 0.001)
  }

  @Test func onlyMotionIsMovingTime() throws {
    // Ten seconds of walking, five at rest, and five of running.
    let summary = try climb(Array(repeating: nil, count: 21)) { index in
      index <= 10 ? Double(index) * 2 : index <= 15 ? 20 : 20 + Double(index - 15) * 4
    }.summary()
    #expect(summary.duration == 20)
    #expect(summary.movingTime == 15)
    #expect(abs(summary.maximumSpeed - 4) < 0.001)
    #expect(abs(summary.movingSpeed - 40.0 / 15) < 0.001)
  }

  /// Points 20 m apart with these times.
  private func timed(_ seconds: [Double?]) -> Track {
    .points(
      seconds.enumerated().map { index, seconds in
        TrackPoint(
          coordinate: start.moved(by: Double(index) * 20, bearing: 90),
          timestamp: seconds.map { Timestamp(secondsSince1970: $0) })
      })
  }

  @Test(arguments: [[1_714_550_400, nil, 1_714_550_420], [-100, -80, nil, nil]] as [[Double?]])
  func aPointWithoutATimeAddsNoYearsToASummary(seconds: [Double?]) throws {
    let summary = try timed(seconds).summary()
    #expect(abs(summary.duration - 20) < 0.001)
    #expect(abs(summary.movingTime - 20) < 0.001)
    #expect(summary.fixes == seconds.count)
  }

  @Test func aSummaryCountsThePathBeforeTheFirstTimeAtWalkingPace() throws {
    #expect(abs(try timed([nil, 1_714_550_400, 1_714_550_420]).summary().duration - (20 / 1.4 + 20)) < 0.001)
    #expect(try timed([nil, nil, nil]).summary().duration == 0)
  }

  @Test func theWayBetweenPartsIsInNoSummary() throws {
    let document =
      "<gpx><trk><trkseg><trkpt lat='0' lon='0'><ele>1</ele></trkpt></trkseg>"
      + "<trkseg><trkpt lat='1' lon='0'><ele>900</ele></trkpt></trkseg></trk></gpx>"
    let summary = try Track.gpx(.text(document)).summary()
    #expect(summary.distance == 0)
    #expect(summary.ascent == 0)
  }

  @Test(arguments: [0.5, 5, 50, 500])
  func simplifiedTracksStayWithinTheTolerance(tolerance: Double) throws {
    let walk = Track.randomWalk(from: Coordinate(normalizing: -17, longitude: 179.99), steps: 2000, length: 10, seed: 5)
    let all = try points(walk)
    let kept = try points(walk.simplified(tolerance: tolerance))
    #expect(kept.count < all.count)
    #expect(kept.first == all.first)
    #expect(kept.last == all.last)
    var lines = zip(kept, kept.dropFirst()).makeIterator()
    let first = lines.next()
    var line = try #require(first)
    for point in all.dropFirst() {
      // The line is checked every metre with geodesics.
      let geodesic = Geodesic(from: line.0.coordinate, to: line.1.coordinate)
      let steps = max(1, Int(geodesic.distance))
      let nearest = (0...steps).map { step in
        let metres = geodesic.distance * Double(step) / Double(steps)
        return line.0.coordinate.moved(by: metres, bearing: geodesic.initialBearing).distance(to: point.coordinate)
      }.min()
      #expect((nearest ?? .infinity) <= tolerance * 1.006 + 1)
      if point == line.1, let next = lines.next() { line = next }
    }
  }

  @Test func aStraightLineIsSimplifiedToItsEnds() throws {
    let line = Track.line(from: start, to: start.moved(by: 1000, bearing: 30), spacing: 10)
    #expect(try points(line.simplified(tolerance: 0.1)).count == 2)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let extremes = [
      TrackPoint(
        coordinate: Coordinate(normalizing: 0.000_000_1, longitude: -1e-9),
        timestamp: Timestamp(secondsSince1970: 1_714_550_400.125), horizontalAccuracy: 5, altitude: -1e-7,
        verticalAccuracy: 10, speed: 3.25, course: 359.5, satellites: 9, name: "<A & B> \"ü\" 😀",
        extensions: ["hr": "142", "note": "a<b&c"]),
      TrackPoint(coordinate: Coordinate(normalizing: 52.123_456_789_012_34, longitude: 13.1), altitude: 1e17),
      TrackPoint(coordinate: Coordinate(normalizing: -90, longitude: 180), part: 1),
      TrackPoint(coordinate: Coordinate(normalizing: 1, longitude: 2), group: 1, part: 2),
    ]
    let document = try GPXWriter(creator: "t<e>st").document(of: .points(extremes, name: "a & b"))
    var reader = try GPXReader(.text(document), mode: .strict)
    var found: [TrackPoint] = []
    while let point = try reader.next() { found.append(point) }
    #expect(found == extremes)
    #expect(reader.groups.map(\.name) == ["a & b", "a & b"])
    for role in TrackPoint.Role.allCases {
      let places = (0..<3).map { TrackPoint(coordinate: Coordinate(normalizing: Double($0), longitude: 1), role: role) }
      let text = try GPXWriter().document(of: .points(places))
      #expect(try points(.gpx(.text(text), mode: .strict)).map(\.role) == places.map(\.role))
    }
  }

  @Test func aTrackAndARouteKeepTheirNames() throws {
    func line(_ name: String, _ latitude: Int, _ element: String) -> String {
      let points = (0..<3).map { "<\(element) lat='\(latitude)' lon='\($0)'/>" }.joined()
      return "\(name)\(element == "trkpt" ? "<trkseg>\(points)</trkseg>" : points)"
    }
    let track = try Track.gpx(
      .text(
        """
        <gpx><rte>\(line("<name>Plan</name>", 1, "rtept"))</rte>
        <trk>\(line("<name>Morning &amp; Run</name>", 2, "trkpt"))</trk>
        <trk>\(line("", 3, "trkpt"))</trk><trk>\(line("<name>Evening</name>", 4, "trkpt"))</trk></gpx>
        """, name: "walk.gpx"))
    let route = try Track.gpx(.text("<gpx><rte>\(line("<name>Plan</name>", 1, "rtept"))</rte></gpx>", name: "a.gpx"))
    for (track, names) in [
      (track, ["Morning & Run", "walk.gpx", "Evening"]),
      (try track.simplified(tolerance: 1), ["Morning & Run", "walk.gpx", "Evening"]),
      (route, ["Plan"]),
    ] {
      let written = try Track.gpx(.text(GPXWriter().document(of: track)))
      #expect(written.contents?.groups.map(\.name) == names)
    }
  }

  @Test func anAccuracyWithTwoDecimalsIsWrittenAsItIsRead() throws {
    let written = (0...10_000).map { centimetres in
      let metres = Double(centimetres) / 100
      return TrackPoint(coordinate: start, horizontalAccuracy: metres, verticalAccuracy: metres)
    }
    #expect(try points(.gpx(.text(GPXWriter().document(of: .points(written))))) == written)
  }

  @Test(arguments: [Double.nan, -.nan, .infinity, -.infinity])
  func aValueThatIsNotFiniteIsNotWritten(value: Double) throws {
    let time = Timestamp(secondsSince1970: value)
    let point = TrackPoint(
      coordinate: start, timestamp: time, horizontalAccuracy: value, altitude: value, verticalAccuracy: value,
      speed: value, course: value, satellites: 7)
    let document = try GPXWriter().document(of: .points([point]))
    let read = try points(.gpx(.text(document), mode: .strict))
    // A time is never NaN: see `Timestamp`.
    #expect(read == [TrackPoint(coordinate: start, timestamp: value.isNaN ? time : nil, satellites: 7)])
    #expect(!document.contains("extensions"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func anAltitudeThatIsNotFiniteIsUnknownInASummary(value: Double) throws {
    let summary = try climb([value, 100, value, 110, 90, value]) { Double($0) }.summary()
    #expect(summary.ascent == 10)
    #expect(summary.descent == 20)
  }

  @Test func anExtensionIsNotReadAsTheSpeedOfThePoint() throws {
    let point = TrackPoint(coordinate: start, speed: 5, course: 6, extensions: ["speed": "7", "course": "8"])
    #expect(try points(.gpx(.text(GPXWriter().document(of: .points([point]))))) == [point])
  }

  @Test func extensionsOfGarminHaveTheOrderOfTheirSchema() throws {
    let extensions = ["hr": "2", "cad": "3", "atemp": "4", "depth": "5"]
    let point = TrackPoint(coordinate: start, speed: 6, course: 7, satellites: -1, extensions: extensions)
    let document = try GPXWriter().document(of: .points([point]))
    let names = document.split(separator: "<gpxtpx:").dropFirst(2).map { $0.prefix { $0 != ">" } }
    #expect(names == ["atemp", "depth", "hr", "cad", "speed", "course"])
    #expect(!document.contains("<sat>"))
  }

  @Test func extensionsThatGarminDoesNotDefineHaveTheirOwnNamespace() throws {
    let both = TrackPoint(coordinate: start, speed: 6, extensions: ["power": "1", "hr": "2", "speed": "3"])
    let document = try GPXWriter().document(of: .points([both]))
    let garmin = "<gpxtpx:TrackPointExtension><gpxtpx:hr>2</gpxtpx:hr><gpxtpx:speed>6.0</gpxtpx:speed></gpxtpx:"
    let others = "TrackPointExtension><reelux:power>1</reelux:power><reelux:speed>3</reelux:speed></extensions>"
    #expect(document.contains("<extensions>\(garmin)\(others)"))
    #expect(document.contains(" xmlns:reelux=\"urn:reelux:track-point\">"))

    let other = try GPXWriter().document(of: .points([TrackPoint(coordinate: start, extensions: ["power": "1"])]))
    #expect(other.contains("<extensions><reelux:power>1</reelux:power></extensions>"))
  }

  @Test func aCharacterThatXMLForbidsIsNotWritten() throws {
    let document = try GPXWriter(creator: "a\u{1}b\u{FFFD}\u{FFFE}c\u{FFFF}d").document(of: .points([]))
    #expect(document.contains("creator=\"ab\u{FFFD}cd\""))
  }

  @Test func aCharacterThatNamesOfXMLMustNotContainIsReplaced() throws {
    let keys = ["Höhe→m", "a×b÷c", "\u{37E}x\u{3000}", "\u{301}y", "_\u{E000}\u{FFFE}", "\u{F0000}", "·z", "日本😀"]
    let names = ["Höhe_m", "a_b_c", "_x_", "_\u{301}y", "___", "_", "_·z", "日本😀"]
    for (key, name) in zip(keys, names) {
      let point = TrackPoint(coordinate: start, extensions: [key: "1"])
      let document = try GPXWriter().document(of: .points([point]))
      #expect(document.contains("<reelux:\(name)>1</reelux:\(name)>"), "\(key)")
    }
  }
}
