import ReeluxCore

extension Command {
  /// `search`
  static let search = Command(
    "search", .many("TEXT"), options: [.limit, .json],
    summary: "Find movies by words of the title, without regard to case and diacritics.",
    details: "Every word must occur in the title. The best matches come first.",
    examples: ["search haxan", "search cabinet caligari --json"]
  ) { (arguments) throws(UsageError) in
    let limit = try arguments.count("--limit")
    return { (context) async throws(CommandFailure) in
      let session = context.session()
      try await session.load()
      session.noteUnknownFavorites()
      session.store.dispatch(.movies(.look(.search(arguments.words, limit: limit))))
      session.showMovies(json: arguments.has("--json"))
    }
  }
}
