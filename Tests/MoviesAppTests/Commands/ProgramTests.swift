import Foundation
import Testing

@testable import MoviesApp

@Suite(.timeLimit(.minutes(15))) struct ProgramTests {
  @Test(arguments: [
    ("MoviesCLI", "MoviesCLI"), ("/usr/local/bin/MoviesCLI", "/usr/local/bin/MoviesCLI"),
    ("./MoviesCLI", "./MoviesCLI"), ("/my tools/MoviesCLI", "'/my tools/MoviesCLI'"),
  ])
  func suggestionsAreTypedAsTheProgramWasStarted(path: String, name: String) {
    #expect(Program.name(startedAs: path) == name)
  }

  @Test func suggestionsNameSwiftRunOnlyInTheFolderOfThePackage() throws {
    let package = FileManager.default.temporaryDirectory.appending(path: "package-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: package) }
    let other = package.appending(path: "other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let program = package.path + "/.build/debug/MoviesCLI"
    #expect(Program.name(startedAs: program, in: package.path) == program)
    for folder in [package, other] { try Data().write(to: folder.appending(path: "Package.swift")) }
    #expect(Program.name(startedAs: program, in: package.path) == "swift run MoviesCLI")
    #expect(Program.name(startedAs: ".build/release/MoviesCLI", in: package.path) == "swift run MoviesCLI")
    #expect(Program.name(startedAs: program, in: other.path) == program)
    #expect(Program.name(startedAs: "../.build/debug/MoviesCLI", in: other.path) == "../.build/debug/MoviesCLI")
  }
}
