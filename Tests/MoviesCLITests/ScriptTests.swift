import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ScriptTests {
  @Test func scriptRunsItsLinesAndChecksExpectations() async throws {
    let program = try MoviesProgram()
    let script = try program.folder.write(
      "tour.movies",
      """
      # a tour
      favorite add faust-1926   # kept for the next line
      expect added
      favorite list --json
      expect '"id":"faust-1926"'

      show nothing-like-it
      expect exit 1
      expect "no movie 'nothing-like-it'"
      """)
    let result = try await program.run("run", script)
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("♥  added     faust-1926  Faust (1926)\n[\n"))
    let piped = try await program.shell("printf 'list --limit 1\\nexpect ID\\n' | \"$MOVIES\" run - --color always")
    #expect(piped.exitCode == 0)
    #expect(piped.output.contains("\u{1B}[1mTITLE"))
  }

  @Test func linesThatAreAddedToAScriptWhileItRunsAreNotRun() async throws {
    let program = try MoviesProgram()
    try program.folder.write("own.movies", "list --limit 1\n")
    let result = try await program.shell("\"$MOVIES\" run own.movies >> own.movies")
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(try program.folder.text("own.movies").contains("TITLE"))
  }

  @Test(arguments: [
    ("list --limit 1\nexpect nonsense\n", "2: the output of 'list --limit 1' does not contain 'nonsense'"),
    ("\nshow x\nlist\n", "2: 'show x' ended with 1"),
    ("list --limit 1\nexpect exit 3\n", "2: expected 'list --limit 1' to end with 3, not 0"),
    ("expect x\n", "1: 'expect' comes before any command"),
    ("list 'x\n", "1: a quote is not closed"),
    ("list \\\n", "1: a line cannot be continued with a backslash; write the command on one line"),
    ("show x\nlist 'x\n", "1: 'show x' ended with 1"),
    ("lst\n", "1: 'lst' ended with 64"),
    ("run other\n", "1: 'run other' ended with 64"),
  ])
  func firstFailureNamesFileAndLine(script: String, message: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", script)
    let result = try await program.run("run", "s.movies")
    #expect(result.exitCode == 1)
    #expect(result.errors.hasSuffix("error: s.movies:\(message)\n"))
  }

  @Test(arguments: ["run s.movies", "run - < s.movies"])
  func aByteOrderMarkBeforeAScriptIsIgnored(line: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "\u{FEFF}list --limit 1\nexpect ID\n")
    let result = try await program.shell("\"$MOVIES\" \(line)")
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
  }

  @Test func aScriptIsReadFromAPipe() async throws {
    let program = try MoviesProgram()
    let result = try await program.shell("printf 'list --limit 1\\nexpect ID\\n' | \"$MOVIES\" run /dev/stdin")
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("   ID "))
  }

  /// The shell writes the second line only after it has read the output of the first one.
  @Test func aCommandFromStandardInputRunsBeforeTheNextLineIsWritten() async throws {
    let result = try await MoviesProgram().shell(
      """
      coproc "$MOVIES" run - 2>&1
      to=${COPROC[1]} from=${COPROC[0]}
      printf 'list --limit 1 --format tsv\\nshow' >&$to
      read -r header <&$from && read -r movie <&$from && echo "got $header"
      printf ' nothing-like-it\\r\\n\\nlst\\n' >&$to
      exec {to}>&-
      cat <&$from
      """, within: .seconds(120))
    #expect(result.output.hasPrefix("got id"), "\(result)")
    #expect(result.output.contains("error: standard input:2: 'show nothing-like-it' ended with 1"), "\(result)")
  }

  @Test func aFailureInAScriptFromStandardInputNamesIt() async throws {
    let result = try await MoviesProgram().shell("echo lst | \"$MOVIES\" run -")
    #expect(result.exitCode == 1)
    #expect(result.errors.hasSuffix("error: standard input:1: 'lst' ended with 64\n"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "there is no /proc/self/mem"))
  func aScriptThatCannotBeReadIsReportedWithTheReason() async throws {
    let result = try await MoviesProgram().run("run", "/proc/self/mem")
    #expect(result.exitCode == 66)
    #expect(result.errors == "error: /proc/self/mem: the file cannot be read: Input/output error\n")
  }

  @Test(arguments: ["run s.movies", "run - < s.movies"])
  func aLineOfMoreThanOneMegabyteIsRefused(line: String) async throws {
    let program = try MoviesProgram()
    let comment = "#" + String(repeating: "x", count: 999_999) + "\n"
    try program.folder.write("s.movies", "list --limit 1\n\(comment)#\(comment)list\n")
    let result = try await program.shell("\"$MOVIES\" \(line)")
    #expect(result.exitCode == 65)
    let name = line.contains("<") ? "standard input" : "s.movies"
    #expect(result.errors == "error: \(name):3: the line has more than 1 MB. A script has one command on each line.\n")
    // A file is read before its first command runs.
    #expect(result.output.isEmpty == !line.contains("<"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/zero"), "there is no /dev/zero"))
  func aScriptWithoutAnEndIsRefused() async throws {
    // If the program reads on, it ends when it has no memory.
    let result = try await MoviesProgram().shell("ulimit -v 4000000 2>/dev/null; \"$MOVIES\" run /dev/zero")
    #expect(result.exitCode == 65)
    #expect(
      result.errors == "error: /dev/zero:1: the line has more than 1 MB. A script has one command on each line.\n")
  }

  @Test func aLongLineIsShortenedInMessages() async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", String(repeating: "x", count: 10_000) + "\n")
    let result = try await program.run("run", "s.movies")
    #expect(result.exitCode == 1)
    let start = String(repeating: "x", count: 79) + "…"
    #expect(
      result.errors == """
        error: unknown command '\(start)'
        See 'MoviesCLI --help'.
        error: s.movies:1: '\(start)' ended with 64

        """)
  }

  @Test func missingScriptIsMissingInput() async throws {
    #expect(try await MoviesProgram().run("run", "nowhere").exitCode == 66)
  }
}
