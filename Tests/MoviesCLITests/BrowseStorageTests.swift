import Testing

/// The full screen of the real executable, with favourites that cannot be loaded.
@Suite(.timeLimit(.minutes(15))) struct BrowseStorageTests {
  @Test func aDataDirectoryThatIsAFileIsAnErrorBeforeTheScreenOpens() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("occupied", "a file where a folder should be")
    let terminal = try PseudoTerminal(program, ["browse", "--data-dir", file])
    await terminal.wait(forOneOf: ["name a folder", "not loaded"])
    terminal.type("q")
    #expect(await terminal.exitCode() == 74)
    #expect(terminal.output.contains("\(file): the data directory is a file; name a folder"))
    #expect(!terminal.output.contains("\u{1B}[?1049h"))
  }

  @Test func aNoteAfterTheScreenSaysWhyTheFavouritesWereNotLoaded() async throws {
    let program = try MoviesProgram()
    try program.folder.write("newer/favorites.json", #"{"schema": 9, "favorites": []}"#)
    let terminal = try PseudoTerminal(program, ["browse", "--data-dir", "newer", "--latency", "1ms"])
    await terminal.wait(for: "favourites not loaded")
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)
    let lines = terminal.linesAfterTheScreen
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("note: the favourites could not be loaded: ") == true)
    #expect(lines.first?.contains("(schema 9)") == true)
  }
}
