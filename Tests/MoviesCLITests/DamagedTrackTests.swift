import Foundation
import Testing

/// Tracks with damaged or unusual values: what is skipped, and what the messages say.
@Suite(.timeLimit(.minutes(15))) struct DamagedTrackTests {
  @Test func longitudeBeyondTheDateLineIsRead() async throws {
    let program = try MoviesProgram()
    let points = ["180", "181", "-180.5", "179"].map { "<trkpt lat=\"1\" lon=\"\($0)\"/>\n" }.joined()
    try program.folder.write("w.gpx", "<gpx><trk><trkseg>\n\(points)</trkseg></trk></gpx>")
    let result = try await program.run("track", "w.gpx", "--json")
    #expect(result.lines.last?.contains("\"fixes\":4") == true)
    #expect(
      result.errors.contains(
        "found 2 times, first in line 3: longitude 181.0 is not between -180 and 180; -179.0 is used"))
  }

  @Test func logWithoutChecksumsAndDateIsFollowedWithANote() async throws {
    let program = try MoviesProgram()
    try program.folder.write(
      "log.nmea",
      """
      $GPGGA,100000,5223.4000,N,01307.2000,E,1,08,0.9,45.0,M,46.9,M,,
      $GPGGA,100001,5223.4100,N,01307.2100,E,1,08,0.9,45.0,M,46.9,M,,

      """)
    let result = try await program.run("track", "log.nmea", "--json")
    #expect(result.exitCode == 0)
    #expect(result.lines.last?.contains("\"fixes\":2") == true)
    #expect(result.errors == "note: log.nmea: no position of the log has a date; the first day counts as 1970-01-01\n")
    // A missing checksum after others means that the line was cut off.
    try program.folder.write(
      "cut.nmea",
      """
      $GPRMC,100000,A,5223.4000,N,01307.2000,E,000.0,000.0,010524,,*1B
      $GPRMC,100001,A,5223.4100,N,01307.2100,E,000.0,000.0,010524,,

      """)
    let cut = try await program.run("track", "cut.nmea", "--json")
    #expect(cut.lines.last?.contains("\"fixes\":1") == true)
    #expect(cut.errors == "note: cut.nmea: skipped in line 2: the checksum of a sentence is missing or wrong\n")
  }

  @Test func pipeWithoutATemporaryFolderSaysWhatToDo() async throws {
    let program = try MoviesProgram()
    try program.folder.write("w.gpx", "<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>")
    let result = try await program.shell("cat w.gpx | TMPDIR=missing \"$MOVIES\" track -")
    #expect(result.exitCode == 66)
    #expect(
      result.errors == """
        error: standard input: its bytes cannot be kept in a temporary file in '\(program.folder.path("missing"))': No such file or directory. \
        Set TMPDIR to a folder with space that you can write to

        """)
  }

  @Test func compressedInputNamesTheProgramThatUnpacksIt() async throws {
    let program = try MoviesProgram()
    try program.folder.write("w.gpx.gz", Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
    let result = try await program.shell("cat w.gpx.gz | \"$MOVIES\" track -")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("the file is compressed (gzip). Decompress it first: gzip -dc FILE > NEW\n"))
  }
}
