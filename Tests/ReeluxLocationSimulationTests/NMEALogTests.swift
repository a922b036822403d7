import ReeluxLocation
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

/// Logs of receivers that report the whole second only, lose line ends, or write the sentences of old standards.
@Suite(.conformance(81), .timeLimit(.minutes(15))) struct NMEALogTests {
  private func read(_ bytes: [UInt8], mode: ReadingMode = .lenient) throws -> (
    points: [TrackPoint], contents: Track.Contents
  ) {
    let track = try Track.reading(.bytes(bytes, name: "a.log"), mode: mode)
    var opened = try track.open()
    var points: [TrackPoint] = []
    while let point = try opened.next() { points.append(point) }
    return (points, try #require(track.contents))
  }

  private func read(_ lines: String...) throws -> (points: [TrackPoint], contents: Track.Contents) {
    try read(Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
  }

  private func rmc(
    _ time: String, _ minutes: String = "00.000", date: String = "010524", talker: String = "GP"
  ) -> String {
    nmea("\(talker)RMC,\(time),A,48\(minutes),N,01131.000,E,1,1,\(date),,,A")
  }

  private func gga(_ time: String, _ minutes: String = "00.000", talker: String = "GP") -> String {
    nmea("\(talker)GGA,\(time),48\(minutes),N,01131.000,E,1,08,0.9,500.0,M,46.9,M,,")
  }

  private func times(_ points: [TrackPoint]) -> [String?] { points.map { $0.timestamp?.description } }

  /// The minutes of latitude beyond 48 degrees.
  private func minutes(_ points: [TrackPoint]) -> [Double] {
    points.map { (($0.coordinate.latitude - 48) * 60_000).rounded() / 1000 }
  }

  // MARK: Fixes

  @Test func theSameTimeOnTwoDaysGivesTwoFixes() throws {
    let (points, _) = try read(rmc("120000", "07.000"), rmc("120000", "17.000", date: "020524"))
    #expect(times(points) == ["2024-05-01T12:00:00Z", "2024-05-02T12:00:00Z"])
    #expect(minutes(points) == [7, 17])
    // The receiver did not move. The sentence without a date comes first on each day.
    let (still, _) = try read(gga("120000"), rmc("120000"), gga("120000"), rmc("120000", date: "020524"))
    #expect(times(still) == times(points))
  }

  @Test func theSameTimeOnTwoDaysOfZDAGivesTwoFixes() throws {
    for places in [["07.000", "17.000"], ["07.000", "07.000"]] {
      let (points, _) = try read(
        nmea("GPZDA,120000,01,05,2024,00,00"), gga("120000", places[0]),
        nmea("GPZDA,120000,02,05,2024,00,00"), gga("120000", places[1]))
      #expect(times(points) == ["2024-05-01T12:00:00Z", "2024-05-02T12:00:00Z"])
    }
  }

  @Test func placesOfOneWholeSecondGiveAFixEach() throws {
    let places = ["07.000", "07.100", "07.200", "07.300", "07.400"]
    let lines = places.map { rmc("080000", $0) }.joined(separator: "\n")
    #expect(minutes(try read(lines).points) == [7, 7.1, 7.2, 7.3, 7.4])
    // The other sentences of a fix belong to the fix.
    let pairs = places.map { gga("080000", $0) + "\n" + rmc("080000", $0) }.joined(separator: "\n")
    let (points, _) = try read(pairs)
    #expect(points.count == 5)
    #expect(points.allSatisfy { $0.altitude == 500 && $0.course == 1 })
  }

  @Test func anEqualSentenceAndOneOfAnotherTalkerBelongToTheSameFix() throws {
    #expect(try read(rmc("080000"), rmc("080000"), rmc("080001")).points.count == 2)
    #expect(try read(rmc("080000", "07.000"), rmc("080000", "07.001", talker: "GN")).points.count == 1)
    let twice = ["07.000", "07.100"].flatMap { [rmc("080000", $0), rmc("080000", $0, talker: "GN")] }
    #expect(minutes(try read(twice.joined(separator: "\n")).points) == [7, 7.1])
  }

  @Test func aSentenceThatIsLateIsSkippedAndCounted() throws {
    // Two receivers on one line, of which one takes a second longer.
    let (points, contents) = try read(
      rmc("080001", "07.000"), gga("080000", "07.000", talker: "II"), gga("080001", "07.000"), rmc("080002", "07.100"),
      rmc("080001", "07.000", talker: "II"), nmea("IIGLL,4807.000,N,01131.000,E,080001,A,A"), rmc("080003", "07.200"))
    #expect(times(points) == (1...3).map { "2024-05-01T08:00:0\($0)Z" })
    #expect(minutes(points) == [7, 7.1, 7.2])
    #expect(
      contents.skipped.entries.map(\.description) == [
        "3 times, first in line 2: the sentence is older than the one before"
      ])
    // A receiver corrected its clock.
    #expect(try read(rmc("080018"), rmc("080000"), rmc("080001")).points.count == 3)
    // These are two days.
    let zda = nmea("GPZDA,080000,02,05,2024,00,00")
    for later in [rmc("080000", date: "020524"), zda + gga("080000")] {
      #expect(times(try read(rmc("080001"), later).points) == ["2024-05-01T08:00:01Z", "2024-05-02T08:00:00Z"])
    }
  }

  @Test func aSentenceThatIsLateAcrossMidnightIsSkipped() throws {
    let before = [rmc("235958", "07.000", date: "311223"), rmc("235959", "07.100", date: "311223")]
    for late in [gga("235959", "07.100", talker: "II"), rmc("235959", "07.100", date: "311223", talker: "II")] {
      let (points, contents) = try read(
        before[0], before[1], gga("235958", "07.000", talker: "II"), rmc("000000", "07.200", date: "010124"), late,
        rmc("000001", "07.300", date: "010124"))
      #expect(
        times(points) == [
          "2023-12-31T23:59:58Z", "2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z",
        ])
      #expect(contents.skipped.entries.map(\.count) == [2])
    }
    // Positions without dates.
    #expect(
      times(try read(before[1], gga("000000", "07.200"), gga("235959", "07.100"), gga("000001", "07.300")).points)
        == ["2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z"])
    // The receiver still has the date of the day before, which is corrected.
    #expect(
      times(
        try read(
          before[1], rmc("000001", "07.200", date: "311223"), rmc("000000", "07.200", date: "311223", talker: "II"),
          rmc("235959", "07.100", date: "311223", talker: "II"), rmc("000002", "07.300", date: "010124")
        ).points)
        == ["2023-12-31T23:59:59Z", "2024-01-01T00:00:01Z", "2024-01-01T00:00:02Z"])
    // These sentences are almost a day apart.
    #expect(
      times(try read(rmc("000000", date: "010124"), rmc("235959", date: "010124")).points)
        == ["2024-01-01T00:00:00Z", "2024-01-01T23:59:59Z"])
  }

  @Test func aSentenceThatIsLateAcrossMidnightChangesNoOtherDate() throws {
    let late = nmea("IIGLL,4807.000,N,01131.000,E,235955,A,A")
    let (points, _) = try read(
      rmc("235959", date: "311223"), rmc("000001", date: "010124"), late, rmc("000002", date: "010124"),
      rmc("000059", date: "010124"))
    #expect(
      times(points) == [
        "2023-12-31T23:59:59Z", "2024-01-01T00:00:01Z", "2023-12-31T23:59:55Z", "2024-01-01T00:00:02Z",
        "2024-01-01T00:00:59Z",
      ])
    // The position comes after the date of the next second.
    let dated = try read(
      nmea("GPZDA,235959,31,12,2023,00,00"), gga("235958", "07.000"), nmea("GPZDA,000000,01,01,2024,00,00"),
      gga("235959", "07.100"), nmea("GPZDA,000001,01,01,2024,00,00"), gga("000000", "07.200"), gga("000001", "07.300"))
    #expect(
      times(dated.points) == [
        "2023-12-31T23:59:58Z", "2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z",
      ])
    // The first date comes after the late sentence.
    let undated = try read(gga("235959"), gga("000001"), late, gga("000002"), rmc("000003", date: "010124"))
    #expect(undated.points.first?.timestamp?.description == "2023-12-31T23:59:59Z")
    #expect(undated.points.last?.timestamp?.description == "2024-01-01T00:00:03Z")
  }

  @Test func aLateSentenceAfterADateIsSkipped() throws {
    let (points, contents) = try read(
      rmc("120001"), nmea("GPZDA,120002,01,05,2024,00,00"), gga("120000.5", "07.000", talker: "II"), gga("120002"))
    #expect(times(points) == ["2024-05-01T12:00:01Z", "2024-05-01T12:00:02Z"])
    #expect(contents.skipped.entries.map(\.count) == [1])
  }

  @Test func aLeapSecondIsNotLaterThanTheSecondAfterIt() throws {
    let times = ["235959.5", "235960.0", "235960.5", "000000.0"]
    let (points, _) = try read(times.map { gga($0) }.joined(separator: "\n") + rmc("000001", date: "010117"))
    let seconds = points.compactMap { $0.timestamp?.secondsSince1970 }
    #expect(seconds.count == points.count)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(self.times(points).contains("2017-01-01T00:00:00Z"))
  }

  @Test func placesOnBothSidesOfTheMeridianOf180DegreesAreOneFix() throws {
    let (points, _) = try read(
      nmea("GPGGA,080000,4800.000,N,17959.9999,E,1,08,0.9,500.0,M,46.9,M,,"),
      nmea("GPGLL,4800.000,N,18000.0000,W"), rmc("080001"))
    #expect(times(points) == ["2024-05-01T08:00:00Z", "2024-05-01T08:00:01Z"])
  }

  // MARK: Lines

  @Test func everySentenceOfALineIsRead() throws {
    #expect(try read(rmc("080000", "07.000") + rmc("080001", "17.000")).points.count == 2)
    let seconds = (10..<50).map { rmc("0800\($0)") }
    let (points, contents) = try read(seconds.joined(separator: " "))
    #expect(points.count == 40)
    #expect(contents.skipped.isEmpty)
    let (pairs, other) = try read((10..<50).map { rmc("0800\($0)") + gga("0800\($0)") }.joined(separator: "\n"))
    #expect(pairs.count == 40)
    #expect(pairs.allSatisfy { $0.altitude == 500 && $0.course == 1 })
    #expect(!other.lacksDate)
  }

  @Test func aLogWithoutLineEndsIsReadInPartsOfAnySize() throws {
    let bytes = Array((0..<5000).map { rmc("08\(10 + $0 / 100)00", "\(10 + $0 % 50).000") }.joined().utf8)
    #expect(try read(bytes).points.count == 5000)
    for size in [1, 7, 1000] {
      let source = ByteSource(name: "slow", size: nil) { () throws(ReadingError) -> ByteSource.Parts in
        var rest = bytes[...]
        return { () throws(ReadingError) -> [UInt8] in
          defer { rest = rest.dropFirst(size) }
          return Array(rest.prefix(size))
        }
      }
      var reader = try NMEAReader(source)
      var count = 0
      while try reader.next() != nil { count += 1 }
      #expect(count == 5000)
    }
  }

  @Test func sentencesOfALineWithoutChecksumsAreRead() throws {
    let sentences = ["1", "2", "3"].map { rmc("08000\($0)").dropLast(3) }
    for separator in ["", " "] {
      let (points, contents) = try read(sentences.joined(separator: separator))
      #expect(points.count == 3)
      #expect(contents.skipped.isEmpty, "\(contents.skipped.entries)")
    }
  }

  @Test func eachDamagedSentenceOfALineIsCounted() throws {
    let cut = rmc("080001").prefix(30)
    let wrong = rmc("080002").dropLast(2) + "00"
    let (points, contents) = try read(rmc("080000"), "\(cut)\(wrong)\(rmc("080003"))\(cut) $5 \(rmc("080004"))")
    #expect(points.count == 3)
    #expect(
      contents.skipped.entries.map(\.description) == [
        "3 times, first in line 2: the checksum of a sentence is missing or wrong"
      ])
  }

  @Test func anExclamationMarkInATextIsNoSentence() throws {
    for text in ["HELLO! WORLD", "HELLO!AIVDM,WORLD", "!", "COST $5"] {
      let (points, contents) = try read(rmc("080000"), nmea("GPTXT,01,01,02,\(text)"), rmc("080001"))
      #expect(points.count == 2)
      #expect(contents.skipped.isEmpty, "\(text): \(contents.skipped.entries)")
    }
    // A sentence of AIS begins in a sentence that was cut off.
    let ship = "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D"
    let (points, contents) = try read(rmc("080000"), "12:00 \(ship)", "\(rmc("080001").prefix(20))\(ship)", ship)
    #expect(points.count == 1)
    #expect(contents.skipped.entries.map(\.count) == [1])
    #expect(contents.skipped.entries.first?.firstLine == 3)
  }

  // MARK: Motion

  private func vtg(_ knots: String) -> String { nmea("GPVTG,90,T,,M,\(knots),N,,K,A") }

  private func zda(_ time: String) -> String { nmea("GPZDA,\(time),01,05,2024,00,00") }

  private func knots(_ lines: String...) throws -> [Double?] {
    try read(lines.joined(separator: "\n")).points.map { $0.speed.map { ($0 * 3600 / 1852).rounded() } }
  }

  @Test func aMotionWithoutATimeBelongsToThePositionBeforeIt() throws {
    #expect(try knots(gga("080001"), vtg("1"), gga("080002"), vtg("2"), gga("080003"), vtg("3")) == [1, 2, 3])
    // The first sentences of the log are missing.
    #expect(try knots(vtg("0"), gga("080001"), vtg("1"), gga("080002"), vtg("2")) == [1, 2])
    #expect(try knots(gga("080001"), zda("080001"), vtg("1"), gga("080002"), vtg("2")) == [1, 2])
  }

  @Test func aMotionAfterALaterTimeBelongsToThePositionOfThisTime() throws {
    #expect(
      try knots(zda("080001"), vtg("1"), gga("080001"), zda("080002"), vtg("2"), gga("080002"), zda("080003"), vtg("3"))
        == [1, 2])
    #expect(
      try knots(gga("080001"), vtg("1"), zda("080002"), vtg("2"), zda("080003"), gga("080003")) == [1, nil])
    // No position has exactly this time.
    #expect(try knots(gga("080001"), zda("080001.02"), vtg("1"), gga("080002"), vtg("2")) == [1, 2])
    // RMC has its own speed.
    #expect(try knots(zda("080001"), vtg("9"), rmc("080001"), gga("080001")) == [1])
  }

  // MARK: Dates and times

  @Test(.conformance(117)) func theDateOfASentenceIsRightUnlessItContinuesTheFixBeforeMidnight() throws {
    // Two files of one day in the wrong order.
    #expect(
      times(try read(rmc("220000"), rmc("000005"), rmc("000105")).points)
        == ["2024-05-01T22:00:00Z", "2024-05-01T00:00:05Z", "2024-05-01T00:01:05Z"])
    #expect(
      times(try read(gga("235850"), rmc("235850"), gga("000000"), rmc("000000")).points)
        == ["2024-05-01T23:58:50Z", "2024-05-01T00:00:00Z"])
    // Several sentences after midnight have the old date.
    #expect(
      times(try read(rmc("235930"), rmc("000000"), rmc("000001"), rmc("000002", date: "020524")).points)
        == ["2024-05-01T23:59:30Z", "2024-05-02T00:00:00Z", "2024-05-02T00:00:01Z", "2024-05-02T00:00:02Z"])
    // The old date comes from ZDA.
    #expect(
      times(try read(rmc("235959"), nmea("GPZDA,000000,01,05,2024,00,00"), gga("000000")).points)
        == ["2024-05-01T23:59:59Z", "2024-05-02T00:00:00Z"])
  }

  @Test func aPlaceWithoutATimeIsAFixBetweenItsNeighbours() throws {
    let (points, contents) = try read(
      rmc("080000", "00.009"), nmea("GPGLL,4800.00,N,01131.00,E"), nmea("GPGLL,4916.45,N,12311.12,W"), rmc("080002"))
    // The first one belongs to the fix before it.
    #expect(times(points) == ["2024-05-01T08:00:00Z", nil, "2024-05-01T08:00:02Z"])
    #expect(points.dropFirst().first?.coordinate.latitude == 49 + 16.45 / 60)
    #expect(contents.timedPoints == 2)
    #expect(contents.skipped.isEmpty)
    let alone = try read(nmea("GPGLL,4916.45,N,12311.12,W"), nmea("GPGLL,4916.46,N,12311.12,W")).contents
    #expect(alone.points == 2)
    #expect(alone.timedPoints == 0)
    #expect(!alone.lacksDate)
  }

  /// RMC has a date and no time, and GGA has the time.
  @Test(arguments: [false, true]) func theDateOfASentenceWithoutATimeBelongsToItsPoint(isFirst: Bool) throws {
    let dated = nmea("GPRMC,,A,4800.000,N,01131.000,E,1,1,010100,,,A")
    let timed = nmea("GPGGA,230023,4800.000,N,01131.000,E,1,08,1.1,182.2,M,45.0,M,,")
    let (points, contents) = try isFirst ? read(dated, timed) : read(timed, dated)
    #expect(times(points) == ["2000-01-01T23:00:23Z"])
    #expect(!contents.lacksDate)
  }

  @Test func aSentenceWithoutATimeAndWithAnotherDateBeginsAPoint() throws {
    let dates = ["280100", "311299"].map { nmea("GPRMC,,A,4800.000,N,01131.000,E,1,1,\($0),,,A") }
    #expect(try read(dates[0], dates[1]).contents.points == 2)
    #expect(try read(dates[0], dates[0]).contents.points == 1)
  }

  @Test func aProprietarySentenceIsIgnored() throws {
    let (points, contents) = try read(nmea("PGRMC,080000,A,4800.000,N,01131.000,E,1,1,010524,,,A"), rmc("080001"))
    #expect(points.count == 1)
    #expect(contents.skipped.isEmpty)
  }

  @Test func aNegativeSpeedIsUnknownAndCounted() throws {
    let fix = nmea("GPRMC,080000,A,4800.000,N,01131.000,E,-1.5,90,010524,,,A")
    let (points, contents) = try read(fix)
    #expect(points.map(\.speed) == [nil])
    #expect(points.map(\.course) == [90])
    #expect(contents.skipped.entries.map(\.description) == ["in line 1: the speed '-1.5' of RMC is negative"])
    #expect(throws: ReadingError.self) { try read(Array("\(fix)\r\n".utf8), mode: .strict) }
  }

  // MARK: Recognition

  @Test func aLogIsRecognisedAfterOtherBytes() throws {
    let binary = (0..<70_000).map { [0xB5, 0x62, 0x01, 0x07, 0x0A, 0x24, 0x2A, 0xFF, 0x01][$0 % 9] as UInt8 }
    #expect(try read(binary + Array("\r\n\(gga("120000"))\r\n".utf8)).points.count == 1)
    let error = try #require(throws: ReadingError.self) { try read(binary + Array("\r\n$GPGGA,1*00\r\n".utf8)) }
    #expect(
      error.description == "a.log:1: this is neither GPX, which begins with '<', nor NMEA 0183: "
        + "it contains no sentence that begins with '$' and has a right checksum")
    let large = Array(repeating: UInt8(ascii: "-"), count: 4 << 20) + [0x0A]
    let other = try #require(throws: ReadingError.self) { try read(large) }
    #expect(other.reason.contains("nor NMEA 0183: its first 4 MB contain no sentence"))
  }

  @Test func aPrefixOfSyslogIsNoXML() throws {
    let (points, _) = try read("<14>Nov 22 gps: \(rmc("080000"))", "<14>Nov 22 gps: \(rmc("080001"))")
    #expect(points.count == 2)
  }
}
