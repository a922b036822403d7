import ReeluxTestSupport
import ReeluxLocation
import Testing

@testable import ReeluxLocationSimulation

/// Adds `$` and the checksum to a sentence.
func nmea(_ sentence: String) -> String {
  let checksum = sentence.utf8.reduce(0, ^)
  let digits = String(checksum, radix: 16, uppercase: true)
  return "$\(sentence)*\(digits.count < 2 ? "0" : "")\(digits)"
}

@Suite(.conformance(81), .timeLimit(.minutes(15))) struct NMEAReaderTests {
  private func read(
    _ log: String, mode: ReadingMode = .lenient
  ) throws -> (points: [TrackPoint], skipped: SkippedContent) {
    var reader = try NMEAReader(.text(log, name: "walk.nmea"), mode: mode)
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return (points, reader.skipped)
  }

  @Test(arguments: [("N", "E", 1.0, 1.0), ("S", "E", -1, 1), ("N", "W", 1, -1), ("S", "W", -1, -1)])
  func degreesAndMinutesHaveTheSignOfTheirHemisphere(
    north: String, east: String, latitude: Double, longitude: Double
  ) throws {
    let (points, _) = try read(nmea("GPGGA,123519,3351.300,\(north),15112.600,\(east),1,08,0.9,5.0,M,0,M,,"))
    let point = try #require(points.first)
    #expect(abs(point.coordinate.latitude - latitude * 33.855) < 1e-9)
    #expect(abs(point.coordinate.longitude - longitude * 151.21) < 1e-9)
  }

  @Test func placesHaveNoMoreDigitsThanTheirSentences() throws {
    let (points, _) = try read(nmea("GPRMC,100000,A,5223.4000,N,01307.2000,E,0.0,0.0,010524,,,A"))
    #expect(points.first?.coordinate == Coordinate(latitude: 52.39, longitude: 13.12))
  }

  @Test func theTwoSentencesOfOneTimeMakeOnePoint() throws {
    // The examples in the manuals of receivers.
    let (points, skipped) = try read(
      """
      $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r
      $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r
      """)
    let point = try #require(points.first)
    #expect(points.count == 1)
    #expect(abs(point.coordinate.latitude - 48.1173) < 1e-9)
    #expect(abs(point.coordinate.longitude - 11.516_666_666_7) < 1e-9)
    #expect(point.altitude == 545.4)
    #expect(point.horizontalAccuracy == 4.5)
    #expect(abs((point.speed ?? 0) - 11.523_6) < 0.001)
    #expect(point.course == 84.4)
    #expect(point.timestamp?.description == "1994-03-23T12:35:19Z")
    #expect(skipped.isEmpty)
    #expect(point.satellites == 8)
  }

  @Test func sentencesOfDifferentTimesMakeSeveral() throws {
    let (points, _) = try read(
      [
        nmea("GNRMC,235958,A,0100.000,S,00200.000,W,,,311223,,"), nmea("GPGSV,1,1,00"),
        nmea("GNGGA,235959.5,0100.000,S,00200.000,W,1,05,,,M,,M,,"),
        nmea("GNGGA,000001,0100.000,S,00200.000,W,1,05,,,M,,M,,"),
      ].joined(separator: "\n"))
    #expect(
      points.map(\.timestamp?.description)
        == ["2023-12-31T23:59:58Z", "2023-12-31T23:59:59.500Z", "2024-01-01T00:00:01Z"])
    #expect(points.first?.coordinate == Coordinate(latitude: -1, longitude: -2))
  }

  @Test func damagedSentencesAreSkippedAndCounted() throws {
    let good = nmea("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,010124,,")
    let later = nmea("GPRMC,120001,A,0100.000,N,00200.000,E,0,0,010124,,")
    let (points, skipped) = try read(
      "# a log\n\(good)\n\(later.replacing("0100", with: "0900"))\n\(later.dropLast(3))\n\(later.dropLast(1))\n\(later)"
    )
    #expect(points.count == 2)
    #expect(points.allSatisfy { $0.coordinate.latitude == 1 })
    #expect(skipped.count(of: .checksum) == 3)
    #expect(skipped.count(of: .noSentence) == 1)
  }

  @Test func receiversWithoutPositionGiveNone() throws {
    let (points, skipped) = try read(
      [
        nmea("GPRMC,120000,V,,,,,,,010124,,"), nmea("GPGGA,120000,,,,,0,00,,,M,,M,,"),
        nmea("GPGGA,120001,0100.0,N,00200.0,E,0,00,,,M,,M,,"),
      ].joined(separator: "\n"))
    #expect(points.isEmpty)
    #expect(skipped.count(of: .noPosition) == 3)
  }

  @Test(arguments: [
    ("GPRMC,120000,A,9100.000,N,00200.000,E,0,0,010124,,", "the latitude '9100.000' of RMC is out of range"),
    ("GPRMC,120000,A,0160.000,N,00200.000,E,0,0,010124,,", "the latitude '0160.000' of RMC is out of range"),
    ("GPRMC,120000,A,0100.000,X,00200.000,E,0,0,010124,,", "is followed by 'X', not by N or S"),
    ("GPRMC,120000,A,0100.000,N,19900.000,E,0,0,010124,,", "the longitude '19900.000' of RMC is out of range"),
    ("GPRMC,120000,A,-100.000,N,00200.000,E,0,0,010124,,", "is not a number"),
    ("GPRMC,120000,A,1e2,N,00200.000,E,0,0,010124,,", "is not a number"),
    ("GPRMC,126000,A,0100.000,N,00200.000,E,0,0,010124,,", "the time '126000' of RMC is not a time of day"),
    ("GPRMC,12,A,0100.000,N,00200.000,E,0,0,010124,,", "the time '12' of RMC is not hhmmss"),
    ("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,310224,,", "the date '310224' of RMC is not a calendar day"),
    ("GPRMC,120000,A,0100.000,N,00200.000,E,fast,0,010124,,", "the speed 'fast' of RMC is not a number"),
    ("GPGGA,120000,0100.0,N,00200.0,E,1,05,bad,1,M,,M,,", "the dilution 'bad' of GGA is not a number"),
    ("GPGGA,120000,0100.0,N,00200.0,E,1,05,-1.1,1,M,,M,,", "the dilution '-1.1' of GGA is negative"),
    ("GPGGA,120000,0100.0,N,00200.0,E,1,-8,1.1,1,M,,M,,", "the number of satellites '-8' of GGA is not a whole number"),
    ("GPGGA,120000,0100.0,N,00200.0,E,1,3.5,1.1,1,M,,M,,", "the number of satellites '3.5' of GGA is not a whole"),
    ("GPZDA,120000,31,12,0026,00,00", "the date '31,12,0026' of ZDA is not a calendar day from 1980 on"),
    ("GPZDA,120000,31,12,26,00,00", "the date '31,12,26' of ZDA is not a calendar day from 1980 on"),
    ("GPZDA,120000,31,12,9999,00,00", "the date '31,12,9999' of ZDA is not a calendar day from 1980 on"),
  ])
  func anUndamagedSentenceThatIsImpossibleIsSkippedAndRefusedInStrictMode(sentence: String, reason: String) throws {
    let (_, skipped) = try read("\n" + nmea(sentence))
    #expect(skipped.count == 1)
    #expect(skipped.entries.first?.firstLine == 2)
    let error = try #require(throws: ReadingError.self) { try read("\n" + nmea(sentence), mode: .strict) }
    #expect(error.kind == .malformed)
    #expect(error.line == 2)
    #expect(error.reason.contains(reason), "\(error.reason)")
  }

  @Test(.conformance(116), arguments: ["$GPRMC,120001,A,0100.000,N,00200.000,E,0,0,010124,,*00\n", "$GPRMC,1200"])
  func aDamagedSentenceIsSkippedAndRefusedInStrictMode(damaged: String) throws {
    let log = nmea("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,010124,,") + "\n" + damaged
    let (points, skipped) = try read(log)
    #expect(points.count == 1)
    #expect(skipped.count == 1)
    let error = try #require(throws: ReadingError.self) { try read(log, mode: .strict) }
    #expect(error.kind == .malformed)
    #expect(error.reason.contains("the checksum of a sentence is missing or wrong"))
  }

  @Test(arguments: [("", "no line is a sentence"), ("hello\nworld", "no line is a sentence")])
  func aTextThatIsNoLogIsAnError(log: String, reason: String) throws {
    let error = try #require(throws: ReadingError.self) { try read(log) }
    #expect(error.reason.contains(reason))
  }

  @Test func aLogWhoseEverySentenceIsDamagedIsAnError() throws {
    let error = try #require(throws: ReadingError.self) { try read("$GPRMC,1*00\n$GPRMC,2*00") }
    #expect(error.reason.contains("all 2 sentences are damaged"))
    let one = try #require(throws: ReadingError.self) { try read("$GPRMC,1*00") }
    #expect(one.reason == "the only sentence is damaged: the checksum of a sentence is missing or wrong")
    let control = try #require(throws: ReadingError.self) { try read("$GPGGA,1\u{1B}[31m,5200,N,01300,E,1") }
    #expect(control.reason == "the only sentence is damaged: a sentence contains a byte that NMEA 0183 does not allow")
  }

  @Test func aVeryLongLineIsSkipped() throws {
    let (points, skipped) = try read(
      "$" + String(repeating: "9", count: 100_000) + "\n"
        + nmea("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,010124,,"))
    #expect(points.count == 1)
    #expect(skipped.count == 1)
  }
}
