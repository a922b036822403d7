import Foundation
import Testing

/// The notes of `track` about a file, each of which must be true.
@Suite(.timeLimit(.minutes(15))) struct TrackNoteTests {
  private func gpx(_ content: String) -> String {
    "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(content)</gpx>"
  }

  private func tracks(_ count: Int) -> String {
    (1...count).map { "<trk><name>T\($0)</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk>" }.joined()
  }

  private func follow(_ document: String, _ arguments: String...) async throws -> RunResult {
    let program = try MoviesProgram()
    try program.folder.write("w.gpx", document)
    return try await program.run(["track", "w.gpx", "--json"] + arguments)
  }

  @Test func ofManyTracksTheNoteNamesFiveAndCountsTheOthers() async throws {
    let five = try await follow(gpx(tracks(5)))
    #expect(
      five.errors.contains("; the file has track 1 'T1', track 2 'T2', track 3 'T3', track 4 'T4' and track 5 'T5'\n"))
    let seven = try await follow(gpx(tracks(7)))
    #expect(
      seven.errors.contains(
        """
        following 7 tracks; the file has track 1 'T1', track 2 'T2', track 3 'T3', track 4 'T4', track 5 'T5', and 2 more

        """))
    let many = try await follow(gpx(tracks(12_000)), "--only", "11000")
    #expect(many.exitCode == 0)
    #expect(many.errors.contains("following track 11000 'T11000'; "))
  }

  @Test func theOnlyPointAfterManyEmptyTracksIsFollowed() async throws {
    let empty = String(repeating: "<trk/>", count: 10_001)
    let result = try await follow(gpx(empty + tracks(1)))
    #expect(result.lines.last?.contains("\"fixes\":1") == true)
    #expect(!result.errors.contains("there are no points"))
    #expect(result.errors.contains("following track 10002 'T1'; "))
  }

  @Test func withoutTimesTheNoteNamesThePaceAndTheFirstDay() async throws {
    let result = try await follow(gpx("<wpt lat=\"1\" lon=\"2\"/>"))
    #expect(result.lines.first?.contains("1970-01-01T00:00:00Z") == true)
    #expect(
      result.errors == """
        note: w.gpx: the points have no times; a walker's pace of 1.4 m/s is assumed, and the times count from 1970-01-01

        """)
  }

  @Test func aFileWhosePointsAreAllDamagedIsBadData() async throws {
    let result = try await follow(gpx("<trk><trkseg><trkpt lat=\"48,1\" lon=\"11,5\"/></trkseg></trk>"))
    #expect(result.exitCode == 65)
    #expect(
      result.errors == "error: w.gpx:1: the only point is damaged: latitude '48,1' is not a number\n")
  }

  @Test func whatIsReadNeverthelessIsFoundAndNotSkipped() async throws {
    let result = try await follow(
      """
      <gpx xmlns="https://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"><time>2024-05-01T08:00:00Z</time><x:y/></wpt>
      <wpt lat="1"/></gpx>
      """)
    #expect(
      result.errors == """
        note: w.gpx: found in line 1: the namespace 'https://www.topografix.com/GPX/1/1' differs from that of GPX
        note: w.gpx: found in line 1: the prefix of 'x:y' is not declared
        note: w.gpx: skipped in line 2: <wpt> has no attribute 'lon'

        """)
  }

  @Test func aValueIsIgnoredAndAPointIsSkipped() async throws {
    let points = ["<ele>high</ele><time>noon</time>", "<time>2024-05-01T08:00:00Z</time>", "<time></time>"]
      .map { "<wpt lat='1' lon='2'>\($0)</wpt>" }
    let result = try await follow(gpx(points.joined() + "<wpt lat='1'/>"))
    #expect(result.lines.last?.contains("\"fixes\":3") == true)
    #expect(result.errors.contains("note: w.gpx: ignored in line 1: 'high' in <ele> is not a number\n"))
    #expect(result.errors.contains("note: w.gpx: ignored 2 times, first in line 1: the time 'noon' is not"))
    #expect(result.errors.contains("note: w.gpx: skipped in line 1: <wpt> has no attribute 'lon'\n"))
  }

  @Test(arguments: [("2024-05-01", false), ("2024-05-30", true)])
  func aLongPauseIsNamedOnATerminal(day: String, isNamed: Bool) async throws {
    let program = try MoviesProgram()
    let times = ["2024-05-01T08:00:00Z", "\(day)T09:00:00Z", "\(day)T10:00:00Z"]
    let points = times.map { "<trkpt lat='1' lon='2'><time>\($0)</time></trkpt>" }
    try program.folder.write("w.gpx", gpx("<trk><trkseg>\(points.joined())</trkseg></trk>"))
    let terminal = try PseudoTerminal(program, ["track", "w.gpx"], columns: 200)
    await terminal.wait(for: "Following w.gpx")
    // The walk would take ten seconds.
    terminal.signal(SIGTERM)
    _ = await terminal.exitCode()
    #expect(terminal.output.contains("w.gpx: the longest time between two points takes 10.0 s") == isNamed)
  }

  @Test func severalDocumentsInOneStreamAreFollowedUpToTheEndOfTheFirst() async throws {
    let program = try MoviesProgram()
    try program.folder.write("w.gpx", gpx(tracks(1)) + "\n")
    let result = try await program.shell("cat w.gpx w.gpx w.gpx | \"$MOVIES\" track - --json")
    #expect(result.exitCode == 0)
    #expect(
      result.errors.contains(
        """
        note: standard input: skipped in line 2: another document begins here; it and everything after it is ignored. \
        Follow the files one by one

        """))
  }
}
