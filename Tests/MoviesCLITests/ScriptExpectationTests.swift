import Foundation
import Testing

/// What `expect` sees in a script, and what it accepts.
@Suite(.timeLimit(.minutes(15))) struct ScriptExpectationTests {
  @Test(arguments: [
    ("search golem\nexpect How He Came into the World\n", 0),
    ("list --year 1800\nexpect 0 of 57\n", 1),
    ("favorite list\nexpect \"♥ a-trip-to-the-moon-1902\"\n", 1),
    ("favorite list\nexpect \"♥  a-trip-to-the-moon-1902\"\n", 0),
    (
      "favorite add a-trip-to-the-moon-1902\n"
        + "expect \"♥  already a favourite  a-trip-to-the-moon-1902  A Trip to the Moon (1902)\"\n", 0
    ),
    ("show the-golem-1920\nexpect \"  id        the-golem-1920\"\n", 0),
    ("show x\nexpect exit 1\nexpect \"error: no movie 'x'\"\n", 0),
    ("lst\nexpect exit 64\nexpect \"error: unknown command 'lst'\"\n", 0),
    ("track --speed max\nexpect Following\n", 0),
  ])
  func expectSeesTheSameTextOnATerminalAndInAPipe(script: String, exitCode: Int32) async throws {
    let program = try MoviesProgram()
    _ = try await program.run("favorite", "add", "a-trip-to-the-moon-1902")
    try program.folder.write("s.movies", script)
    let piped = try await program.run("run", "s.movies")
    #expect(piped.exitCode == exitCode, "\(piped)")
    let coloured = try await program.run("run", "s.movies", "--color", "always")
    #expect(coloured.exitCode == exitCode, "\(coloured)")
    let terminal = try PseudoTerminal(program, ["run", "s.movies"], columns: 44)
    #expect(await terminal.exitCode() == exitCode, "\(terminal.output)")
  }

  @Test func aScriptOnATerminalShowsWhatItsCommandsShowAlone() async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "list --limit 9\n")
    let alone = try PseudoTerminal(program, ["list", "--limit", "9"], columns: 44)
    #expect(await alone.exitCode() == 0)
    let script = try PseudoTerminal(program, ["run", "s.movies"], columns: 44)
    #expect(await script.exitCode() == 0)
    #expect(script.output == alone.output)
    #expect(script.output.contains("9 of 57"))
  }

  @Test(arguments: ["expect", "expect \"\"", "expect '' \"\""]) func anExpectationNeedsAText(line: String) async throws
  {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "list --limit 1\n\(line)\n")
    let result = try await program.run("run", "s.movies")
    #expect(result.exitCode == 1)
    #expect(result.errors == "error: s.movies:2: 'expect' needs a text, or 'exit' and a number\n")
  }

  @Test(arguments: ["abc", "1.5", "99999999999"]) func anExpectedExitCodeIsAWholeNumber(code: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "list --limit 1\nexpect exit \(code)\n")
    let result = try await program.run("run", "s.movies")
    #expect(result.exitCode == 1)
    #expect(
      result.errors
        == "error: s.movies:2: an exit code is a whole number, not '\(code)'. To expect a text, quote it: "
        + "expect 'exit \(code)'\n")
    try program.folder.write(
      "s.movies", "show x\nexpect exit 1\nshow 'exit \(code)'\nexpect exit 1\nexpect 'exit \(code)'\n")
    #expect(try await program.run("run", "s.movies").exitCode == 0)
  }

  @Test(arguments: [
    ("expect film-noir", 1), ("expect no    movie", 0), ("expect 'no  movie'", 1), ("expect NO MOVIE", 1),
    ("expect no\\ movie 'x'", 1), ("expect \"no movie 'x'\" # so", 0), ("expect no movie \\'x\\'", 0),
  ])
  func anExpectationComparesCaseAndQuotedBlanks(line: String, exitCode: Int32) async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "show x\nexpect exit 1\n\(line)\n")
    #expect(try await program.run("run", "s.movies").exitCode == exitCode)
  }

  @Test(arguments: [
    "A line has at most 1 MB.", "a backslash makes the next character literal", "Case matters.",
    "also finds notes and errors", "Several blanks in TEXT count as one, unless they are in quotes.",
    "ends with exit code 1", "A script may not run another one.",
  ])
  func theHelpNamesTheRulesOfAScript(rule: String) async throws {
    let help = try await MoviesProgram().run("run", "--help").output
    #expect(help.split { $0.isWhitespace }.joined(separator: " ").contains(rule))
  }
}
