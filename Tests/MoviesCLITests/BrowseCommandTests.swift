import Foundation
import Testing

/// The full screen of the real executable, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(15))) struct BrowseCommandTests {
  private func browse(_ arguments: String...) async throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(MoviesProgram(), ["browse"] + arguments)
    await terminal.waitForBrowse()
    return terminal
  }

  @Test func theTerminalIsAsBeforeAfterQuitting() async throws {
    let terminal = try await browse()
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.output.hasPrefix("\u{1B}[?1049h"))
    #expect(terminal.output.hasSuffix(PseudoTerminal.leavesTheScreen))
  }

  @Test func searchingAndChoosingShowsAHeartThatTheServerConfirms() async throws {
    let terminal = try await browse("--latency", "1ms")
    terminal.type("/nosferatu")
    await terminal.wait(for: "Fantasy, Horror")
    terminal.type("\r ")
    await terminal.wait(for: "confirmed by")
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)
  }

  @Test func interruptRestoresTheTerminalAndExitsWith130() async throws {
    let terminal = try await browse()
    terminal.type("\u{3}")
    #expect(await terminal.exitCode() == 130)
    #expect(terminal.output.contains(PseudoTerminal.leavesTheScreen))
  }

  @Test func pastedTextIsSearchedForAndRunsNothing() async throws {
    let terminal = try await browse()
    #expect(terminal.output.hasPrefix("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?2004h"))
    terminal.type("\u{1B}[200~q\u{1B}[201~")
    await terminal.wait(for: "pasted text is ignored")
    terminal.type("/\u{1B}[200~nosferatu\nq\u{1B}[201~\u{7F}\u{7F}")
    await terminal.wait(for: "Fantasy, Horror")
    terminal.type("\rq")
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.output.hasSuffix("\u{1B}[?2004l" + PseudoTerminal.leavesTheScreen))
  }

  @Test func controlLDrawsTheWholeScreenAgain() async throws {
    let terminal = try await browse()
    terminal.type("\u{C}?")
    await terminal.wait(for: "undo a change")
    #expect(terminal.output.components(separatedBy: "\u{1B}[2J").count == 3)
    terminal.type("?q")
    #expect(await terminal.exitCode() == 0)
  }

  @Test func keysAfterTheQuittingKeyDoNothing() async throws {
    let program = try MoviesProgram()
    let terminal = try PseudoTerminal(program, ["browse", "--latency", "1ms"])
    await terminal.waitForBrowse()
    terminal.type("q w")
    #expect(await terminal.exitCode() == 0)
    #expect(try await program.run("favorite", "list").output == "")
  }

  /// The keys arrive in one read, and the server answers later. The text on the screen is tested in `BrowseTests`.
  @Test(arguments: [" \u{3}", " q\u{3}"])
  func interruptDoesNotWaitAndNamesTheUnconfirmedFavourite(keys: String) async throws {
    let terminal = try await browse("--latency", "4s")
    terminal.type(keys)
    #expect(await terminal.exitCode() == 130)
    #expect(
      terminal.linesAfterTheScreen == [
        "note: The Arrival of a Train (1896): the server has not confirmed the change"
      ])
  }

  @Test func aDamagedFileIsReportedOnTheScreenAndAfterIt() async throws {
    let program = try MoviesProgram()
    _ = try program.folder.write("damaged/favorites.json", "{")
    let terminal = try PseudoTerminal(program, ["--data-dir", "damaged", "browse", "--latency", "1ms"])
    await terminal.wait(for: "favourites file damaged; a change renames it")
    terminal.type("\u{1B}[B\u{1B}")
    await terminal.wait(for: "choose")
    terminal.type("q")
    #expect(await terminal.exitCode() == 65)
    #expect(terminal.linesAfterTheScreen.first?.contains("is damaged") == true)

    let changing = try PseudoTerminal(program, ["--data-dir", "damaged", "browse", "--latency", "1ms"])
    await changing.wait(for: "favourites file damaged")
    changing.type(" ")
    await changing.wait(for: "confirmed by")
    changing.type("q")
    #expect(await changing.exitCode() == 65)
    #expect(changing.linesAfterTheScreen.first?.contains("It was renamed to") == true)
  }

  @Test(arguments: [("", "TERM is not set"), ("dumb", "TERM is 'dumb'")])
  func aTerminalThatCannotMoveTheCursorIsNamed(term: String, reason: String) async throws {
    var program = try MoviesProgram()
    program.environment["TERM"] = term
    let terminal = try PseudoTerminal(program, ["browse"])
    #expect(await terminal.exitCode() == 64)
    #expect(terminal.output.contains(reason))
  }

  @Test func theScreenIsOpenWhileTheServerResponds() async throws {
    let terminal = try PseudoTerminal(MoviesProgram(), ["browse", "--latency", "10m"])
    await terminal.wait(for: "Trip to the Moon")
    await terminal.wait(for: "loading favourites …")
    terminal.type(" ")
    await terminal.wait(for: "the favourites are being loaded")
    terminal.type("\u{3}")
    #expect(await terminal.exitCode() == 130)
    #expect(terminal.linesAfterTheScreen == [])
  }

  @Test func quittingWaitsForTheServer() async throws {
    let program = try MoviesProgram()
    let terminal = try PseudoTerminal(program, ["browse", "--latency", "400ms"])
    await terminal.waitForBrowse()
    terminal.type(" q")
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.linesAfterTheScreen == [])
    #expect(try await program.run("favorite", "list").output.contains("The Arrival of a Train"))
  }

  @Test func refusedFavouritesAreListedAfterTheScreenAndGiveExitCode1() async throws {
    let terminal = try await browse("--latency", "1ms", "--failure-rate", "1")
    terminal.type(" ")
    await terminal.wait(for: "refused:")
    // The program waits for the response to the second request.
    terminal.type("\u{1B}[B q")
    #expect(await terminal.exitCode() == 1)
    #expect(
      terminal.linesAfterTheScreen == [
        "error: The Arrival of a Train (1896) could not be added to the favourites: the server refuses it (simulated)",
        "error: A Trip to the Moon (1902) could not be added to the favourites: the server refuses it (simulated)",
      ])
  }

  private static let signals: [(Int32, Int32)] = [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131)]

  @Test(arguments: signals)
  func aSignalRestoresTheTerminal(signal: Int32, exitCode: Int32) async throws {
    let terminal = try await browse()
    terminal.signal(signal)
    #expect(await terminal.exitCode() == exitCode)
    #expect(terminal.output.hasSuffix(PseudoTerminal.leavesTheScreen))
  }

  @Test(arguments: signals)
  func aSignalNamesTheUnconfirmedFavouriteAfterTheScreen(signal: Int32, exitCode: Int32) async throws {
    var program = try MoviesProgram()
    program.environment["MOVIES"] = MoviesProgram.executable.path
    // The shell sends the signal, because this process may be busy for longer than the server takes.
    let script = """
      (grep -q 'toggle("' < <(tail -n +1 -F log); kill -\(signal) $$) 2>/dev/null &
      exec "$MOVIES" browse --latency 5s --log compact --log-file log
      """
    let terminal = try PseudoTerminal(program, ["bash", "-c", script], executable: URL(filePath: "/usr/bin/env"))
    await terminal.waitForBrowse()
    terminal.type(" ")
    #expect(await terminal.exitCode() == exitCode)
    #expect(
      terminal.linesAfterTheScreen == [
        "note: The Arrival of a Train (1896): the server has not confirmed the change"
      ])
  }

  @Test func aSignalNamesTheRefusedFavouriteAfterTheScreen() async throws {
    let terminal = try await browse("--latency", "1ms", "--failure-rate", "1", "--quiet")
    terminal.type(" ")
    await terminal.wait(for: "refused:")
    terminal.signal(SIGTERM)
    #expect(await terminal.exitCode() == 143)
    #expect(
      terminal.linesAfterTheScreen == [
        "error: The Arrival of a Train (1896) could not be added to the favourites: the server refuses it (simulated)"
      ])
  }

  @Test(arguments: ["off", "compact", "json"]) func aSettingForTheLogDoesNotConcernTheScreen(log: String) async throws {
    var program = try MoviesProgram()
    program.environment["MOVIES_LOG"] = log
    let terminal = try PseudoTerminal(program, ["browse"])
    await terminal.waitForBrowse()
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.linesAfterTheScreen == [])
  }

  #if os(Linux)
    /// The first actions come before the screen, so their log may fail before it opens.
    @Test func aLogThatCannotBeWrittenIsReportedOutsideOfTheScreen() async throws {
      let terminal = try await browse("--log-file", "/dev/full", "--latency", "1ms")
      terminal.type(" ")
      await terminal.wait(for: "confirmed by")
      terminal.type("q")
      #expect(await terminal.exitCode() == 0)
      #expect(terminal.output.components(separatedBy: "warning: ").count == 2)
      let begin = try #require(terminal.output.firstRange(of: "\u{1B}[?1049h")).lowerBound
      let before = terminal.output[..<begin].split(whereSeparator: \.isNewline).map(String.init)
      #expect(
        before + terminal.linesAfterTheScreen == [
          "warning: the log cannot be written to '/dev/full': No space left on device (write). "
            + "The program continues."
        ])
    }
  #endif

  @Test func aCatalogueCannotComeFromTheTerminal() async throws {
    let terminal = try PseudoTerminal(MoviesProgram(), ["browse", "--catalog", "-"])
    #expect(await terminal.exitCode() == 64)
    #expect(terminal.output.contains("Write the catalogue to a file, and name this file for --catalog."))
  }

  @Test func withoutATerminalItSaysWhatToUse() async throws {
    let result = try await MoviesProgram().run("browse")
    #expect(result.exitCode == 64)
    #expect(result.output == "")
    #expect(result.errors.contains("needs a terminal"))
  }

  @Test func aCatalogueFromAPipeMustBeInAFile() async throws {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", "movieId,title,genres\n1,Greed (1924),Drama\n")
    let result = try await program.shell("cat movies.csv | \"$MOVIES\" --catalog - browse")
    #expect(result.exitCode == 64)
    #expect(
      result.errors == """
        error: 'browse' needs a terminal as standard input, to read keys. Write the catalogue to a file, and name this \
        file for --catalog.

        """)
  }
}

