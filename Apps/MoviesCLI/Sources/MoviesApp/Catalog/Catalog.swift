import ReeluxCore

/// An ordered collection of movies with unique ids.
///
/// Finding a movie by its id costs O(1). Copying is cheap: the movies are shared.
package struct Catalog: Hashable, Sendable {
  /// The source of the movies as text: a file's path, or "built-in catalogue".
  package let name: String

  /// The movies, in the order of the source.
  package let movies: [Movie]

  /// The parts that the reader left out, with the reasons, one sentence each. Empty
  /// for most catalogues.
  package let notes: [String]

  private let index: MovieIndex

  /// A catalogue without movies.
  package static let empty = Catalog(name: "no catalogue", movies: [])

  /// Creates a catalogue. Of several movies with one id, the first is found by ``subscript(_:)``.
  package init(name: String, movies: [Movie], notes: [String] = []) {
    var index = MovieIndex()
    for position in movies.indices { _ = index.insert(position, in: movies) }
    self.init(name: name, movies: movies, notes: notes, index: index)
  }

  init(name: String, movies: [Movie], notes: [String], index: MovieIndex) {
    self.name = name
    self.movies = movies
    self.notes = notes
    self.index = index
  }

  /// The movie with this id.
  package subscript(id: Movie.ID) -> Movie? {
    index.position(of: id, in: movies).map { movies[$0] }
  }

  /// A number that the movies decide (FNV-1a over their facts), the same in every run. Costs one pass over the movies.
  package var fingerprint: UInt64 {
    var hash = FNV1a()
    func add(_ text: String) {
      hash.combine(text.utf8)
      hash.combine([0xFF])
    }
    for movie in movies {
      add(movie.id)
      add(movie.title)
      add(movie.year.map(String.init) ?? "")
      for genre in movie.genres { add(genre) }
    }
    return hash.value
  }

  package static func == (lhs: Catalog, rhs: Catalog) -> Bool {
    lhs.name == rhs.name && lhs.notes == rhs.notes && lhs.movies == rhs.movies
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(movies)
  }
}

extension Catalog: CustomReflectable {
  /// The name and the number of movies: a log shows only these of a catalogue with millions of
  /// movies.
  package var customMirror: Mirror {
    Mirror(self, children: ["name": name, "count": movies.count], displayStyle: .struct)
  }
}

/// Positions of movies by id.
///
/// Ids that ascend, as those of MovieLens and IMDb do, are found by bisection and need no memory. For others there is an
/// open-addressing table of 32-bit positions. It holds no copy of any id, so that an index of a million movies costs 8 MB where a
/// dictionary of strings would cost ten times that.
struct MovieIndex: Sendable {
  /// Whether all ids so far ascend as texts: `tt0000001`, `tt10000000`, `tt2`.
  private var ascendsByText = true

  /// Whether all ids so far ascend by length, then as texts: `9`, `10`, `11`.
  private var ascendsByLength = true

  /// Positions in the movies' array; `-1` is a free slot. The count is a power of two, at most half of it taken. Empty while
  /// the ids ascend.
  private var slots: [Int32] = []
  private var count = 0

  /// Adds the movie at this position, the last one, and answers the position of the movie that has the id already, if there
  /// is one.
  mutating func insert(_ position: Int, in movies: [Movie]) -> Int? {
    defer { count += 1 }
    if slots.isEmpty {
      guard position > 0 else { return nil }
      let (before, id) = (movies[position - 1].id, movies[position].id)
      if before == id { return position - 1 }
      ascendsByText = ascendsByText && before < id
      ascendsByLength = ascendsByLength && Self.isShorter(before, id)
      if ascendsByText || ascendsByLength { return nil }
      makeTable(movies, upTo: position)
    }
    if (count + 1) * 2 > slots.count { makeTable(movies, upTo: position) }
    let id = movies[position].id
    var slot = slot(for: id)
    while slots[slot] >= 0 {
      let taken = Int(slots[slot])
      if movies[taken].id == id { return taken }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(truncatingIfNeeded: position)
    return nil
  }

  /// The position of the movie with this id.
  func position(of id: Movie.ID, in movies: [Movie]) -> Int? {
    guard slots.isEmpty else {
      var slot = slot(for: id)
      while slots[slot] >= 0 {
        let position = Int(slots[slot])
        if movies[position].id == id { return position }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
    var (low, high) = (0, movies.count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore = ascendsByText ? movies[middle].id < id : Self.isShorter(movies[middle].id, id)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low < movies.count && movies[low].id == id ? low : nil
  }

  private static func isShorter(_ first: String, _ second: String) -> Bool {
    let (one, other) = (first.utf8.count, second.utf8.count)
    return one == other ? first < second : one < other
  }

  private func slot(for id: Movie.ID) -> Int {
    id.hashValue & (slots.count - 1)
  }

  /// Makes a table of twice the size; the ids of the movies before `end` are different.
  private mutating func makeTable(_ movies: [Movie], upTo end: Int) {
    var capacity = 1024
    while capacity < (end + 1) * 4 { capacity *= 2 }
    slots = Array(repeating: -1, count: capacity)
    for position in 0..<end {
      var slot = slot(for: movies[position].id)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: position)
    }
  }
}
