import ReeluxCore

extension Command {
  /// `genres`
  static let genres = Command(
    "genres", options: [.format, .json], summary: "List the genres and how many movies have each.",
    details: "The genres are in the order of the language in LC_ALL, LC_COLLATE or LANG.",
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
      let movies = session.store.state.movies.catalog.movies
      let genres = GenreCount.all(in: movies, language: context.language)
      if format == .table, genres.isEmpty, !movies.isEmpty {
        context.console.note("no movie of this catalogue has a genre")
      }
      context.console.stream { listing.write(genres, as: format, style: $0, to: $1) }
    }
  }
}
