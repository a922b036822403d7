import ReeluxCore

extension Command {
  /// `genres`
  static let genres = Command(
    "genres", options: [.format, .json], summary: "List the genres and how many movies have each.",
    examples: ["genres"]
  ) { (arguments) throws(UsageError) in
    let format = try arguments.format()
    return { (context) async throws(CommandFailure) in
      let session = try context.session()
      try await session.loadCatalog()
      let listing = Listing<GenreCount>(columns: [
        .init(key: "genre", json: { .string($0.name) }, text: \.name, table: .init(heading: "GENRE")),
        .init(
          key: "movies", json: { .int($0.count) }, text: { "\($0.count)" },
          table: .init(heading: "MOVIES", alignsRight: true), cell: { Prose.grouped($0.count) }),
      ])
      let genres = GenreCount.all(in: session.store.state.movies.catalog.movies)
      context.console.stream { listing.write(genres, as: format, style: $0, to: $1) }
    }
  }
}
