import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct DemoTests {
  @Test func demoIsTheDefaultAndEndsAtOnceInAPipe() async throws {
    let program = try MoviesProgram()
    let result = try await program.run()
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    for word in [
      "simulated", "fictional", "has not answered yet", "has confirmed", "no longer a favourite", "62 fixes",
      "the position feed is closed", "\(MoviesProgram.name) --help",
    ] {
      #expect(result.output.contains(word), "\(word)")
    }
    // In the working folder, 'swift run' would find no package.
    #expect(!result.output.contains("swift run") && !result.output.contains("sudo install"))
    #expect(!FileManager.default.fileExists(atPath: program.dataDirectory))
  }

  @Test func demoRefusesAMovieOfAnyCatalogue() async throws {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", "movieId,title,genres\n1,First (1901),Drama\n2,Second (1902),Drama\n")
    let result = try await program.run("--catalog", "movies.csv", "demo")
    #expect(result.exitCode == 0)
    #expect(result.output.contains("Second is no longer a favourite: the server refuses"))
    #expect(result.output.contains("found: no title with 'caligari'"))
  }

  @Test func demoShowsEveryActionWithItsSource() async throws {
    let actions = try await MoviesProgram().run("demo").lines.filter { $0.hasPrefix("  action") }
    #expect(actions.count >= 9)
    #expect(actions.allSatisfy { $0.contains(".swift:") })
  }

  @Test func demoSaysBelowEachActionWhatItChanged() async throws {
    let lines = try await MoviesProgram().run("demo").lines
    for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  action") {
      #expect(next.hasPrefix("         → "), "\(line)")
    }
    #expect(lines.contains("         → Metropolis is a favourite; the server has not answered yet"))
    #expect(lines.contains("         → the server has confirmed that Metropolis is a favourite"))
    #expect(lines.contains { $0.hasPrefix("         → The Cheat is no longer a favourite: ") })
  }

  @Test func demoNamesTheAttemptsOfARequest() async throws {
    let lines = try await MoviesProgram().run("demo", "--failure-rate", "1", "--seed", "1").lines
    for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  action") {
      #expect(!next.contains("nothing changed"), "\(line)")
    }
    #expect(lines.filter { $0 == "         → the app fetches the favourites" }.count == 1)
    #expect(lines.contains("         → attempt 1 to fetch the favourites failed; another one follows"))
    #expect(lines.contains("         → attempt 2 to fetch the favourites begins"))
    #expect(lines.contains { $0.hasPrefix("         → an attempt to change Metropolis failed; another one follows") })
    #expect(lines.contains("         → attempt 2 to change Metropolis begins"))
  }

  @Test func filesToLookAtExist() async throws {
    let lines = try await MoviesProgram().run("demo").lines.filter { $0.hasPrefix("Look at ") }
    #expect(lines.count >= 4)
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    for line in lines {
      let path = root.appending(path: String(line.dropFirst("Look at ".count))).path
      #expect(FileManager.default.fileExists(atPath: path), "\(line)")
    }
  }

  @Test(arguments: ["location", "favorites"])
  func appIsComposedWithoutAFeature(feature: String) async throws {
    let result = try await MoviesProgram().run("demo", "--without", feature)
    #expect(result.exitCode == 0)
    #expect(result.output.contains("composed without this feature"))
    #expect(result.output.contains("         → nothing changed"))
    #expect(result.output.contains("the position feed is") == (feature != "location"))
  }

  @Test func appIsComposedWithoutSeveralFeaturesAndItsPartsAreNumbered() async throws {
    let both = try await MoviesProgram().run("demo", "--without", "location", "--without", "favorites")
    #expect(both.exitCode == 0)
    #expect(both.output.contains("1  A catalogue\n"))
    #expect(both.output.contains("2  The app without favourites\n"))
    #expect(both.output.contains("3  The app without a walk\n"))
    let one = try await MoviesProgram().run("demo", "--without", "favorites")
    #expect(one.output.contains("3  A walk to the cinema\n"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script"), "script(1) is not installed."))
  func demoEndsByItselfOnATerminal() async throws {
    let program = try MoviesProgram()
    let result = try await program.shell("TERM=xterm script -qec \"stty cols 80; '$MOVIES'\" /dev/null")
    #expect(result.output.contains("\u{1B}[1m"))
    #expect(result.output.contains("the position feed is closed"))
  }
}
