import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct SampleTests {
  /// The root of the repository.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A program in a folder with the repository's `Apps`, as the commands of the documentation require.
  private func program() throws -> MoviesProgram {
    let program = try MoviesProgram()
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path("Apps"), withDestinationPath: Self.root.appending(path: "Apps").path)
    return program
  }

  private static func commands(in file: String) throws -> [String] {
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "swift run MoviesCLI").flatMap { range in
        let start = line[..<range.lowerBound]
        return start == "$ " || start == "    " ? "\"$MOVIES\"" + line[range.upperBound...] : nil
      }
    }
  }

  @Test(arguments: ["README.md", "Apps/MoviesCLI/Samples/README.md"])
  func everyCommandOfTheDocumentationWorksTwice(file: String) async throws {
    let commands = try Self.commands(in: file)
    #expect(commands.count >= 2)
    let program = try program()
    for command in commands + commands {
      let result = try await program.shell(command)
      #expect(result.exitCode == 0, "\(command): \(result.errors)")
      #expect(!result.output.isEmpty, "\(command)")
    }
  }

  @Test func sampleCatalogueIsTheBuiltInOne() async throws {
    let program = try program()
    let sample = try await program.run("--catalog", "Apps/MoviesCLI/Samples/movies.csv", "list", "--format", "tsv")
    #expect(try await program.run("list", "--format", "tsv").output == sample.output)
  }

  @Test func sampleWalkPassesSeveralFictionalCinemas() async throws {
    let result = try await program().run("track", "Apps/MoviesCLI/Samples/walk.gpx")
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("The cinemas are fictional."))
    for cinema in ["Last Reel", "The Zoetrope", "The Iris", "Perforation Palace"] {
      #expect(result.output.contains(cinema))
    }
  }
}