/// The full screen under a shell with job control, as on a real terminal.
@Suite(.timeLimit(.minutes(15))) struct BrowseJobTests {
  private static let setsid = URL(filePath: "/usr/bin/setsid")
  private func shell() throws -> PseudoTerminal {
    var program = try MoviesProgram()
    program.environment["MOVIES"] = MoviesProgram.executable.path
    program.environment["PS1"] = "ready> "
    return try PseudoTerminal(
      program, ["-c", "-w", "bash", "--norc", "--noprofile", "-i"], executable: Self.setsid)
  }

  /// `wait` returns when the job has stopped. The quotes make the output differ from the typed line.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: setsid.path), "there is no setsid"))
  func inTheBackgroundTheProgramStopsAndLeavesTheTerminalAlone() async throws {
    let terminal = try shell()
    terminal.type("\"$MOVIES\" browse & wait; echo sto''pped\n")
    await terminal.wait(forOneOf: ["stopped", "\u{1B}[?1049h"])
    try #require(!terminal.output.contains("\u{1B}[?1049h"))
    terminal.type("fg\n")
    await terminal.waitForBrowse()
    terminal.type("\u{1A}")
    await terminal.wait(for: PseudoTerminal.leavesTheScreen)
    let left = terminal.output.count
    terminal.type("bg; wait; echo ag''ain\n")
    await terminal.wait(for: "again", after: left)
    try #require(!terminal.output.dropFirst(left).contains("\u{1B}[?1049h"))
    terminal.type("fg\n")
    await terminal.wait(for: "Trip to the Moon", after: left)
    terminal.type("q")
    await terminal.wait(for: PseudoTerminal.leavesTheScreen, after: left)
    terminal.type("echo code $?; exit\n")
    await terminal.wait(for: "code 0", after: left)
    _ = await terminal.exitCode()
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: setsid.path), "there is no setsid"))
  func stoppingAndContinuingRestoresTheTerminalAndDrawsAnew() async throws {
    let terminal = try shell()
    terminal.type("\"$MOVIES\" browse\n")
    await terminal.waitForBrowse()
    terminal.type("\u{1A}")
    await terminal.wait(for: "Stopped")
    #expect(terminal.output.contains(PseudoTerminal.leavesTheScreen))
    let before = terminal.output.count
    terminal.type("fg\n")
    await terminal.wait(for: "\u{1B}[?25l\u{1B}[?2004h", after: before)
    await terminal.wait(for: "Trip to the Moon", after: before)
    let drawn = terminal.output.count
    terminal.resize(columns: 100, rows: 40)
    await terminal.wait(for: "\u{1B}[40;", after: drawn)
    terminal.type("q")
    await terminal.wait(for: PseudoTerminal.leavesTheScreen, after: drawn)
    // The program reads keys until it ends.
    await terminal.wait(for: "ready> ", after: drawn)
    terminal.type("echo code $?; exit\n")
    await terminal.wait(for: "code 0", after: drawn)
    _ = await terminal.exitCode()
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: setsid.path), "there is no setsid"),
    arguments: [SIGSTOP, SIGTSTP])
  func aScreenThatAnotherProcessStoppedIsOpenedAgain(signal: Int32) async throws {
    let terminal = try shell()
    terminal.type("bash -c 'echo $$ > browser; exec \"$MOVIES\" browse'\n")
    await terminal.wait(for: "Trip to the Moon")
    try terminal.signal(signal, processIn: "browser")
    await terminal.wait(for: "Stopped")
    // No process can react to SIGSTOP.
    #expect(terminal.output.contains(PseudoTerminal.leavesTheScreen) == (signal == SIGTSTP))
    let before = terminal.output.count
    terminal.type("fg\n")
    await terminal.wait(for: "\u{1B}[?25l\u{1B}[?2004h", after: before)
    await terminal.wait(for: "Trip to the Moon", after: before)
    let drawn = terminal.output.count
    terminal.type("q")
    await terminal.wait(for: PseudoTerminal.leavesTheScreen, after: drawn)
    await terminal.wait(for: "ready> ", after: drawn)
    terminal.type("echo code $?; exit\n")
    await terminal.wait(for: "code 0", after: drawn)
    _ = await terminal.exitCode()
  }
}

