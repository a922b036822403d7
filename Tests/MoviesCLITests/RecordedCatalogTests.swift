import Foundation
import Testing

/// Recordings of a large catalogue, which is read from its file again.
@Suite(.timeLimit(.minutes(15))) struct RecordedCatalogTests {
  private static let content = catalog("Drama")
  /// Other movies in a file of the same size.
  private static let sameSize = catalog("Crime")

  private static func catalog(_ genre: String) -> String {
    "movieId,title,genres\n" + (0..<600).map { "\($0),Film \($0) (1950),\(genre)\n" }.joined()
  }

  /// A program with a recording of the catalogue movies.csv.
  private func recorded() async throws -> MoviesProgram {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", Self.content)
    let added = try await program.run("favorite", "add", "7", "--catalog", "movies.csv", "--record", "run.jsonl")
    #expect(added.exitCode == 0)
    return program
  }

  @Test(arguments: ["replay", "report", "watch"])
  func theCatalogueWithTheRecordedContentIsReadWhicheverWasGiven(command: String) async throws {
    let program = try await recorded()
    try program.folder.write("movies.csv", Self.sameSize)
    try program.folder.write("new.csv", Self.content)
    let moved = try await program.run(command, "run.jsonl", "--catalog", "new.csv")
    #expect(moved.exitCode == 0, "\(moved.errors)")
    try program.folder.write("movies.csv", Self.content)
    try program.folder.write("new.csv", Self.sameSize)
    let other = try await program.run(command, "run.jsonl", "--catalog", "new.csv", "--force")
    #expect(other.exitCode == 0, "\(other.errors)")
  }

  @Test func aLinkToTheMovedCatalogueIsRead() async throws {
    let program = try await recorded()
    let result = try await program.shell(
      "mv movies.csv new.csv; ln -s new.csv link.csv; \"$MOVIES\" replay run.jsonl --catalog link.csv")
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ("new.csv", "the file does not exist\n"), ("data", "it is a folder\n"), ("-", "it must be a file\n"),
    ("/dev/null", "it must be a file\n"), ("size.csv", "it has other content; the recording needs "),
    ("same.csv", "it has other content; the recording needs "),
  ])
  func aCatalogueThatCannotBeUsedInsteadIsNamedWithTheReason(name: String, reason: String) async throws {
    let program = try await recorded()
    try program.folder.write("same.csv", Self.sameSize)
    try program.folder.write("size.csv", Self.content + "600,Film 600 (1950),Drama\n")
    try FileManager.default.removeItem(atPath: program.folder.path("movies.csv"))
    let missing = try await program.run("replay", "run.jsonl", "--catalog", name)
    #expect(missing.exitCode == 66)
    #expect(
      missing.errors.contains(
        "movies.csv: the recording needs this catalogue, but the file does not exist. "
          + "The catalogue '\(name)' cannot be used instead: \(reason)"))
    try program.folder.write("movies.csv", "movieId,title,genres\n")
    let changed = try await program.run("replay", "run.jsonl", "--catalog", name)
    #expect(changed.exitCode == 65)
    #expect(changed.errors.contains("movies.csv: the file has changed since the recording"))
    #expect(changed.errors.contains(". The catalogue '\(name)' cannot be used instead: \(reason)"))
  }

  @Test(arguments: ["replay run.jsonl", "report run.jsonl", "watch run.jsonl", "watch - < run.jsonl"])
  func aMissingCatalogueOfARecordingIsMissingInput(line: String) async throws {
    let program = try await recorded()
    try FileManager.default.removeItem(atPath: program.folder.path("movies.csv"))
    let missing = try await program.shell("\"$MOVIES\" \(line)")
    #expect(missing.exitCode == 66)
    #expect(missing.errors.hasSuffix("but the file does not exist. If it was moved, name it with --catalog\n"))
    try FileManager.default.createDirectory(
      atPath: program.folder.path("movies.csv"), withIntermediateDirectories: false)
    let folder = try await program.shell("\"$MOVIES\" \(line)")
    #expect(folder.exitCode == 66)
    #expect(folder.errors.contains("but it is a folder. "))
  }

  @Test func aLargeCatalogueThatALinkNamesIsRecordedAsItsFile() async throws {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", Self.content)
    let result = try await program.shell(
      "ln -s movies.csv link.csv; \"$MOVIES\" list --limit 1 --catalog link.csv --record run.jsonl")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try !program.folder.text("run.jsonl").contains("Film 500"))
  }

  @Test func aCatalogueThatIsRecordedWithItsMoviesIsReplayedBesideAFileWithItsName() async throws {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", Self.content)
    let result = try await program.shell(
      """
      mkfifo pipe.csv; cat movies.csv > pipe.csv & "$MOVIES" list --limit 1 --catalog pipe.csv --record run.jsonl
      rm pipe.csv; cp movies.csv pipe.csv; "$MOVIES" replay run.jsonl
      """)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try program.folder.text("run.jsonl").contains("Film 500"))
  }
}
