import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct FavoriteCommandTests {
  private let kept = "data/reelux-movies"

  @Test(arguments: ["favorite list", "list --favorites", "list --favorites --genre drama"])
  func aListWithoutFavouritesSaysHowToAddOne(command: String) async throws {
    let program = try MoviesProgram()
    let note = "note: there are no favourites yet; 'favorite add ID' adds one"
    let result = try await program.shell("\"$MOVIES\" \(command)")
    #expect(result.exitCode == 0)
    #expect(result.output == "")
    #expect(result.errors == note + "\n")
    #expect(try await program.shell("\"$MOVIES\" \(command) --quiet").errors == "")
    var plain = program
    plain.environment = ["NO_COLOR": "1"]
    let terminal = try PseudoTerminal(plain, command.split(separator: " ").map(String.init))
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.output.contains(note))
    #expect(!terminal.output.contains("of 57"))
    let json = try await program.shell("\"$MOVIES\" \(command) --json")
    #expect(json.output == "[]\n")
    #expect(json.errors == "")
  }

  @Test func favouriteIsThereInTheNextRun() async throws {
    let program = try MoviesProgram()
    let added = try await program.run("favorite", "add", "metropolis-1927", "nosferatu-1922", "--json")
    #expect(added.exitCode == 0)
    #expect(
      added.output == """
        [
          {"id":"metropolis-1927","status":"added"},
          {"id":"nosferatu-1922","status":"added"}
        ]

        """)
    #expect(try await program.run("show", "metropolis-1927", "--json").output.contains(#""favorite":true"#))
    let list = try await program.run("favorite", "list")
    #expect(list.lines.count == 3)
    #expect(list.lines.dropFirst().allSatisfy { $0.hasPrefix("♥  ") })
    #expect(try await program.run("list", "--favorites").output == list.output)
  }

  @Test func favouriteIsRemovedAndToggled() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("favorite", "add", "metropolis-1927")
    let removed = try await program.run("favorite", "remove", "metropolis-1927")
    #expect(removed.output == "   removed   metropolis-1927  Metropolis (1927)\n")
    let toggled = try await program.run("favorite", "toggle", "metropolis-1927", "haxan-1922")
    #expect(
      toggled.output == "♥  added     metropolis-1927  Metropolis (1927)\n♥  added     haxan-1922  Häxan (1922)\n")
    let back = try await program.run("favorite", "toggle", "metropolis-1927", "--json")
    #expect(back.output.contains(#"{"id":"metropolis-1927","status":"removed"}"#))
  }

  @Test func unknownMovieFailsAndTheOthersAreDone() async throws {
    let program = try MoviesProgram()
    let result = try await program.run("favorite", "add", "metropolis-1927", "haxn-1922", "--json")
    #expect(result.exitCode == 1)
    #expect(result.output.contains(#"{"id":"metropolis-1927","status":"added"}"#))
    #expect(
      result.output.contains(
        #"{"id":"haxn-1922","status":"failed","error":"no movie 'haxn-1922'. Did you mean 'haxan-1922'?"}"#))
    #expect(result.errors == "error: no movie 'haxn-1922'. Did you mean 'haxan-1922'?\n")
  }

  @Test func favouriteOfAnotherCatalogueCanBeRemoved() async throws {
    let program = try MoviesProgram()
    let catalog = try program.folder.write("c.json", #"[{"id":"x","title":"X"}]"#)
    _ = try await program.run("favorite", "add", "x", "--catalog", catalog)
    // The movie is removed from the catalogue. Its favourite stays until it is removed too.
    try program.folder.write("c.json", #"[{"id":"y","title":"Y"}]"#)
    #expect(try await program.run("favorite", "list", "--catalog", catalog).errors.contains("x"))
    let removed = try await program.run("favorite", "remove", "x", "--json", "--catalog", catalog)
    #expect(removed.output.contains(#""status":"removed""#))
  }

  @Test func favouritesBelongToTheirCatalogue() async throws {
    let program = try MoviesProgram()
    let one = try program.folder.write("one/c.json", #"[{"id":"1","title":"X"}]"#)
    let other = try program.folder.write("other/c.json", #"[{"id":"1","title":"Y"}]"#)
    _ = try await program.run("favorite", "add", "1", "--catalog", one)
    #expect(try await program.run("show", "1", "--json", "--catalog", one).output.contains(#""favorite":true"#))
    #expect(try await program.run("show", "1", "--json", "--catalog", other).output.contains(#""favorite":false"#))
    let link = program.folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: one)
    #expect(try await program.run("show", "1", "--json", "--catalog", link).output.contains(#""favorite":true"#))
  }

  @Test func whatIsAsItShouldBeIsSaidAndNothingIsSent() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("favorite", "add", "metropolis-1927")
    let add = try await program.run("favorite", "add", "metropolis-1927", "metropolis-1927", "--log", "compact")
    #expect(add.errors.contains(".favorites(.load"))
    #expect(!add.errors.contains(".favorites(.add"))
    #expect(add.exitCode == 0)
    #expect(add.output == "♥  already a favourite  metropolis-1927  Metropolis (1927)\n")
    let remove = try await program.run("favorite", "remove", "haxan-1922")
    #expect(remove.output == "   was not a favourite  haxan-1922  Häxan (1922)\n")
    let json = try await program.run("favorite", "remove", "haxan-1922", "--json")
    #expect(json.output == "[\n  {\"id\":\"haxan-1922\",\"status\":\"was none\"}\n]\n")
  }

  @Test func refusedFavouriteFailsAndIsNotKept() async throws {
    let program = try MoviesProgram()
    let result = try await program.run("favorite", "add", "haxan-1922", "--failure-rate", "1", "--seed", "1", "--json")
    #expect(result.exitCode == 1)
    #expect(result.output.contains(#"{"id":"haxan-1922","status":"failed","error":""#))
    #expect(result.errors.hasPrefix("error: Häxan (1922) could not be added to the favourites: "))
    #expect(result.errors.contains("simulated"))
    #expect(try await program.run("favorite", "list", "--json").output == "[]\n")
  }

  @Test func sameSeedGivesTheSameOutcome() async throws {
    let ids = ["haxan-1922", "metropolis-1927", "faust-1926", "wings-1927", "greed-1924", "aelita-1924"]
    let arguments = ["favorite", "add"] + ids + ["--failure-rate", "0.7", "--json", "--seed"]
    var outputs: Set<String> = []
    for seed in 0..<4 {
      let first = try await MoviesProgram().run(arguments + ["\(seed)"])
      let second = try await MoviesProgram().run(arguments + ["\(seed)"])
      #expect(first.output == second.output)
      outputs.insert(first.output)
    }
    #expect(outputs.count > 1)
  }

  @Test func latencyIsTaken() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await MoviesProgram().run("favorite", "add", "haxan-1922", "--latency", "200ms")
    #expect(result.exitCode == 0)
    #expect(clock.now - start > .milliseconds(400))
  }

  @Test func nothingIsCreatedByReading() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("list")
    _ = try await program.run("favorite", "list")
    #expect(!FileManager.default.fileExists(atPath: program.dataDirectory))
  }

  @Test func dataDirectoryOptionOverridesTheEnvironment() async throws {
    let program = try MoviesProgram()
    let directory = program.folder.path("other/deeper")
    _ = try await program.run("favorite", "add", "haxan-1922", "--data-dir", directory)
    #expect(!FileManager.default.fileExists(atPath: program.dataDirectory))
    #expect(program.folder.names("other/deeper").contains("favorites.json"))
  }

  @Test func dataDirectoryThatCannotBeWrittenIsAnInputOutputError() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("occupied", "a file where a folder should be")
    let result = try await program.run("favorite", "add", "haxan-1922", "--data-dir", file)
    #expect(result.exitCode == 74)
    #expect(result.output.isEmpty)
    #expect(result.errors == "error: \(file): the data directory is a file; name a folder\n")
    #expect(try await program.run("list", "--data-dir", file).exitCode == 74)
    #expect(try program.folder.text("occupied") == "a file where a folder should be")
  }

  @Test(arguments: ["list --json", "show faust-1926 --json", "search faust --json"])
  func commandThatOnlyReadsLeavesADamagedFile(command: String) async throws {
    let program = try MoviesProgram()
    let damaged = #"{"schema": 1, "favorites": ["metro"#
    try program.folder.write("\(kept)/favorites.json", damaged)
    let result = try await program.run(command.split(separator: " ").map(String.init))
    #expect(result.exitCode == 0)
    #expect(result.output.contains(#""favorite":null"#))
    #expect(!result.output.contains(#""favorite":false"#))
    #expect(result.errors.hasPrefix("note: the favourites file '"))
    #expect(result.errors.contains("Repair the file. Otherwise the next change renames it to "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(program.folder.names(kept) == ["favorites.json"])
    #expect(try program.folder.text("\(kept)/favorites.json") == damaged)
  }

  @Test(arguments: ["favorite list", "list --favorites"])
  func commandAboutFavouritesFailsAndLeavesADamagedFile(command: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("\(kept)/favorites.json", "broken")
    let result = try await program.run(command.split(separator: " ").map(String.init))
    #expect(result.exitCode == 65)
    #expect(result.errors.hasPrefix("error: the favourites file '"))
    #expect(program.folder.names(kept) == ["favorites.json"])
    #expect(try program.folder.text("\(kept)/favorites.json") == "broken")
  }

  @Test func fileOfANewerVersionStaysAsItIs() async throws {
    let program = try MoviesProgram()
    let newer = #"{"schema": 9, "favorites": ["faust-1926"]}"#
    try program.folder.write("\(kept)/favorites.json", newer)
    for command in ["add", "remove", "toggle"] {
      let result = try await program.run("favorite", command, "greed-1924")
      #expect(result.exitCode == 74)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("was written by a newer version (schema 9) and stays as it is."))
      #expect(result.errors.contains("Use the newer version, or another file"))
    }
    #expect(try await program.run("favorite", "list").exitCode == 74)
    let list = try await program.run("list", "--json", "--limit", "1")
    #expect(list.exitCode == 0)
    #expect(list.output.contains(#""favorite":null"#))
    #expect(list.errors.contains("newer version"))
    #expect(try await program.run("show", "faust-1926").output.contains("favorite  unknown"))
    #expect(try program.folder.text("\(kept)/favorites.json") == newer)
    #expect(program.folder.names(kept).filter { $0 != "favorites.json.lock" } == ["favorites.json"])
  }

  @Test func damagedFileIsKeptAsideReportedAndTheCommandGoesOn() async throws {
    let program = try MoviesProgram()
    let damaged = #"{"schema": 1, "favorites": ["metro"#
    try program.folder.write("\(kept)/favorites.json", damaged)
    let result = try await program.run("favorite", "add", "haxan-1922", "--data-dir", kept)
    #expect(result.exitCode == 65)
    #expect(result.output == "♥  added     haxan-1922  Häxan (1922)\n")
    let aside = try #require(program.folder.names(kept).first { $0.contains("damaged") })
    let folder = program.folder.path(kept)
    #expect(
      result.errors
        == "error: the favourites file '\(folder)/favorites.json' was damaged. It was renamed to '\(folder)/\(aside)'. "
        + "Earlier favourites are only in that file\n")
    #expect(try program.folder.text("\(kept)/\(aside)") == damaged)
    let after = try await program.run("favorite", "list", "--json")
    #expect(after.output.contains("haxan-1922"))
    #expect(after.errors.isEmpty)
  }

  @Test func damagedFileIsNotRenamedByACommandThatChangesNothing() async throws {
    let program = try MoviesProgram()
    try program.folder.write("\(kept)/favorites.json", "broken")
    let result = try await program.run("favorite", "remove", "haxan-1922")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("Repair the file. Otherwise the next change renames it to "))
    #expect(program.folder.names(kept) == ["favorites.json"])
  }

  @Test func favouritesOfAnotherTypeAreNamedByTheirPath() async throws {
    let program = try MoviesProgram()
    try program.folder.write(
      "data/reelux-movies/favorites.json",
      #"{"schema": 1, "favorites": ["a"], "dates": [{"id": "a", "date": "x"}]}"#)
    #expect(
      try await program.run("favorite", "list").errors.contains("the value at 'dates[0].date' has the wrong type"))
  }

  @Test(arguments: ["[]", "null", "7"])
  func favouritesThatAreNoObjectAreDamaged(text: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("\(kept)/favorites.json", text)
    #expect(try await program.run("favorite", "list").errors.contains("is damaged (it is not a JSON object)"))
  }

  @Test(arguments: [["favorite", "list"], ["list", "--favorites"]])
  func damagedFavouritesAreNotListedAsNone(command: [String]) async throws {
    let program = try MoviesProgram()
    try program.folder.write("\(kept)/favorites.json", "{")
    for format in ["table", "csv", "json"] {
      let result = try await program.run(command + ["--format", format])
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("is damaged"))
      #expect(result.exitCode == 65)
    }
  }

  @Test(arguments: [["favorite", "list"], ["list", "--favorites"]])
  func favouritesOfAnotherCatalogueAreNamedInASentence(command: [String]) async throws {
    let program = try MoviesProgram()
    try program.folder.write("data/reelux-movies/favorites.json", #"{"schema": 1, "favorites": ["a"]}"#)
    #expect(
      try await program.run(command).errors
        == "note: this favourite is not in the built-in catalogue of films from before 1930: a\n")
    try program.folder.write("data/reelux-movies/favorites.json", #"{"schema": 1, "favorites": ["a", "b"]}"#)
    #expect(
      try await program.run(command).errors
        == "note: these favourites are not in the built-in catalogue of films from before 1930: a, b\n")
  }

  @Test func ofManyFavouritesOfAnotherCatalogueTheNoteNamesTwentyAndCountsTheOthers() async throws {
    let program = try MoviesProgram()
    let ids = (1...1025).map { "\"m\($0)\"" }.joined(separator: ",")
    try program.folder.write("data/reelux-movies/favorites.json", #"{"schema": 1, "favorites": [\#(ids)]}"#)
    let named = (1...20).map { "m\($0)" }.joined(separator: ", ")
    #expect(
      try await program.run("favorite", "list").errors
        == "note: these favourites are not in the built-in catalogue of films from before 1930: "
        + "\(named), and 1,005 more\n")
  }
}