/// The recording of a session: the same actions lead to the same state, and the page lists the keys.
@Suite(.timeLimit(.minutes(15))) struct BrowseRecordingTests {
  @Test func aSessionIsRecordedReplayedAndReported() async throws {
    let program = try MoviesProgram()
    let terminal = try PseudoTerminal(program, ["browse", "--latency", "1ms", "--record", "session.jsonl"])
    await terminal.waitForBrowse()
    terminal.type("/nosfer")
    await terminal.wait(for: "Fantasy, Horror")
    terminal.type("\r ")
    await terminal.wait(for: "confirmed by")
    terminal.type("[")
    await terminal.wait(for: "THE PAST")
    terminal.type("]")
    await terminal.wait(for: "♥ 1")
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)

    let replay = try await program.run("replay", "session.jsonl", "--json")
    #expect(replay.exitCode == 0)
    let line = Data(String(replay.lines.last ?? "").utf8)
    let summary = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
    #expect(summary["equal"] as? Bool == true)
    let screen = try #require((summary["state"] as? [String: Any])?["screen"] as? [String: Any])
    #expect(screen["query"] as? String == "nosfer")
    #expect(screen["closing"] as? String == "quit")
    #expect(screen["results"] as? [String] == ["nosferatu-1922"])
    let text = try await program.run("replay", "session.jsonl")
    #expect(text.output.contains("favorites  nosferatu-1922\n"))

    let steps = try await program.run("replay", "session.jsonl", "--step").output
    let report = try await program.run("report", "session.jsonl")
    #expect(report.exitCode == 0)
    let page = try program.folder.text("session.html")
    for key in ["/", "n", "o", "s", "f", "e", "r", " ", "[", "]", "q"] {
      #expect(steps.contains(".screen(.key(.text(\"\(key)\")))"), "\(key)")
      #expect(page.contains("\"screen · text \(key)\""), "\(key)")
    }
    #expect(steps.contains(".screen(.key(.enter))"))
  }
}

extension PseudoTerminal {
  /// Returns when the full screen shows the movies and the number of favourites.
  fileprivate func waitForBrowse() async {
    await wait(for: "Trip to the Moon")
    await wait(for: "♥ 0")
  }
}
