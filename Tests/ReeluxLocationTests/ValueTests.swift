import Foundation
import ReeluxLocation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ValueTests {
  @Test(arguments: [(90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0)])
  func aCoordinateOutOfRangeIsRefused(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func theEdgesAreCoordinates() {
    #expect(Coordinate(latitude: 90, longitude: 180) != nil)
    #expect(Coordinate(latitude: -90, longitude: -180) != nil)
  }

  @Test(arguments: [(181.0, -179.0), (-181, 179), (540, 180), (720, 0), (-170, -170), (.infinity, 0), (.nan, 0)])
  func normalizingGoesRoundTheGlobe(longitude: Double, expected: Double) {
    #expect(abs(Coordinate(normalizing: 0, longitude: longitude).longitude) == abs(expected))
    if abs(expected) != 180 { #expect(Coordinate(normalizing: 0, longitude: longitude).longitude == expected) }
  }

  @Test func decodingRefusesWhatIsNoPlace() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Coordinate.self, from: Data(#"{"latitude":91,"longitude":0}"#.utf8))
    }
  }

  @Test func aFixSurvivesJSON() throws {
    let fix = LocationFix(
      coordinate: Coordinate(normalizing: 1.5, longitude: 2.5), timestamp: Timestamp(secondsSince1970: 12.25),
      horizontalAccuracy: 3, altitude: 4, speed: 5, course: 6)
    #expect(try JSONDecoder().decode(LocationFix.self, from: JSONEncoder().encode(fix)) == fix)
  }

  @Test(arguments: [(360.0, 0.0), (-90, 270), (725, 5), (.nan, 0), (-0.0, 0)])
  func aHeadingLiesBetweenZeroAnd360(degrees: Double, expected: Double) {
    #expect(Heading(degrees: degrees, timestamp: .epoch).degrees == expected)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2024-02-29T12:34:56Z", 1_709_210_096), ("1969-12-31T23:59:59Z", -1),
    ("2024-05-01T12:00:00.25Z", 1_714_564_800.25), ("2024-05-01T12:00:00,25Z", 1_714_564_800.25),
    ("2024-05-01T12:00:00+02:00", 1_714_557_600), ("2024-05-01T12:00:00-0330", 1_714_577_400),
    ("2024-05-01T12:00:00", 1_714_564_800), ("2024-05-01T14:00+02:00", 1_714_564_800),
    ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("2024-05-01T24:00:00Z", 1_714_608_000), ("2024-05-01T24:00:00.000Z", 1_714_608_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200),
  ])
  func aTimeIsRead(text: String, seconds: Double) {
    #expect(Timestamp(iso8601: text)?.secondsSince1970 == seconds)
  }

  @Test func aFractionOfAnyLengthIsRead() throws {
    let text = "1970-01-01T00:00:00.\(String(repeating: "5", count: 400))Z"
    #expect(abs(try #require(Timestamp(iso8601: text)).secondsSince1970 - 5 / 9) < 1e-6)
  }

  @Test(arguments: [
    "", "now", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
    "2024-05-01", "2024-05-01T25:00:00Z", "2024-05-01T12:60:00Z", "2024-05-01T12:00:61Z", "2024-05-01T12:00:00.Z",
    "2024-05-01T12:00:00X", "2024-05-01T12:00:00Zjunk", "2024-05-01T12:00:00+2", "+024-05-01T12:00:00Z",
    "٢٠٢٤-05-01T12:00:00Z", "99999-05-01T12:00:00Z", "2024-05-01T12:00.5Z", "2024-05-01T12:00:Z", "2024-05-01T12Z",
    "20x4-05-01T12:00:00Z", "2024-05-01T1a:00:00Z",
    "2024-05-01T24:00:00.5Z", "9999-12-31T23:59:60Z", "9999-12-31T23:00:00-14:00", "9999-12-31T24:00Z",
    "9999-12-31T23:59:59.9999Z", "0000-01-01T00:00:00+14:00",
  ])
  func aMalformedTimeIsRefused(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test func aCoordinateIsShownInMillimetres() {
    let computed = Coordinate(normalizing: 52.39097999999996, longitude: 13.120350000000021)
    #expect(computed.description == "52.39098, 13.12035")
    #expect(computed.latitude == 52.39097999999996)
    #expect(Coordinate(normalizing: -0.000_000_011, longitude: -180).description == "-1e-08, -180.0")
    #expect(Coordinate(normalizing: 90, longitude: 0).description == "90.0, 0.0")
  }

  @Test func timesAreWrittenAsTheyAreRead() {
    for seconds in stride(from: -62_167_219_200.0, to: 253_402_300_799, by: 86_400 * 97.3) {
      let timestamp = Timestamp(secondsSince1970: (seconds * 1000).rounded() / 1000)
      #expect(Timestamp(iso8601: timestamp.description) == timestamp)
    }
    #expect(Timestamp(secondsSince1970: 1_709_210_096).description == "2024-02-29T12:34:56Z")
    #expect(Timestamp(secondsSince1970: 0.5).description == "1970-01-01T00:00:00.500Z")
    #expect(Timestamp(secondsSince1970: .infinity).description == "inf s")
    #expect(Timestamp(secondsSince1970: 1e300).description == "1e+300 s")
  }

  @Test func decodedValuesKeepTheRulesOfTheirInitialisers() throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
      try decoder.decode(type, from: Data(text.utf8))
    }
    let position = try decode(
      PositionOptions.self, #"{"minimumDistance":"nan","minimumInterval":5,"requiredAccuracy":"nan"}"#)
    #expect(position == PositionOptions(minimumInterval: 5))
    #expect(try decode(PositionOptions.self, #"{"minimumDistance":1,"minimumInterval":0}"#).minimumDistance == 1)
    #expect(try decode(HeadingOptions.self, #"{"minimumTurn":"nan"}"#) == HeadingOptions(minimumTurn: 0))
    let heading = Heading(degrees: 90, timestamp: Timestamp(secondsSince1970: 1), accuracy: 2)
    let text = String(decoding: try JSONEncoder().encode(heading), as: UTF8.self)
    #expect(try decode(Heading.self, text) == heading)
    #expect(try decode(Heading.self, text.replacing("90", with: "725")).degrees == 5)
  }
}
