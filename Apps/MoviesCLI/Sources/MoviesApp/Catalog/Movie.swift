/// A movie: its id in the catalogue and its basic facts.
package struct Movie: Codable, Hashable, Identifiable, Sendable {
  /// The id in the catalogue: `metropolis-1927`, `1`, `tt0000001`.
  package let id: String

  /// The title, without the year.
  package let title: String

  /// The year of the first release; `nil` if the catalogue has none.
  package let year: Int?

  /// The genres in the catalogue's order; may be empty.
  package let genres: [String]

  package init(id: String, title: String, year: Int?, genres: [String]) {
    self.id = id
    self.title = title
    self.year = year
    self.genres = genres
  }
}
