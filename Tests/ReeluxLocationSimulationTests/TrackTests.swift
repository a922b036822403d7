import ReeluxTestSupport
import Foundation
import ReeluxLocation
import ReeluxLocationSimulation
import Testing

@Suite(.conformance(81), .timeLimit(.minutes(15))) struct TrackTests {
  private let berlin = Coordinate(normalizing: 52.52, longitude: 13.405)
  private let paris = Coordinate(normalizing: 48.8566, longitude: 2.3522)

  private func points(_ track: Track) throws -> [TrackPoint] {
    var opened = try track.open()
    var points: [TrackPoint] = []
    while let point = try opened.next() { points.append(point) }
    return points
  }

  private func length(_ points: [TrackPoint]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
  }

  @Test func aLineFollowsTheGeodesicFromEndToEnd() throws {
    let found = try points(.line(from: berlin, to: paris, spacing: 10_000, speed: 10))
    #expect(found.count == 89)
    #expect(found.first?.coordinate == berlin)
    #expect(found.last?.coordinate == paris)
    #expect(abs(length(found) - berlin.distance(to: paris)) < 0.01)
    #expect(abs((found.last?.timestamp?.secondsSince1970 ?? 0) - berlin.distance(to: paris) / 10) < 1e-6)
  }

  @Test(arguments: [0.0, 45, 90, 213]) func aLineHasNoStepShorterThanARoundingError(bearing: Double) throws {
    let end = berlin.moved(by: 500, bearing: bearing)
    let found = try points(.line(from: berlin, to: end))
    #expect(found.count == 51)
    #expect(found.last?.coordinate == end)
    #expect(try points(.line(from: berlin, to: end, spacing: .infinity)).map(\.coordinate) == [berlin, end])
    #expect(try points(.line(from: berlin, to: berlin)).map(\.coordinate) == [berlin])
  }

  @Test func aCircleKeepsItsRadiusAndCloses() throws {
    let found = try points(.circle(around: berlin, radius: 500))
    #expect(found.count == 73)
    #expect(found.first?.coordinate == found.last?.coordinate)
    #expect(found.allSatisfy { abs($0.coordinate.distance(to: berlin) - 500) < 0.001 })
  }

  @Test func aRandomWalkIsTheSameForTheSameSeed() throws {
    let walk = try points(.randomWalk(from: berlin, steps: 200, length: 7, seed: 42))
    #expect(walk.count == 201)
    #expect(try walk == points(.randomWalk(from: berlin, steps: 200, length: 7, seed: 42)))
    #expect(try walk != points(.randomWalk(from: berlin, steps: 200, length: 7, seed: 43)))
    #expect(abs(length(walk) - 1400) < 0.01)
  }

  @Test(arguments: [Double.nan, -1, 0, .infinity])
  func senselessMeasuresDoNotTrap(value: Double) throws {
    let near = berlin.moved(by: 0.01, bearing: 0)
    _ = try points(.line(from: berlin, to: near, spacing: value, speed: value))
    _ = try points(.circle(around: berlin, radius: value, points: -5, speed: value))
    _ = try points(.randomWalk(from: berlin, steps: 3, length: value, speed: value, seed: 1))
    #expect(try points(.randomWalk(from: berlin, steps: -3, seed: 1)).isEmpty)
  }

  @Test func aFileIsRecognisedByItsContent() throws {
    let gpx = try Track.reading(.text("\n<gpx><wpt lat='1' lon='2'/></gpx>"))
    #expect(gpx.contents?.groups.map(\.role) == [.waypoint])
    #expect(gpx.contents?.followed == "the waypoints")
    let log = try Track.reading(.text("a log\n" + nmea("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,010124,,")))
    #expect(log.contents?.points == 1)
    let error = try #require(throws: ReadingError.self) { try Track.reading(.text("lorem ipsum", name: "a.txt")) }
    #expect(error.description.hasPrefix("a.txt:1: this is neither GPX"))
    let other = try #require(throws: ReadingError.self) { try Track.reading(.text("lorem ipsum", name: "a.gpx")) }
    #expect(other.description.contains("this is not a GPX document: it has no element <gpx>"))
  }

  @Test func tracksGoBeforeRoutesAndRoutesBeforeWaypoints() throws {
    let waypoints = "<wpt lat='1' lon='1'/><wpt lat='2' lon='2'/>"
    let route = "<rte><rtept lat='3' lon='3'/></rte>"
    let track = "<trk><trkseg><trkpt lat='4' lon='4'/></trkseg><trkseg><trkpt lat='5' lon='5'/></trkseg></trk>"
    let all = ByteSource.text("<gpx>\(waypoints)\(route)\(track)</gpx>")
    #expect(try points(.gpx(all)).map(\.coordinate.latitude) == [4, 5])
    #expect(try Track.gpx(all).contents?.parts == 2)
    #expect(try points(.gpx(.text("<gpx>\(waypoints)\(route)</gpx>"))).map(\.coordinate.latitude) == [3])
    #expect(try points(.gpx(.text("<gpx>\(waypoints)</gpx>"))).map(\.coordinate.latitude) == [1, 2])
    #expect(try points(.gpx(all, following: .only(.waypoint))).map(\.coordinate.latitude) == [1, 2])
    #expect(try points(.gpx(.text("<gpx/>"))).isEmpty)
  }

  @Test func timesBeforeTheFirstDateOfALogAreOfThatDay() throws {
    let log = [
      nmea("GPGGA,115959,0100.000,N,00200.000,E,1,05,,,M,,M,,"),
      nmea("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,010124,,"),
    ].joined(separator: "\n")
    #expect(try points(.nmea(.text(log))).first?.timestamp?.description == "2024-01-01T11:59:59Z")
  }

  @Test func aLogHasNeitherRoutesNorWaypoints() throws {
    let log = nmea("GPRMC,120000,A,0100.000,N,00200.000,E,0,0,010124,,")
    let track = try Track.nmea(.text(log), following: .only(.track))
    #expect(try points(track).count == 1)
    for role in [TrackPoint.Role.route, .waypoint] {
      let track = try Track.nmea(.text(log), following: .only(role))
      #expect(try points(track).isEmpty)
      #expect(track.contents?.points == 0)
    }
  }

  @Test func aMissingFileAndADirectoryAreNamed() throws {
    let missing = try #require(throws: ReadingError.self) { try Track.file("/no/such/walk.gpx") }
    #expect(missing.kind == .missing)
    #expect(missing.description == "/no/such/walk.gpx: there is no such file")
    let folder = try #require(throws: ReadingError.self) { try Track.file(NSTemporaryDirectory()) }
    #expect(folder.kind == .unreadable)
  }

  @Test func aFileIsReadInPartsAndTellsItsProgress() throws {
    let path = NSTemporaryDirectory() + "reelux-\(UUID().uuidString).gpx"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let content =
      "<gpx><trk><trkseg>"
      + (0..<20_000).map { "<trkpt lat=\"\(Double($0) / 1000)\" lon=\"10\"><ele>1</ele></trkpt>\n" }.joined()
      + "</trkseg></trk></gpx>"
    try content.write(toFile: path, atomically: false, encoding: .utf8)
    var reports: [ReadingProgress] = []
    let track = try Track.file(path) { reports.append($0) }
    #expect(reports.map(\.points) == [10_000, 20_000, 20_000])
    #expect(reports.last?.fraction == 1)
    #expect(reports.first?.totalBytes == content.utf8.count)
    #expect(try points(track).count == 20_000)
  }
}
