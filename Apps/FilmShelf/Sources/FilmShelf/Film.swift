/// A film of the shelf.
public struct Film: Identifiable, Equatable, Sendable {
  /// The number of the film.
  public let id: Int
  /// The title.
  public let title: String
  /// The year of the first release.
  public let year: Int

  /// Creates a film.
  public init(id: Int, title: String, year: Int) {
    self.id = id
    self.title = title
    self.year = year
  }

  /// The films of the example.
  public static let all = [
    Film(id: 1, title: "The Cabinet of Dr. Caligari", year: 1920),
    Film(id: 2, title: "Nosferatu", year: 1922),
    Film(id: 3, title: "Sherlock Jr.", year: 1924),
    Film(id: 4, title: "The General", year: 1926),
    Film(id: 5, title: "Metropolis", year: 1927),
    Film(id: 6, title: "Sunrise", year: 1927),
  ]
}
