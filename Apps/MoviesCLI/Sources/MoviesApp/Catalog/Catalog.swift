import ReeluxCore

/// An ordered collection of movies with unique ids.
///
/// Finding a movie by its id costs O(log n) if the ids ascend, else O(1). Copying is cheap: the movies are shared.
package struct Catalog: Equatable, Sendable {
  /// The source of the movies as text: a file's path, "standard input", or the name of the built-in catalogue.
  package let name: String

  /// The movies, in the order of the source.
  package let movies: Movies

  /// The parts that the reader left out, one sentence each with the reason. Empty for most catalogues.
  package let notes: [String]

  private let index: MovieIndex

  /// A catalogue without movies.
  package static let empty = Catalog(name: "no catalogue", movies: [])

  /// Creates a catalogue. If several movies have the same id, ``subscript(_:)`` finds the first.
  package init(name: String, movies: Movies, notes: [String] = []) {
    var index = MovieIndex()
    for position in movies.indices { _ = index.insert(position, in: movies) }
    self.init(name: name, movies: movies, notes: notes, index: index)
  }

  init(name: String, movies: Movies, notes: [String], index: MovieIndex) {
    self.name = name
    self.movies = movies
    self.notes = notes
    self.index = index
  }

  /// The movie with this id.
  package subscript(id: Movie.ID) -> Movie? {
    index.position(of: id, in: movies).map { movies[$0] }
  }

  /// A hash (FNV-1a) of the movies' facts. It is the same in every run. Costs one pass over the movies.
  package var fingerprint: UInt64 {
    var hash = FNV1a().value
    func add(_ text: some Sequence<UInt8>) {
      for byte in text { hash = FNV1a.step(hash, byte) }
      hash = FNV1a.step(hash, 0xFF)
    }
    for row in movies.rows {
      add(movies.text[row.id])
      add(movies.text[row.title])
      add((row.year.map(String.init) ?? "").utf8)
      for genre in movies.genreLists[Int(row.genres)] { add(genre.utf8) }
    }
    return hash
  }

  package static func == (lhs: Catalog, rhs: Catalog) -> Bool {
    lhs.name == rhs.name && lhs.notes == rhs.notes && lhs.movies == rhs.movies
  }
}

extension Catalog: CustomReflectable {
  /// The name and the number of movies. A log shows only these, because a catalogue may hold millions of movies.
  package var customMirror: Mirror {
    Mirror(self, children: ["name": name, "count": movies.count], displayStyle: .struct)
  }
}
