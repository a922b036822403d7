import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct RecordingTests {
  /// A program with a recording in which one favourite is added.
  private func recorded() async throws -> MoviesProgram {
    let program = try MoviesProgram()
    let result = try await program.run("favorite", "add", "faust-1926", "--record", "run.jsonl")
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    return program
  }

  @Test func replayGivesTheSameStates() async throws {
    let result = try await recorded().run("replay", "run.jsonl")
    #expect(result.exitCode == 0)
    #expect(
      result.output.replacing(/MoviesCLI [0-9.]+/, with: "MoviesCLI") == """
        MoviesCLI: 6 actions; 6 checksums equal
          movies     57 movies, built-in catalogue of films from before 1930
          favorites  faust-1926
          walk       0 fixes, 0 m

        """)
  }

  @Test func demoReplaysWithEveryChecksumEqual() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("demo", "--record", "demo.jsonl")
    let result = try await program.run("replay", "demo.jsonl", "--json")
    let summary = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(summary["equal"] as? Bool == true)
    #expect(summary["verified"] as? Int == summary["actions"] as? Int)
    #expect(summary["actions"] as? Int ?? 0 > 70)
  }

  @Test(arguments: [["--to", "3"], ["--skip", "5"]])
  func aReplayThatComparesNothingDoesNotSayThatTheStatesAreEqual(options: [String]) async throws {
    let result = try await recorded().run(["replay", "run.jsonl", "--json"] + options)
    #expect(result.exitCode == 0)
    #expect(result.output.contains(#""verified":0,"equal":null"#))
  }

  /// Lines after the end are damage, and a missing end makes a recording incomplete. In both, each state is equal.
  @Test(arguments: ["head -n -1 run.jsonl", "cat run.jsonl run.jsonl"])
  func aRecordingThatIsNotWholeIsNotComplete(content: String) async throws {
    let program = try await recorded()
    let json = try await program.shell("\(content) > part.jsonl; \"$MOVIES\" replay part.jsonl --json")
    #expect(json.exitCode == 1)
    #expect(json.output.contains(#""equal":true,"complete":false,"#))
    let whole = try await program.run("replay", "run.jsonl", "--json")
    #expect(whole.output.contains(#""equal":true,"complete":true,"#))
    let test = try await program.run("replay", "part.jsonl", "--as-test", "5..6")
    #expect(test.exitCode == 1)
    #expect(test.errors == json.errors)
  }

  @Test func stepsStopAndLeaveOut() async throws {
    let program = try await recorded()
    let steps = try await program.run("replay", "run.jsonl", "--step", "--to", "3")
    #expect(steps.output.hasPrefix("    1  .movies(.load)\n       from MoviesApp/Session.swift:"))
    #expect(steps.output.contains("3 of 6 actions"))
    #expect(!steps.output.contains("faust-1926"))
    let skipped = try await program.run("replay", "run.jsonl", "--skip", "5")
    #expect(skipped.exitCode == 0)
    #expect(skipped.output.contains("6 actions, 1 left out, 1 orphaned; the states were computed again"))
    #expect(skipped.output.contains("favorites  none"))
    let json = try await program.run("replay", "run.jsonl", "--step", "--json")
    #expect(json.lines.count == 7)
    for line in json.lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  @Test func changedRecordingIsFoundOut() async throws {
    let program = try await recorded()
    let text = try program.folder.text("run.jsonl")
    // The intent has changed, but the following checksums are those of the original intent.
    var lines = text.split(separator: "\n").map(String.init)
    lines[5] = lines[5].replacing("faust-1926", with: "greed-1924")
    try program.folder.write("changed.jsonl", lines.joined(separator: "\n") + "\n")
    let result = try await program.run("replay", "changed.jsonl")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("4 actions; the recording is damaged"))
    #expect(result.errors == "error: changed.jsonl:6: the line was changed after it was written\n")
    let report = try await program.run("report", "changed.jsonl")
    #expect(report.exitCode == 1)
    #expect(report.errors == result.errors)
    #expect(
      try program.folder.text("changed.html").contains("changed.jsonl:6: the line was changed after it was written."))
  }

  @Test func whatIsLeftOfACutOffRecordingIsReadAndTheCutIsAFailure() async throws {
    let program = try await recorded()
    let text = try program.folder.text("run.jsonl")
    // The recording lacks its end and half of the last action.
    let lines = text.split(separator: "\n").dropLast()
    try program.folder.write("cut.jsonl", String(lines.joined(separator: "\n").dropLast(20)))
    let cut = try await program.run("replay", "cut.jsonl")
    #expect(cut.exitCode == 1)
    #expect(cut.output.contains("5 actions; 5 checksums equal"))
    #expect(
      cut.errors == "error: cut.jsonl:7: the line is cut off: the program that wrote it was killed, or the copy is "
        + "incomplete. What follows action 5 is lost\n")
    // The last lines are lost. Only the missing end shows this.
    try program.folder.write("open.jsonl", lines.dropLast().joined(separator: "\n") + "\n")
    let said =
      "error: open.jsonl:7: the recording has no end: the program did not close it,"
      + " or the lines after action 5 are lost\n"
    let open = try await program.run("replay", "open.jsonl")
    #expect(open.exitCode == 1)
    #expect(open.errors == said)
    let report = try await program.run("report", "open.jsonl")
    #expect(report.exitCode == 1)
    #expect(report.errors == said)
    #expect(report.output == "open.html: 5 actions\n")
    try program.folder.write("damaged.jsonl", text.replacing("\"number\":3", with: "\"number\":\"three\""))
    let damaged = try await program.run("replay", "damaged.jsonl")
    #expect(damaged.exitCode == 1)
    #expect(damaged.errors.hasPrefix("error: damaged.jsonl:4: "))
    try program.folder.write("other.jsonl", "{}\n")
    #expect(try await program.run("replay", "other.jsonl").exitCode == 65)
    #expect(try await program.run("replay", "nowhere.jsonl").exitCode == 66)
  }

  @Test func leavingOutAWishLeavesNoAnswerOfItBehind() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("demo", "--record", "demo.jsonl")
    let steps = try await program.run("replay", "demo.jsonl", "--step")
    let wish = try #require(
      steps.lines.first { $0.contains(".favorites(.set(\"metropolis-1927\", isFavorite: true))") })
    let number = try #require(wish.split(separator: " ").first.map(String.init))
    let result = try await program.run("replay", "demo.jsonl", "--skip", number)
    // The refused favourite is refused in this run too, and the action that is left out adds none.
    #expect(result.output.contains("favorites  the-cheat-1915 (not added: the server refuses this one (simulated))\n"))
    #expect(result.output.contains("1 left out, 1 orphaned; the states were computed again"))
    #expect(result.output.contains(": no request for metropolis-1927 is under way\n"))
  }

  @Test func aTestIsPrintedOfActionsThatAreThere() async throws {
    let program = try await recorded()
    let test = try await program.run("replay", "run.jsonl", "--as-test", "5..6")
    #expect(test.exitCode == 0)
    #expect(test.output.contains("@Test func recordedActions5To6() async throws {"))
    #expect(try await program.run("replay", "run.jsonl", "--as-test", "5..7").exitCode == 1)
    #expect(try await program.run("replay", "run.jsonl", "--as-test", "6..5").exitCode == 64)
    for other in [["--to", "6"], ["--step"], ["--skip", "1"], ["--json"]] {
      let result = try await program.run(["replay", "run.jsonl", "--as-test", "5..6"] + other)
      #expect(result.exitCode == 64 && result.output.isEmpty)
      #expect(result.errors.contains("cannot use \(other[0]) together with --as-test"))
    }
  }

  @Test func watchPrintsALineForEachAction() async throws {
    let result = try await recorded().run("watch", "run.jsonl")
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 6)
    // The full screen shows the same titles.
    #expect(result.lines.dropLast().last?.hasPrefix("5  favorites · set faust-1926  [") == true)
    #expect(result.lines.last?.hasPrefix("6  favorites · confirmed faust-1926  [") == true)
  }

  @Test func watchFollowsStandardInput() async throws {
    let program = try await recorded()
    let result = try await program.shell("cat run.jsonl | \"$MOVIES\" watch -")
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 6)
    let cut = try await program.shell("head -n 4 run.jsonl | \"$MOVIES\" watch -")
    #expect(cut.exitCode == 1)
    #expect(cut.lines.count == 3)
    #expect(cut.errors == "error: standard input: the recording has no end: its program did not close it\n")
  }

  @Test func watchReportsADamagedLineAsReplayDoes() async throws {
    let program = try await recorded()
    let text = try program.folder.text("run.jsonl")
    try program.folder.write("changed.jsonl", text.replacing(#""number":4"#, with: #""number":40"#))
    for words in [["watch", "changed.jsonl"], ["watch", "--once", "changed.jsonl"]] {
      let result = try await program.run(words)
      #expect(result.exitCode == 1)
      #expect(result.errors == "error: changed.jsonl:5: the line was changed after it was written\n")
    }
  }

  @Test(arguments: ["", "half a header"])
  func watchOnceFailsAsReplayIfThereIsNoHeader(text: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("run.jsonl", text)
    let replay = try await program.run("replay", "run.jsonl")
    let watch = try await program.run("watch", "--once", "run.jsonl")
    #expect(watch.exitCode == replay.exitCode && watch.exitCode != 0)
    #expect(watch.errors == replay.errors)
  }

  @Test(arguments: ["", "half a header"])
  func watchOnceOfStandardInputFailsAsReplayIfThereIsNoHeader(text: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("run.jsonl", text)
    let replay = try await program.shell("\"$MOVIES\" replay - < run.jsonl")
    let watch = try await program.shell("\"$MOVIES\" watch - --once < run.jsonl")
    #expect(watch.exitCode == replay.exitCode && watch.exitCode != 0)
    #expect(watch.errors == replay.errors)
  }

  @Test(arguments: ["1", "4"]) func watchOnceOfStandardInputIsAsOfAFile(lines: String) async throws {
    let program = try await recorded()
    let file = try await program.shell("head -n \(lines) run.jsonl > cut.jsonl; \"$MOVIES\" watch cut.jsonl --once")
    let input = try await program.shell("\"$MOVIES\" watch - --once < cut.jsonl")
    #expect(input.exitCode == file.exitCode && input.exitCode == 0)
    #expect(input.output == file.output)
    #expect(input.errors == file.errors && input.errors.isEmpty)
  }

  @Test(arguments: ["watch changed.jsonl", "watch --once changed.jsonl", "watch - < changed.jsonl"])
  func watchPrintsTheActionsBeforeADamagedLine(command: String) async throws {
    let program = try await recorded()
    var lines = try program.folder.text("run.jsonl").split(separator: "\n").map(String.init)
    lines[4] = lines[4].replacing(#""number":4"#, with: #""number":40"#)
    try program.folder.write("changed.jsonl", lines.joined(separator: "\n") + "\n")
    let result = try await program.shell("\"$MOVIES\" \(command)")
    #expect(result.exitCode == 1)
    #expect(result.lines.count == 3)
    // In a pipe, the lines after the damaged one are not known.
    let isPipe = command.contains("<")
    #expect(result.errors.contains(isPipe ? ":5: the line does not follow" : ":5: the line was changed after"))
  }

  @Test func aReportWithoutSomeActionsHasAPageOfItsOwn() async throws {
    let program = try await recorded()
    let result = try await program.run("report", "run.jsonl", "--skip", "5")
    #expect(result.exitCode == 0)
    #expect(result.output == "run-without-5.html: 6 actions, 1 left out\n")
    let page = try program.folder.text("run-without-5.html")
    #expect(page.contains("without 5: the states were computed again"))
    #expect(page.contains("no request for faust-1926 is under way"))
    #expect(page.contains(#""skip":"\#(MoviesProgram.name) report run.jsonl --open --skip ""#))
    let piped = try await program.shell("\"$MOVIES\" report - < run.jsonl").output
    #expect(piped.contains(#""skip":"\#(MoviesProgram.name) report FILE --open --skip ""#))
    #expect(try await program.run("report", "run.jsonl", "--skip", "7").exitCode == 1)
    #expect(try await program.run("report", "run.jsonl", "--skip", "x").exitCode == 64)
  }

  @Test func aRecordedWalkHasEveryAction() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("track", "--speed", "max", "--json", "--record", "walk.jsonl")
    let lines = try program.folder.text("walk.jsonl").split(separator: "\n")
    let moved = lines.count { $0.contains(#""moved""#) }
    // There are three more actions: the start, the grant and the end. The header and the last line are no actions.
    #expect(lines.count == moved + 5)
    #expect(lines.last?.hasPrefix(#"{"end":\#(moved + 3),"checksum":"#) == true)
  }

  @Test func reportIsOneFileInWhichTitlesStayText() async throws {
    let program = try MoviesProgram()
    let catalog = try program.folder.write(
      "c.json", #"[{"id":"<script>alert(1)</script>","title":"<script>alert(2)</script>"}]"#)
    _ = try await program.run(
      "favorite", "add", "<script>alert(1)</script>", "--catalog", catalog, "--record", "run.jsonl")
    let result = try await program.run("report", "run.jsonl", "--output", "run.html")
    #expect(result.exitCode == 0)
    #expect(result.output == "run.html: 6 actions\n")
    let page = try program.folder.text("run.html")
    #expect(page.lowercased().hasPrefix("<!doctype html>"))
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("src=\"http") && !page.contains("href=\"http"))
    #expect(try await program.run("report", "run.jsonl", "--output", "-").output == page)
    let nowhere = try await program.run("report", "run.jsonl", "--output", "/nowhere/x.html")
    #expect(nowhere.exitCode == 74)
    #expect(nowhere.errors == "error: /nowhere/x.html: the file cannot be written: No such file or directory\n")
    for force in [[], ["--force"]] {
      let folder = try await program.run(["report", "run.jsonl", "--output", "/"] + force)
      #expect(folder.exitCode == 74)
      #expect(folder.errors == "error: /: this is a folder; name a file in it\n")
    }
    #expect(try await program.run("report", "nowhere.jsonl", "--output", "x.html").exitCode == 66)
    #expect(try await program.run("report", "run.jsonl", "--open", "--output", "-").exitCode == 64)
  }

  @Test(arguments: ["--record", "--log-file"])
  func aPathThatNamesAMissingFolderIsRefusedBeforeTheWork(option: String) async throws {
    let program = try MoviesProgram()
    let result = try await program.run("favorite", "add", "metropolis-1927", option, "missing/")
    #expect(result.exitCode == 74)
    #expect(result.output.isEmpty)
    #expect(result.errors == "error: missing/: this is a folder; name a file in it\n")
    #expect(try await program.run("favorite", "list", "--format", "tsv").output.split(separator: "\n").count == 1)
  }

  @Test func aRecordingOfALargeCatalogueIsReplayedFromAnyFolder() async throws {
    let program = try MoviesProgram()
    let rows = (0..<600).map { "\($0),Film \($0) (1950),Drama\n" }
    try program.folder.write("movies.csv", "movieId,title,genres\n" + rows.joined())
    let added = try await program.run("favorite", "add", "7", "--catalog", "movies.csv", "--record", "run.jsonl")
    #expect(added.exitCode == 0)
    #expect(try program.folder.text("run.jsonl").utf8.count < 10_000)
    #expect(try await program.run("replay", "run.jsonl").exitCode == 0)
    let elsewhere = try await program.shell("mkdir sub && cd sub && \"$MOVIES\" replay ../run.jsonl")
    #expect(elsewhere.exitCode == 0, "\(elsewhere.errors)")
    #expect(elsewhere.output.contains("600 movies, movies.csv"))
    let moved = try await program.shell(
      "mkdir new && mv movies.csv new; \"$MOVIES\" replay run.jsonl; \"$MOVIES\" replay run.jsonl --catalog new/movies.csv"
    )
    #expect(moved.errors.contains("the file does not exist. If it was moved, name it with --catalog\n"))
    #expect(moved.exitCode == 0 && moved.output.contains("600 movies, movies.csv"), "\(moved.errors)")
    try program.folder.write("movies.csv", "movieId,title,genres\n" + rows.dropLast().joined())
    let changed = try await program.run("replay", "run.jsonl")
    #expect(changed.exitCode == 65)
    #expect(changed.errors.contains("the file has changed since the recording"))
  }

  @Test func aLargeCatalogueFromStandardInputIsNoFileOfThatName() async throws {
    let program = try MoviesProgram()
    let rows = (0..<600).map { "\($0),Film \($0) (1950),Drama\n" }
    try program.folder.write("movies.csv", "movieId,title,genres\n" + rows.joined())
    try program.folder.write("standard input", "another file")
    _ = try await program.shell("cat movies.csv | \"$MOVIES\" --catalog - list --record run.jsonl")
    let replay = try await program.run("replay", "run.jsonl")
    #expect(replay.exitCode == 0, "\(replay.errors)")
  }

  @Test func aPageIsOpenedAndAFailureToOpenItIsSaid() async throws {
    var program = try await recorded()
    let tools = program.folder.path("tools")
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: false)
    program.environment["PATH"] = tools + ":/usr/bin:/bin"
    for name in ["open", "xdg-open"] {
      try program.folder.write("tools/\(name)", "#!/bin/sh\necho \"$1\" > opened\nexit ${OPENER_STATUS:-0}\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(tools)/\(name)")
    }
    let opened = try await program.run("report", "run.jsonl", "--open")
    #expect(opened.exitCode == 0)
    // The path is absolute, so it is neither an option nor an address, whatever the name is.
    #expect(try program.folder.text("opened").hasPrefix("/"))
    #expect(try program.folder.text("opened").hasSuffix("/run.html\n"))
    let option = try await program.run("report", "run.jsonl", "--open", "--output=--version")
    #expect(option.exitCode == 0)
    #expect(try program.folder.text("opened").hasSuffix("/--version\n"))
    program.environment["OPENER_STATUS"] = "3"
    let refused = try await program.run("report", "run.jsonl", "--open", "--force")
    #expect(refused.exitCode == 1)
    #expect(refused.output == "run.html: 6 actions\n")
    #expect(refused.errors.hasPrefix("error: run.html is written, but "))
  }

  @Test func reportReplacesNothingByItself() async throws {
    let program = try await recorded()
    let text = try program.folder.text("run.jsonl")
    for arguments in [["--output", "run.jsonl"], ["--output", "./run.jsonl", "--force"]] {
      let result = try await program.run(["report", "run.jsonl"] + arguments)
      #expect(result.exitCode == 74)
      #expect(result.errors.contains("run.jsonl: this is the recording itself. Choose another file for the output."))
      #expect(try program.folder.text("run.jsonl") == text)
    }
    try program.folder.write("run.html", "mine")
    #expect(try await program.run("report", "run.jsonl").exitCode == 74)
    #expect(try program.folder.text("run.html") == "mine")
    #expect(try await program.run("report", "run.jsonl", "--force").exitCode == 0)
    #expect(try program.folder.text("run.html") != "mine")
  }

  @Test func aLogIsNotAppendedToAnotherFile() async throws {
    let program = try MoviesProgram()
    try program.folder.write("thesis.txt", "Chapter 1\n")
    let result = try await program.run("list", "--log-file", "thesis.txt")
    #expect(result.exitCode == 74)
    #expect(result.errors.contains("thesis.txt: the file is not a log of this format. Nothing was written."))
    #expect(try program.folder.text("thesis.txt") == "Chapter 1\n")
    #expect(try await program.run("list", "--log-file", "new.log").exitCode == 0)
    #expect(try await program.run("list", "--log-file", "new.log").exitCode == 0)
  }

  @Test func theLogOfAnActionComesBeforeItsOutput() async throws {
    let program = try MoviesProgram()
    // Both streams write to one pipe, as on a terminal.
    let result = try await program.shell("\"$MOVIES\" track --speed max --log compact 2>&1 | cat")
    let lines = result.output.split(separator: "\n").map(String.init)
    let fixes = lines.indices.filter { lines[$0].contains(".moved(") }
    let steps = lines.indices.filter { lines[$0].prefixMatch(of: #/[0-9]{2}:[0-9]{2}:[0-9]{2} +[0-9]/#) != nil }
    #expect(fixes.count > 50)
    #expect(steps.count == fixes.count)
    // Step n follows fix n and precedes the log of the second next fix.
    for (fix, step) in zip(fixes, steps) { #expect(fix < step) }
  }

  @Test func recordingNeverOverwritesAFile() async throws {
    let program = try MoviesProgram()
    try program.folder.write("precious", "keep me")
    let result = try await program.run("list", "--record", "precious")
    #expect(result.exitCode == 74)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == "error: precious: the file exists already. Choose another file, or replace it with --force.\n")
    #expect(try program.folder.text("precious") == "keep me")
    #expect(try await program.run("list", "--record", "/nowhere/x").exitCode == 74)
  }
}
