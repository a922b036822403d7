import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct SettingsTests {
  private func program(settings: String? = nil, environment: [String: String] = [:]) throws -> MoviesProgram {
    var program = try MoviesProgram()
    program.environment = ["XDG_CONFIG_HOME": program.folder.path("config")].merging(environment) { $1 }
    if let settings { try program.folder.write("config/reelux-movies/settings", settings) }
    return program
  }

  @Test func flagWinsOverEnvironmentOverFileOverDefault() async throws {
    let program = try program(
      settings: "# mine\n\nlatency = 1ms\ncolor = never\nseed=1\n",
      environment: ["MOVIES_SEED": "2", "MOVIES_COLOR": "always"])
    let result = try await program.run("settings", "--color", "auto")
    #expect(result.exitCode == 0)
    let lines = result.lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    #expect(lines.contains("color auto command line"))
    #expect(lines.contains("seed 2 environment, MOVIES_SEED"))
    #expect(lines.contains("latency 1ms \(program.folder.path("config/reelux-movies/settings")):3"))
    #expect(lines.contains("failure-rate 0 default"))
    #expect(lines.contains("log off; compact with log-file default"))
  }

  @Test func settingsAreUsed() async throws {
    let program = try program(settings: "data-dir = kept\n", environment: ["MOVIES_COLOR": "always"])
    #expect(try await program.run("list", "--limit", "1").output.contains("\u{1B}[1m"))
    _ = try await program.run("favorite", "add", "faust-1926")
    #expect(program.folder.names("kept").contains("favorites.json"))
  }

  @Test(arguments: [["completions", "bash"], ["man"]])
  func commandsWithoutSettingsRunDespiteAFaultInThem(command: [String]) async throws {
    let program = try program(settings: "colour = never\n", environment: ["MOVIES_SEED": "x"])
    let result = try await program.run(command)
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.output == (try await MoviesProgram().run(command)).output)
  }

  @Test func wrongSettingNamesItsPlace() async throws {
    let unknown = try program(settings: "\ncolour = never\n")
    let first = try await unknown.run("list")
    #expect(first.exitCode == 65)
    #expect(first.errors.hasSuffix("settings:2: unknown setting 'colour'. Did you mean 'color'?\n"))
    let strange = try await program(settings: "foo = bar\n").run("list")
    #expect(strange.errors.hasSuffix("settings:1: unknown setting 'foo'. 'settings --help' lists the settings\n"))
    let wrong = try await program(settings: "latency = fast\n").run("list")
    #expect(wrong.exitCode == 65)
    #expect(wrong.errors.contains("settings:1: latency needs a duration"))
    let shapeless = try await program(settings: "hello\n").run("list")
    #expect(shapeless.errors.contains("settings:1: expected 'name = value'"))
    let variable = try await program(environment: ["MOVIES_COLOR": "blue"]).run("list")
    #expect(variable.exitCode == 64)
    #expect(variable.errors == "error: MOVIES_COLOR is one of auto, always or never, not 'blue'\n")
    let choice = try await program(settings: "color = blue\n").run("list")
    #expect(choice.errors.hasSuffix("settings:1: color is one of auto, always or never, not 'blue'\n"))
    let duration = try await program(environment: ["MOVIES_LATENCY": "2x"]).run("list")
    #expect(duration.exitCode == 64)
    #expect(duration.errors.hasPrefix("error: MOVIES_LATENCY needs a duration with its unit, such as 300ms"))
  }

  @Test func aMissingFileOfASettingIsReportedWithItsOrigin() async throws {
    let variable = try await program(environment: ["MOVIES_CATALOG": "m.csv"]).run("list")
    #expect(variable.exitCode == 66)
    #expect(variable.errors.hasPrefix("error: m.csv: "))
    #expect(variable.errors.hasSuffix(". MOVIES_CATALOG names this file.\n"))
    let program = try program(settings: "seed = 1\ncatalog = ~/m.csv\nlog-file = /nowhere/log\n")
    let place = program.folder.path("config/reelux-movies/settings")
    let line = try await program.run("list", "--log-file", "log")
    #expect(line.errors.hasPrefix("error: \(program.folder.path("m.csv")): "))
    #expect(line.errors.hasSuffix(". \(place):2 names this file.\n"))
    let log = try await program.run("list")
    #expect(log.exitCode == 74)
    #expect(log.errors.hasSuffix(". \(place):3 names this file.\n"))
    let flag = try await program.run("list", "--catalog", "n.csv", "--log-file", "log")
    #expect(!flag.errors.contains("names this file"))
  }

  @Test func theBuiltInCatalogCanBeChosenInsteadOfThatOfASetting() async throws {
    let program = try program(settings: "catalog = m.csv\n")
    try program.folder.write("built-in", "movieId,title,genres\n1,Mine (1924),Drama\n")
    let chosen = try await program.run("--catalog", "built-in", "list", "--format", "csv")
    #expect(chosen.exitCode == 0)
    #expect(chosen.output.contains("Greed"))
    #expect(try await program.run("--catalog", "./built-in", "list", "--format", "csv").output.contains("Mine"))
    let variable = try self.program(settings: "catalog = m.csv\n", environment: ["MOVIES_CATALOG": "built-in"])
    #expect(try await variable.run("search", "Greed").exitCode == 0)
  }

  @Test func aPathInTheFileMayBeginWithTheHomeFolder() async throws {
    let program = try program(settings: "catalog = ~/movies.csv\nseed = 7\n")
    try program.folder.write("movies.csv", "movieId,title,genres\n1,Greed (1924),Drama\n")
    #expect(try await program.run("list", "--format", "csv").output.contains("Greed"))
  }

  @Test func aPathInAVariableMayBeginWithTheHomeFolder() async throws {
    let program = try program(environment: ["MOVIES_DATA_DIR": "~/mine", "MOVIES_CATALOG": "~/movies.csv"])
    try program.folder.write("movies.csv", "movieId,title,genres\n1,Greed (1924),Drama\n")
    #expect(try await program.run("favorite", "add", "1").exitCode == 0)
    #expect(program.folder.names("mine").contains { $0.hasPrefix("favorites-movies.csv") })
    #expect(program.folder.names("~") == [])
    #expect(try await program.run("settings", "--format", "csv").output.contains(program.folder.path("mine")))
  }

  @Test func theHelpNamesTheVariableOfEverySetting() async throws {
    let program = try program()
    let help = try await program.run("settings", "--help").output
    for line in try await program.run("settings", "--format", "tsv").lines.dropFirst() {
      let name = line.prefix { $0 != "\t" }.uppercased().replacing("-", with: "_")
      #expect(help.contains("MOVIES_\(name)"), "\(name)")
    }
  }

  @Test(arguments: [
    "A comment is a line of its own that begins with #.", "Quotes are part of a value.",
    "In the file and in the variables, a path may begin with ~/ for the home folder.",
    "Any other relative path starts at the current folder.",
    "If a name occurs twice, the last line counts.",
  ])
  func theHelpNamesTheFormatOfTheFile(rule: String) async throws {
    let help = try await program().run("settings", "--help").output
    #expect(help.split { $0.isWhitespace }.joined(separator: " ").contains(rule))
  }

  @Test func quotesAndALaterSignBelongToAValueAndTheLastLineCounts() async throws {
    let program = try program(settings: "catalog = \"a.csv\"\ncatalog = 'm.csv' # mine\n  # a comment\n")
    try program.folder.write("'m.csv' # mine", "movieId,title,genres\n1,Greed (1924),Drama\n")
    #expect(try await program.run("list", "--format", "csv").output.contains("Greed"))
  }

  @Test func settingsBehindALinkToItselfAreAnError() async throws {
    let program = try program()
    let folder = program.folder.path("config/reelux-movies")
    try FileManager.default.createDirectory(
      atPath: program.folder.path("config"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder)
    let result = try await program.run("list")
    #expect(result.exitCode == 66)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("error: \(folder)/settings: the file cannot be read: "))
  }

  @Test(arguments: ["env -u HOME -u XDG_DATA_HOME", "HOME= XDG_DATA_HOME="])
  func withoutHOMETheDataDirectoryIsInTheHomeFolderOfTheAccount(environment: String) async throws {
    let program = try MoviesProgram()
    let account = unsafe getpwuid(getuid())?.pointee.pw_dir.map { unsafe String(cString: $0) }
    let home = try #require(account)
    let result = try await program.shell("\(environment) \"$MOVIES\" settings --json")
    #expect(result.output.contains("\"value\":\"\(home)/.local/share/reelux-movies\""))
  }

  @Test func settingsAreJSONOnRequest() async throws {
    let result = try await program(environment: ["MOVIES_SEED": "7"]).run("settings", "--json")
    let values = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: String]])
    #expect(values.contains(["name": "seed", "value": "7", "origin": "environment, MOVIES_SEED"]))
    #expect(values.count == 8)
  }

  @Test func settingsInANamedPipeAreRefused() async throws {
    let program = try program()
    let result = try await program.shell(
      "mkdir -p config/reelux-movies; mkfifo config/reelux-movies/settings; \"$MOVIES\" list")
    #expect(result.exitCode == 66)
    #expect(result.errors.hasSuffix("settings: the settings are a named pipe; use a file\n"))
  }

  @Test func aScriptReportsTheOriginOfASetting() async throws {
    let program = try program(environment: ["MOVIES_COLOR": "never", "MOVIES_CATALOG": "m.csv"])
    try program.folder.write("script", "settings\nlist\n")
    let result = try await program.run("run", "script", "--seed", "3")
    let lines = result.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("color never environment, MOVIES_COLOR"))
    #expect(lines.contains("seed 3 command line"))
    #expect(result.errors.contains(". MOVIES_CATALOG names this file."))
  }

  @Test func withoutALogItsFileIsNotChecked() async throws {
    let program = try program(environment: ["MOVIES_LOG_FILE": "/nonexistent/log"])
    #expect(try await program.run("list", "--limit", "1").exitCode == 74)
    #expect(try await program.run("list", "--limit", "1", "--log", "off").exitCode == 0)
  }
}
