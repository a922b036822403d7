import Foundation
import Testing

/// Every command that reads a file accepts `-` for standard input.
@Suite(.timeLimit(.minutes(15))) struct StandardInputTests {
  @Test func walkIsReadFromStandardInput() async throws {
    let gpx = """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="52.39" lon="13.12"/></trkseg></trk></gpx>
      """
    let program = try MoviesProgram()
    try program.folder.write("walk.gpx", gpx)
    let result = try await program.shell("cat walk.gpx | \"$MOVIES\" track - --json")
    #expect(result.exitCode == 0)
    #expect(result.lines.last?.contains("\"fixes\":1") == true)
  }

  #if os(Linux)
    @Test(arguments: ["replay -", "report -", "watch -"])
    func anEndlessInputWithoutAHeaderIsRefused(command: String) async throws {
      let result = try await MoviesProgram().shell(
        "ulimit -v 4000000; yes '{\"a\":1}' | \"$MOVIES\" \(command)")
      #expect(result.exitCode == 65)
      #expect(result.errors.contains(":1: this is not the header of a recording: it does not name a format"))
    }
  #endif

  @Test func scriptAndCatalogueCannotBothBeStandardInput() async throws {
    let result = try await MoviesProgram().run("run", "-", "--catalog", "-")
    #expect(result.exitCode == 64)
    #expect(
      result.errors.hasPrefix("error: 'run' reads the script from standard input; name a file for the catalogue"))
  }

  @Test(arguments: ["run s.movies --catalog -", "--catalog - run s.movies", "run s.movies"])
  func aScriptRefusesACatalogueThatCanBeReadOnlyOnce(line: String) async throws {
    var program = try MoviesProgram()
    if !line.contains("--catalog") { program.environment["MOVIES_CATALOG"] = "-" }
    try program.folder.write("s.movies", "list\nlist\n")
    let result = try await program.shell(
      "printf 'movieId,title,genres\\n1,A (1901),Drama\\n' | \"$MOVIES\" \(line)")
    #expect(result.exitCode == 64)
    #expect(result.output.isEmpty)
    #expect(
      result.errors.hasPrefix(
        "error: 'run' can read a catalogue from standard input only once; name a file for the catalogue"))
  }

  @Test(arguments: [
    (
      "run s.movies",
      "s.movies:2: 'list --catalog -' cannot read standard input, because line 1 reads it. Name a file."
    ),
    (
      "run -",
      "standard input:1: 'track -' cannot read standard input, because the script comes from there. Name a file."
    ),
  ])
  func onlyOneLineOfAScriptReadsStandardInput(line: String, message: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "list --catalog - --limit 1\nlist --catalog -\n")
    try program.folder.write("input", line == "run -" ? "track -\n" : "movieId,title,genres\n1,A (1901),Drama\n")
    let result = try await program.shell("cat input | \"$MOVIES\" \(line)")
    #expect(result.exitCode == 1)
    #expect(result.errors == "error: \(message)\n")
  }

  @Test(arguments: ["track -", "replay -", "report -", "watch -", "watch - --once", "run -", "list --catalog -"])
  func aFolderAsStandardInputIsMissingInput(line: String) async throws {
    let result = try await MoviesProgram().shell("\"$MOVIES\" \(line) < .")
    #expect(result.exitCode == 66)
    let reason =
      line.hasPrefix("list")
      ? "this is a folder; name the file in it, movies.csv or title.basics.tsv"
      : "the file cannot be read: Is a directory"
    #expect(result.errors == "error: standard input: \(reason)\n")
  }

  @Test(arguments: ["track -", "replay -", "report -", "watch -", "run -", "list --catalog -"])
  func standardInputThatIsOpenForWritingOnlyIsMissingInput(line: String) async throws {
    let result = try await MoviesProgram().shell("\"$MOVIES\" \(line) 0> file")
    #expect(result.exitCode == 66)
    #expect(result.errors == "error: standard input: the file cannot be read: Bad file descriptor\n")
  }

  @Test(arguments: ["track loop", "replay loop", "report loop", "watch loop", "run loop", "list --catalog loop"])
  func aFileThatCannotBeOpenedHasOneMessage(line: String) async throws {
    let program = try MoviesProgram()
    try FileManager.default.createSymbolicLink(atPath: program.folder.path("loop"), withDestinationPath: "loop")
    let result = try await program.shell("\"$MOVIES\" \(line)")
    #expect(result.exitCode == 66)
    #expect(result.errors == "error: loop: the file cannot be read: Too many levels of symbolic links\n")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/zero"), "there is no /dev/zero"),
    arguments: [
      "replay /dev/zero", "replay - < /dev/zero", "report - < /dev/zero", "watch /dev/zero --once", "watch /dev/zero",
    ])
  func anInputWithoutAnEndIsNoRecording(line: String) async throws {
    // If the program reads on, it ends when it has no memory.
    let result = try await MoviesProgram().shell("ulimit -v 4000000 2>/dev/null; \"$MOVIES\" \(line)")
    #expect(result.exitCode == 65)
    let name = line.contains("<") ? "standard input" : "/dev/zero"
    #expect(result.errors == "error: \(name):1: this is not the header of a recording: it is not JSON\n")
  }

  @Test func recordingIsReplayedAndReportedFromStandardInput() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("favorite", "add", "faust-1926", "--record", "run.jsonl")
    let file = try await program.run("replay", "run.jsonl")
    #expect(try await program.shell("cat run.jsonl | \"$MOVIES\" replay -").output == file.output)
    let page = try await program.shell("cat run.jsonl | \"$MOVIES\" report -")
    #expect(page.exitCode == 0)
    #expect(page.output.lowercased().hasPrefix("<!doctype html>"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path("-.html")))
    let pipe = try await program.shell("mkfifo pipe; cat run.jsonl > pipe & \"$MOVIES\" report pipe")
    #expect(pipe.output.lowercased().hasPrefix("<!doctype html>"))
    #expect(!program.folder.names("").contains("pipe.html"))
    let broken = try await program.shell("echo {} | \"$MOVIES\" replay -")
    #expect(broken.exitCode == 65)
    #expect(broken.errors.hasPrefix("error: standard input:1: "))
  }

  @Test func aRecordingInAPipeIsWatchedLikeStandardInput() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("favorite", "add", "faust-1926", "--record", "run.jsonl")
    let input = try await program.shell("head -3 run.jsonl | \"$MOVIES\" watch - --once")
    let part = try await program.shell("mkfifo pipe; head -3 run.jsonl > pipe & \"$MOVIES\" watch pipe --once")
    #expect(part.exitCode == 0)
    #expect(part.errors.isEmpty)
    #expect(part.output == input.output)
    #expect(part.output.split(separator: "\n").count == 2)
    let unfinished = try await program.shell("head -3 run.jsonl > pipe & \"$MOVIES\" watch pipe")
    #expect(unfinished.exitCode == 1)
    #expect(unfinished.output == input.output)
    #expect(unfinished.errors == "error: pipe: the recording has no end: its program did not close it\n")
    let empty = try await program.run("watch", "/dev/null")
    #expect(empty.errors == "error: /dev/null: the file is empty; a recording begins with a header\n")
    #expect(empty.exitCode == 65)
    let whole = try await program.shell("cat run.jsonl > pipe & \"$MOVIES\" watch pipe")
    #expect(whole.exitCode == 0)
    #expect(whole.output == (try await program.run("watch", "run.jsonl")).output)
  }

  @Test func favouritesOfCataloguesFromStandardInputSayThatTheyShareAFile() async throws {
    let program = try MoviesProgram()
    let note = "note: all catalogues from standard input and pipes share one file of favourites"
    let catalog = "printf 'movieId,title,genres\\n1,%s (1971),Drama\\n'"
    let add = try await program.shell("\(catalog) A | \"$MOVIES\" --catalog - favorite add 1")
    #expect(add.exitCode == 0)
    #expect(add.errors.contains(note))
    let list = try await program.shell("\(catalog) B | \"$MOVIES\" --catalog - list --format tsv")
    #expect(list.output.contains("1\tB\t1971\tDrama\ttrue"))
    #expect(list.errors.contains(note))
    let other = try await program.shell("\(catalog) B | \"$MOVIES\" --catalog - --data-dir other list")
    #expect(other.errors.isEmpty)
  }

  @Test func catalogueFromAPipeUsesTheFavouritesOfStandardInput() async throws {
    let program = try MoviesProgram()
    let catalog = "printf 'movieId,title,genres\\n1,%s (1971),Drama\\n'"
    let add = try await program.shell("\(catalog) A | \"$MOVIES\" --catalog - favorite add 1")
    #expect(add.exitCode == 0)
    let list = try await program.shell("\(catalog) B | \"$MOVIES\" --catalog /dev/stdin list --format tsv")
    #expect(list.output.contains("1\tB\t1971\tDrama\ttrue"))
    #expect(list.errors.contains("note: all catalogues from standard input and pipes share one file of favourites"))
    try program.folder.write("c.csv", "movieId,title,genres\n1,B (1971),Drama\n")
    let file = try await program.shell("\"$MOVIES\" --catalog /dev/stdin list --format tsv < c.csv")
    #expect(file.output.contains("1\tB\t1971\tDrama\tfalse"))
  }

  @Test func aFileThatIsNamedLikeStandardInputCanBeWritten() async throws {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", "movieId,title,genres\n1,Faust (1926),Drama\n")
    let result = try await program.shell("cat movies.csv | \"$MOVIES\" list --catalog - --record ./-")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(program.folder.names(".").contains("-"))
  }
}
