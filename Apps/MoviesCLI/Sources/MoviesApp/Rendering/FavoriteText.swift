/// Outcomes of wishes about favourites, as text and as JSON.
package enum FavoriteText {
  /// A line for each wish that was fulfilled.
  package static func lines(
    _ outcomes: [FavoriteOutcome], catalog: Catalog, style: TextStyle = TextStyle()
  ) -> String {
    outcomes.reduce("") { text, outcome in
      guard outcome.status != .failed else { return text }
      let movie = catalog[outcome.id]
      let year = movie?.year.map { " (\($0))" } ?? ""
      let name = movie.map { "  \($0.title)\(year)" } ?? ""
      let mark = outcome.status == .added ? style.emphasized(MovieText.mark, .favorite) : " "
      let rest = "  \(TextWidth.padded(outcome.status.rawValue, to: 7))  " + TextStyle.harmless(outcome.id + name)
      return text + mark + (style.width.map { TextWidth.shortened(rest, to: max(0, $0 - 1)) } ?? rest) + "\n"
    }
  }

  /// All wishes as a JSON array.
  package static func json(_ outcomes: [FavoriteOutcome]) -> String {
    JSONText.array(
      outcomes.map { outcome in
        let error: [(String, JSONText.Value)] = outcome.error.map { [("error", .string($0))] } ?? []
        return .object([("id", .string(outcome.id)), ("status", .string(outcome.status.rawValue))] + error)
      })
  }
}
