import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct TrackCommandTests {
  private struct Line: Decodable {
    struct Nearest: Decodable {
      var name: String
      var distance: Double
    }
    var schema: Int
    var type: String
    var latitude: Double?
    var longitude: Double?
    var timestamp: String?
    var distance: Double
    var nearest: Nearest?
    var fixes: Int?
  }

  private func decode(_ result: RunResult) throws -> [Line] {
    try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  private func gpx(_ segments: [[(Double, Double)]], timed: Bool = true) -> String {
    var second = 0
    let body = segments.map { points in
      let points = points.map { latitude, longitude in
        second += 1
        let time = timed ? "<time>2024-05-01T10:\(second / 40 + 10):\(second % 40 + 10)Z</time>" : ""
        return "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\(time)</trkpt>"
      }
      return "<trkseg>\(points.joined(separator: "\n"))</trkseg>"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
      <wpt lat="1" lon="1"/><trk><name>A &amp; B</name><extensions><x:y>z</x:y></extensions>
      \(body.joined())</trk></gpx>
      """
  }

  @Test func builtInWalkIsFollowedAndLabelled() async throws {
    let result = try await MoviesProgram().run("track")
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.hasPrefix("Following a built-in, simulated walk; its cinemas are fictional.\n"))
    #expect(result.lines.last?.hasPrefix("62 fixes, 1.21 km; nearest: The Zoetrope") == true)
  }

  @Test func eachTrackPointIsAFixAndTheLengthIsGeodesic() async throws {
    let program = try MoviesProgram()
    // The distance from 0° to 1° is 110,574.4 m along a meridian of WGS-84, and 111,319.5 m along the equator.
    let north = (0...100).map { (Double($0) / 100, 10.0) }
    let east = (0...100).map { (0.0, 10 + Double($0) / 100) }
    let file = try program.folder.write("walk.gpx", gpx([north, east]))
    let lines = try decode(try await program.run("track", file, "--json"))
    #expect(lines.count == 203)
    #expect(lines.dropLast().allSatisfy { $0.type == "fix" && $0.schema == 1 && $0.nearest != nil })
    let summary = try #require(lines.last)
    #expect(summary.type == "summary")
    #expect(summary.fixes == 202)
    #expect(abs(summary.distance - 221_893.9) < 10)
    #expect(lines[100].distance.rounded() == 110_574)
    #expect(lines[0].timestamp == "2024-05-01T10:10:11Z")
    #expect(lines[100].latitude == 1)
  }

  @Test func equalPointsInSuccessionAreFixesEach() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("still.gpx", gpx([Array(repeating: (52.39, 13.12), count: 20)], timed: false))
    let result = try await program.run("track", file, "--speed", "max", "--json")
    #expect(try decode(result).last?.fixes == 20)
    #expect(try decode(result).count == 21)
    #expect(result.errors.contains("the points have no times"))
  }

  @Test func batchesOfALongFileChangeTheActionsAndNotTheOutput() async throws {
    let program = try MoviesProgram()
    let part = (0..<5_001).map { index -> (Double, Double) in
      let (north, east) = (Double(index % 97), Double(index % 89))
      return (52.39 + north / 10_000, 13.12 + east / 10_000)
    }
    let file = try program.folder.write("long.gpx", gpx([part, part]))
    var outputs: [String] = []
    var moves: [Int] = []
    for arguments in [["--batch", "1"], [], ["--batch", "1000"]] {
      let recording = "\(moves.count).jsonl"
      let result = try await program.run(["track", file, "--json", "--record", recording] + arguments)
      outputs.append(result.output)
      moves.append(try program.folder.text(recording).split(separator: "\n").count { $0.contains(#""moved""#) })
    }
    #expect(outputs[0].split(separator: "\n").count == 10_003)
    #expect(outputs[1] == outputs[0])
    #expect(outputs[2] == outputs[0])
    // Nothing is known of the way between the parts, so a batch ends there.
    #expect(moves[0] == 10_002)
    #expect(moves[1] > 150 && moves[1] < 165)
    #expect(moves[2] > 10 && moves[2] < 16)
  }

  @Test func oneTrackOrRouteOfSeveralIsChosenAndNamed() async throws {
    let program = try MoviesProgram()
    func points(_ tag: String, _ latitudes: [Double]) -> String {
      latitudes.map { "<\(tag) lat=\"\($0)\" lon=\"13\"/>" }.joined()
    }
    let file = try program.folder.write(
      "tour.gpx",
      """
      <gpx>\(points("wpt", [50]))<rte><name>Plan</name>\(points("rtept", [51, 51.1]))</rte>
      <trk><name>Morning run</name><trkseg>\(points("trkpt", [52, 52.1, 52.2]))</trkseg></trk>
      <trk><trkseg>\(points("trkpt", [53, 53.1]))</trkseg></trk></gpx>
      """)
    func latitudes(_ arguments: String...) async throws -> ([Double], String) {
      let result = try await program.run(["track", file, "--json"] + arguments)
      #expect(result.exitCode == 0, "\(arguments)")
      return (try decode(result).compactMap(\.latitude), result.errors)
    }
    let all = try await latitudes()
    #expect(all.0 == [52, 52.1, 52.2, 53, 53.1])
    let contents = "the file has the waypoints, route 1 'Plan', track 1 'Morning run' and track 2"
    #expect(all.1.contains("note: \(file): following 2 tracks; \(contents)\n"))
    for text in ["Morning run", "1", "track 1"] {
      let (places, notes) = try await latitudes("--only", text)
      #expect(places == [52, 52.1, 52.2], "\(text)")
      #expect(notes.contains("following track 1 'Morning run'; \(contents)\n"), "\(text)")
    }
    #expect(try await latitudes("--only", "2").0 == [53, 53.1])
    #expect(try await latitudes("--only", "Plan").0 == [51, 51.1])
    #expect(try await latitudes("--only=route 1").0 == [51, 51.1])
    #expect(try await latitudes("--only", "waypoints").0 == [50])
    for text in ["Evening", "3", "0", " "] {
      let result = try await program.run("track", file, "--only", text)
      #expect(result.exitCode == 1, "\(text)")
      #expect(result.output.isEmpty, "\(text)")
      #expect(
        result.errors == """
          error: \(file): there is no track or route '\(text)'; the file has the waypoints, route 1 'Plan', \
          track 1 'Morning run', track 2

          """)
    }
    let builtIn = try await program.run("track", "--only", "1")
    #expect(builtIn.exitCode == 64)
    #expect(builtIn.errors.hasPrefix("error: 'track' needs a FILE for --only; the built-in walk has only one track\n"))
  }

  @Test func nmeaIsReadAndBadChecksumsAreCounted() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write(
      "log.nmea",
      """
      $GPRMC,100000,A,5223.4000,N,01307.2000,E,000.0,000.0,010524,,*1B
      $GPRMC,100001,A,5223.4100,N,01307.2100,E,000.0,000.0,010524,,*1A
      $GPGGA,100002,5223.4100,N,01307.2100,E,1,08,0.9,45.0,M,46.9,M,,*00

      """)
    let result = try await program.run("track", file, "--json")
    #expect(result.exitCode == 0)
    #expect(try decode(result).last?.fixes == 2)
    #expect(result.errors == "note: \(file): skipped in line 3: the checksum of a sentence is missing or wrong\n")
  }

  @Test func fasterThanRealTimeTakesAsLongAsItShould() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("walk.gpx", gpx([(0...5).map { (52.39 + Double($0) / 10_000, 13.12) }]))
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await program.run("track", file, "--speed", "10", "--json")
    #expect(clock.now - start >= .milliseconds(450))
    #expect(try decode(result).count == 7)
  }

  @Test func truncatedAndForeignFilesAreBadDataAndImpossiblePointsAreSkipped() async throws {
    let program = try MoviesProgram()
    let whole = gpx([[(52.39, 13.12), (52.4, 13.12)]])
    let truncated = try program.folder.write("truncated.gpx", String(whole.prefix(whole.count - 30)))
    let foreign = try program.folder.write("foreign.gpx", "<html><body/></html>")
    let text = try program.folder.write("text.gpx", "hello")
    let impossible = try program.folder.write("impossible.gpx", gpx([[(52.39, 13.12), (95, 13.12)]]))
    for file in [truncated, foreign, text] {
      let result = try await program.run("track", file)
      #expect(result.exitCode == 65)
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("error: \(file):"))
    }
    let skipping = try await program.run("track", impossible)
    #expect(skipping.exitCode == 0)
    #expect(skipping.errors.contains("latitude 95"))
    let missing = try await program.run("track", "nowhere.gpx")
    #expect(missing.exitCode == 66)
    #expect(missing.errors == "error: nowhere.gpx: there is no such file\n")
  }

  @Test func nearbyListsTheNearestFirst() async throws {
    let program = try MoviesProgram()
    let result = try await program.run("nearby", "--at", "52.39105,13.12040", "--radius", "300", "--json")
    struct Found: Decodable {
      var name: String
      var distance: Double
    }
    let found = try JSONDecoder().decode([Found].self, from: Data(result.output.utf8))
    #expect(found.first?.name == "Lantern House")
    #expect(found.first?.distance == 0)
    #expect(found.map(\.distance) == found.map(\.distance).sorted())
    #expect(found.allSatisfy { $0.distance <= 300 })
    let here = try await program.run("nearby")
    #expect(here.output.hasPrefix("CINEMA (fictional)"))
    #expect(here.errors.contains("simulated"))
    let nowhere = try await program.run("nearby", "--at", "-89.9,0", "--json")
    #expect(nowhere.output == "[]\n")
    #expect(nowhere.exitCode == 0)
  }

  @Test func smallRadiusIsNamedWithoutRounding() async throws {
    let program = try MoviesProgram()
    let result = try await program.run("nearby", "--at", "52.3906,13.1200", "--radius", "0.4")
    #expect(result.errors.contains("no cinema within 0.4 m; the nearest is "))
  }
}
