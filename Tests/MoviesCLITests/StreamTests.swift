import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct StreamTests {
  @Test func closedPipeEndsQuietly() async throws {
    let program = try MoviesProgram()
    var text = "movieId,title,genres\n"
    for number in 1...20_000 { text += "\(number),A title that is long enough to fill the pipe (1950),Drama\n" }
    let file = try program.folder.write("movies.csv", text)
    let result = try await program.shell("\"$MOVIES\" list --catalog \(file) | head -n 1; echo \"${PIPESTATUS[0]}\"")
    #expect(result.errors.isEmpty)
    #expect(result.lines.last == "0")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no /dev/full here."))
  func aRecordingThatCannotBeWrittenIsReportedOnce() async throws {
    let result = try await MoviesProgram().run("genres", "--record", "/dev/full")
    #expect(result.exitCode == 74)
    #expect(result.errors == "error: /dev/full: the file cannot be written: No space left on device\n")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no /dev/full here."))
  func fullDiskIsAnInputOutputError() async throws {
    let result = try await MoviesProgram().shell("\"$MOVIES\" list > /dev/full")
    #expect(result.exitCode == 74)
    #expect(result.errors.hasPrefix("error: standard output cannot be written: "))
  }

  @Test func outputBeyondTheLimitOfAFileIsAnInputOutputError() async throws {
    let result = try await MoviesProgram().shell(
      "(ulimit -f 1; \"$MOVIES\" list --json > big; echo $? >&2)")
    #expect(result.errors == "error: standard output cannot be written: File too large\n74\n")
  }

  @Test func closedStandardOutputIsAnErrorAndNothingIsDone() async throws {
    let program = try MoviesProgram()
    let result = try await program.shell("\"$MOVIES\" favorite add faust-1926 --log-file log >&-; echo $? >&2")
    #expect(result.errors == "error: standard output is closed; to discard the output, use '> /dev/null'\n74\n")
    #expect(!FileManager.default.fileExists(atPath: program.dataDirectory))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path("log")))
  }

  @Test func colourIsUsedOnlyWhenItIsAskedForInAPipe() async throws {
    let program = try MoviesProgram()
    #expect(!(try await program.run("list").output.contains("\u{1B}")))
    #expect(try await program.run("list", "--color", "always").output.contains("\u{1B}[1mTITLE"))
    #expect(!(try await program.run("list", "--color", "never").output.contains("\u{1B}")))
  }

  @Test func theNameOfAFileIsShownWithoutItsControlCharacters() async throws {
    let program = try MoviesProgram()
    let name = "a\u{1B}[2J\u{7F}\u{202E}b"
    try program.folder.write("\(name).csv", "movieId,title,genres\n1,Greed (1924),Drama\n")
    try program.folder.write(
      "\(name).nmea", "$GPRMC,100000,A,5223.4000,N,01307.2000,E,000.0,000.0,010524,,*1B\n")
    #expect(try await program.run("demo", "--record", "run.jsonl").exitCode == 0)
    for words in [
      ["demo", "--catalog", "\(name).csv"], ["report", "run.jsonl", "--output", "\(name).html"],
      ["track", "\(name).nmea"],
    ] {
      let result = try await program.run(words)
      #expect(result.exitCode == 0)
      #expect(result.output.contains("[2J"))
      let controls: Set<Unicode.Scalar> = ["\u{1B}", "\u{7F}", "\u{202E}"]
      #expect(!result.output.unicodeScalars.contains(where: controls.contains), "\(words[0])")
    }
  }

  @Test func logGoesToStandardErrorOrToAFile() async throws {
    let program = try MoviesProgram()
    let compact = try await program.run("list", "--log", "compact")
    #expect(compact.errors.contains(".movies(.load) MoviesApp/Session.swift:"))
    #expect(!compact.output.contains(".movies("))
    let json = try await program.run("list", "--log", "json", "--log-file", "log.jsonl")
    #expect(json.errors.isEmpty)
    let lines = try program.folder.text("log.jsonl").split(separator: "\n")
    #expect(lines.count >= 5)
    for line in lines {
      let record = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(record["schema"] as? Int == 1)
    }
  }

  @Test func logFileThatCannotBeWrittenIsAnInputOutputError() async throws {
    let result = try await MoviesProgram().run("list", "--log-file", "/nowhere/log")
    #expect(result.exitCode == 74)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("error: /nowhere/log: the file cannot be written: "))
  }
}
