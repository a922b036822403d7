import Foundation
import ReeluxCore
import ReeluxLocation
import Testing

@testable import ReeluxLocationSimulation

@Suite(.timeLimit(.minutes(15))) struct KeptPointsTests {
  /// The points of a track as a fix needs them.
  private func points(_ track: Track, _ detail: Track.Detail) throws -> [TrackPoint] {
    var opened = try track.open(detail)
    var points: [TrackPoint] = []
    while var point = try opened.next() {
      point.name = nil
      point.extensions = [:]
      points.append(point)
    }
    return points
  }

  private final class Opened: Sendable {
    let count = Locked(0)

    var times: Int { count.withLock { $0 } }
  }

  /// A source that counts how often it is opened.
  private func counted(_ source: ByteSource, _ opened: Opened) -> ByteSource {
    ByteSource(name: source.name, size: source.size) { () throws(ReadingError) -> ByteSource.Parts in
      opened.count.withLock { $0 += 1 }
      return try source.open()
    }
  }

  /// A document in which each value is sometimes missing.
  private func document(points: Int) -> String {
    func element(_ name: String, _ value: String, _ index: Int, every: Int) -> String {
      index.isMultiple(of: every) ? "<\(name)>\(value)</\(name)>" : ""
    }
    func point(_ tag: String, _ index: Int) -> String {
      let values = [
        element("ele", "-\(index).5", index, every: 2),
        element("time", "2024-05-01T08:00:00.\(100 + index % 800)Z", index, every: 3),
        element("course", "\(index % 360)", index, every: 5), element("speed", "1.\(index)", index, every: 7),
        element("name", "point \(index)", index, every: 4), element("sat", "\(index % 12)", index, every: 11),
        element("hdop", "0.9", index, every: 13), element("vdop", "1.1", index, every: 17),
      ]
      return
        "<\(tag) lat='\(Double(index % 180) / 3 - 30)' lon='\(Double(index % 3600) / 10 - 179.9)'>\(values.joined())</\(tag)>\n"
    }
    let half = points / 2
    return "<gpx xmlns='http://www.topografix.com/GPX/1/1'>"
      + (0..<5).map { point("wpt", $0) }.joined()
      + "<rte>" + (0..<5).map { point("rtept", $0) }.joined() + "</rte>"
      + "<trk><trkseg>" + (0..<half).map { point("trkpt", $0) }.joined() + "</trkseg><trkseg/><trkseg>"
      + (half..<points).map { point("trkpt", $0) }.joined() + "</trkseg></trk>"
      + "<trk><trkseg>" + (0..<5).map { point("trkpt", $0) }.joined() + "</trkseg></trk></gpx>"
  }

  @Test(arguments: [Track.Selection.automatic, .only(.waypoint), .only(.route), .track(1), .track(0)])
  func fixesOfALongDocumentAreReadOnceAndAreThePointsOfTheDocument(selection: Track.Selection) throws {
    let opened = Opened()
    let track = try Track.gpx(counted(.text(document(points: 40_000)), opened), following: selection)
    #expect(opened.times == 1)
    let fixes = try points(track, .fix)
    #expect(opened.times == 1)
    #expect(fixes == (try points(track, .all)))
    #expect(opened.times == 2)
    #expect(fixes.count == track.contents?.points)
    // Each consumer begins at the first point.
    #expect(try points(track, .fix) == fixes)
  }

  @Test func fixesOfALongLogAreReadOnceAndAreThePointsOfTheLog() throws {
    var log = ""
    for second in 0..<30_000 {
      let time = String(format: "%02d%02d%02d", 22 + second / 3_600, second / 60 % 60, second % 60)
      guard second < 7_200 else { break }
      log += sentence("GPGGA,\(time),5223.4\(100 + second % 800),N,01307.2000,E,1,08,0.9,45.0,M,46.9,M,,")
      log += sentence("GPRMC,\(time),A,5223.4\(100 + second % 800),N,01307.2000,E,2.5,84.4,010524,,,A")
    }
    for second in 0..<3_000 {
      let time = String(format: "00%02d%02d", second / 60, second % 60)
      log += sentence("GPRMC,\(time),A,5223.4000,N,01307.2\(100 + second % 800),E,2.5,84.4,020524,,,A")
    }
    let opened = Opened()
    let track = try Track.nmea(counted(.text(log), opened))
    // The first date is looked up before.
    #expect(opened.times == 2)
    let fixes = try points(track, .fix)
    #expect(opened.times == 2)
    #expect(fixes == (try points(track, .all)))
    #expect(fixes.count == 10_200)
  }

  private func sentence(_ text: String) -> String {
    "$\(text)*" + String(format: "%02X", Int(text.utf8.reduce(0, ^))) + "\r\n"
  }

  /// A file that the test changes behind the back of its storage.
  private func storage() throws -> (bytes: KeptBytes, file: FileHandle) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("reelux-test-\(UUID().uuidString)")
    try Data().write(to: url, options: .withoutOverwriting)
    defer { try? FileManager.default.removeItem(at: url) }
    return (KeptBytes(in: try FileHandle(forUpdating: url)), try FileHandle(forUpdating: url))
  }

  /// The fixes of 20,000 points, which are stored in several parts.
  private func stored(in bytes: KeptBytes) throws -> Track.Points {
    var writer = KeptPoints.Writer(in: bytes)
    for index in 0..<20_000 {
      writer.append(
        TrackPoint(
          coordinate: Coordinate(normalizing: Double(index % 90), longitude: 0),
          timestamp: Timestamp(secondsSince1970: Double(index)), satellites: index % 12, group: index / 5_000))
    }
    let finished = writer.finish()
    let kept = try #require(finished)
    #expect(bytes.count > 2)
    return kept.points(name: "long.gpx", .track, nil)
  }

  @Test func aChangedOrShortenedTemporaryFileIsAnErrorAndNoPointOfItIsReturned() throws {
    let (untouched, _) = try storage()
    var points = try stored(in: untouched)
    var times: [Double] = []
    while let point = try points.next() { times.append(point.timestamp?.secondsSince1970 ?? -1) }
    #expect(times == (0..<20_000).map(Double.init))

    let (whole, file) = try storage()
    _ = try stored(in: whole)
    let (size, length) = (try file.seekToEnd(), try whole.part(0).count)
    var damages: [(String, (FileHandle) throws -> Void)] = []
    for end in [0, 1, UInt64(length), UInt64(length) + 7, size / 2, size - 1] {
      damages.append(("cut off after \(end)", { try $0.truncate(atOffset: end) }))
    }
    var chances = SplitMix64(seed: 15)
    for _ in 0..<200 {
      let place = chances.next() % size
      let byte = UInt8(truncatingIfNeeded: chances.next())
      damages.append(
        (
          "byte \(place) is \(byte)",
          { file in
            try file.seek(toOffset: place)
            let before = try file.read(upToCount: 1)?.first ?? 0
            try file.seek(toOffset: place)
            try file.write(contentsOf: [before == byte ? ~byte : byte])
          }
        ))
    }
    for (what, damage) in damages {
      let (bytes, file) = try storage()
      var points = try stored(in: bytes)
      try damage(file)
      var count = 0
      let error = #expect(throws: ReadingError.self, "\(what)") {
        while let point = try points.next() {
          #expect(point.timestamp?.secondsSince1970 == Double(count), "\(what)")
          count += 1
        }
      }
      #expect(
        error?.description
          == "long.gpx: its points cannot be read from a temporary file: another program changed or shortened it",
        "\(what)")
    }
  }

  @Test func aPipeIsNotReadAgainFromAChangedTemporaryFile() throws {
    let (bytes, file) = try storage()
    try bytes.append(Array("<gpx>".utf8))
    try bytes.append(Array("</gpx>".utf8))
    try file.write(contentsOf: Array("<GPX>".utf8))
    #expect(throws: KeptBytes.Changed.self) { try bytes.part(0) }
    #expect(try bytes.part(1) == Array("</gpx>".utf8))
    try file.truncate(atOffset: 8)
    #expect(throws: KeptBytes.Changed.self) { try bytes.part(1) }
  }

  @Test func shortDocumentIsReadAgain() throws {
    let opened = Opened()
    let track = try Track.gpx(counted(.text(document(points: 20)), opened))
    #expect(try points(track, .fix) == points(track, .all))
    #expect(opened.times == 3)
  }
}
