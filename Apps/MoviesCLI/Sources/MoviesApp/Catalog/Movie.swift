/// A movie: its id in the catalogue, and the bare facts.
package struct Movie: Codable, Hashable, Identifiable, Sendable {
  /// The id as the catalogue has it: `metropolis-1927`, `1`, `tt0000001`.
  package let id: String

  /// The title, without the year.
  package let title: String

  /// The year of the first release; `nil` when the catalogue does not know it.
  package let year: Int?

  /// The genres in the catalogue's order; empty when none are listed.
  package let genres: [String]

  /// Creates a movie.
  package init(id: String, title: String, year: Int?, genres: [String]) {
    self.id = id
    self.title = title
    self.year = year
    self.genres = genres
  }
}
