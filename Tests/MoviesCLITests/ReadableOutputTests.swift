import Foundation
import Testing

/// What people read of all features together names nothing that only the features' own code knows.
@Suite(.timeLimit(.minutes(15))) struct ReadableOutputTests {
  private static let internals = [
    "slots[", "slots:", "positions:", "bookkeeping", "Bookkeeping", "FavoritesItem", "OrderedIDs", "Slot(",
    "Undo(", "(kind: ", "Packed", "lastSlot", "head:", "secondsSince1970", "Optional(", "_0:",
  ]

  private func check(_ name: String, _ text: String) {
    #expect(!text.isEmpty, "\(name) is empty")
    for word in Self.internals {
      let line = text.split(separator: "\n").first { $0.contains(word) }
      #expect(line == nil, "\(name) shows '\(word)': \(line?.prefix(300) ?? "")")
    }
  }

  /// The demo has favourites that are saved, refused and pending, a walk, cinemas and a search.
  @Test(arguments: ["compact", "pretty", "json"]) func noLogShowsInternals(format: String) async throws {
    let program = try MoviesProgram()
    let demo = try await program.run("demo", "--seed", "1", "--log", format)
    #expect(demo.exitCode == 0)
    check("the demo", demo.output)
    check("the \(format) log", demo.errors)
    if format == "pretty" {
      #expect(
        demo.errors.contains(
          "+ favorites.intents[metropolis-1927] (isFavorite: true, phase: .requesting(attempt: 1))"))
      #expect(demo.errors.contains(#", .refused("the server refuses this one (simulated)"))))  "#))
      #expect(demo.errors.contains(#"→ .failed(.refused("the server refuses this one (simulated)"))"#))
      // The last digits of a number that was computed are noise.
      #expect(demo.errors.contains("coordinate: 52.39098, 13.12035, timestamp: "))
    }
  }

  @Test(arguments: ["csv", "tsv"]) func aTerminalReceivesNoControlCharacterOfATitle(format: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("movies.csv", "movieId,title,genres\n1,Bell\u{7} \u{1B}[2J (1950),Drama\n")
    let arguments = ["--catalog", "movies.csv", "list", "--format", format]
    let terminal = try PseudoTerminal(program, arguments)
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.output.contains("Bell\u{FFFD} \u{FFFD}[2J"))
    #expect(!terminal.output.contains("\u{7}"))
    let piped = try await program.run("--catalog", "movies.csv", "list", "--format", format)
    #expect(piped.output.contains("Bell\u{7} \u{1B}[2J"))
  }

  @Test func noReplayWatchOrPageShowsInternals() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("demo", "--seed", "1", "--failure-rate", "0.4", "--record", "demo.jsonl")
    check("the replay", try await program.run("replay", "demo.jsonl", "--step").output)
    check(
      "the replay as JSON",
      try await program.run("replay", "demo.jsonl", "--step", "--json", "--to", "9").lines.dropLast().joined(
        separator: "\n"))
    check("watch", try await program.run("watch", "demo.jsonl").output)
    // Of a changed recording, the difference of the states is shown.
    #expect(try await program.run("report", "demo.jsonl").exitCode == 0)
    let page = try program.folder.text("demo.html")
    for word in ["bookkeeping", "\"slots\"", "\"positions\""] { #expect(!page.contains(word), "\(word)") }
  }
}
