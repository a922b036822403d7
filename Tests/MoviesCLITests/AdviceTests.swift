import Testing

/// Messages that say what to do.
@Suite(.timeLimit(.minutes(15))) struct AdviceTests {
  @Test(arguments: ["csv", "tsv"])
  func aListIsNoCatalogueAndTheMessageSaysWhatIs(format: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("my.\(format)", try await program.run("list", "--format", format).output)
    let result = try await program.run("list", "--catalog", "my.\(format)")
    #expect(result.exitCode == 65)
    #expect(
      result.errors == "error: my.\(format):1: this is a list that '--format \(format)' wrote, not a catalogue; a list "
        + "that 'list --json' writes can be read\n")
    try program.folder.write("my.json", try await program.run("list", "--json").output)
    #expect(try await program.run("list", "--catalog", "my.json", "--limit", "1").exitCode == 0)
  }

  @Test(arguments: ["replay", "report", "watch", "run", "track"])
  func aFolderInPlaceOfAnInputHasAnAdvice(command: String) async throws {
    let result = try await MoviesProgram().run(command, "/")
    #expect(result.exitCode == 66)
    #expect(result.errors == "error: /: this is a folder; name a file in it\n")
  }

  @Test func theProgramIsNoCommandOfAScript() async throws {
    let program = try MoviesProgram()
    try program.folder.write("s.movies", "MoviesCLI list\n")
    let result = try await program.run("run", "s.movies")
    #expect(result.exitCode == 1)
    #expect(
      result.errors.hasPrefix(
        "error: unknown command 'MoviesCLI'; a line of a script begins with the command, without the program's name\n"))
  }

  @Test(arguments: ["search ' '", "search caligari '\t '"])
  func aSearchForBlanksIsWrongUsage(line: String) async throws {
    let result = try await MoviesProgram().shell("\"$MOVIES\" \(line)")
    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: an argument of 'search' is empty\n"))
  }
}
