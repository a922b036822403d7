/// Movies in the order of a catalogue or of a list.
///
/// The texts of all movies are in one buffer, and each movie is a row of five 32-bit numbers. So a million movies take
/// 20 MB besides their ids and titles. A selection shares the texts and copies rows. A `Movie` is created when an
/// element is read.
package struct Movies: Sendable {
  /// A movie: the places of its id and title in the text, its year and its genres.
  struct Row: Equatable, Sendable {
    /// The start of the id in the text. The id ends where the title starts.
    fileprivate var idStart: UInt32
    fileprivate var titleStart: UInt32
    fileprivate var titleEnd: UInt32
    private var storedYear: Int32
    /// The index of the movie's genres in ``Movies/genreLists``.
    let genres: UInt32

    fileprivate init(idStart: Int, titleStart: Int, titleEnd: Int, year: Int?, genres: UInt32) {
      self.idStart = UInt32(truncatingIfNeeded: idStart)
      self.titleStart = UInt32(truncatingIfNeeded: titleStart)
      self.titleEnd = UInt32(truncatingIfNeeded: titleEnd)
      storedYear = year.map { Int32(clamping: $0) } ?? .min
      self.genres = genres
    }

    var id: Range<Int> { Int(idStart)..<Int(titleStart) }
    var title: Range<Int> { Int(titleStart)..<Int(titleEnd) }
    var year: Int? { storedYear == .min ? nil : Int(storedYear) }
  }

  /// The ids and titles in UTF-8.
  private(set) var text: [UInt8] = []
  private(set) var rows: [Row] = []
  /// Lists of genres. Movies with equal genres share one.
  private(set) var genreLists: [[String]] = []

  /// No movies.
  package init() {}

  /// The movies of a sequence, in its order.
  package init(_ movies: some Sequence<Movie>) {
    var places: [[String]: UInt32] = [:]
    for movie in movies {
      let genres = places[movie.genres] ?? addGenres(movie.genres)
      places[movie.genres] = genres
      _ = append(
        id: ArraySlice(movie.id.utf8), title: ArraySlice(movie.title.utf8), year: movie.year, genres: genres)
    }
  }

  /// These rows, in this order.
  func selecting(_ rows: [Row]) -> Movies {
    var selection = self
    selection.rows = rows
    return selection
  }

  /// The first `count` movies, or all movies if there are fewer.
  func first(_ count: Int) -> Movies { selecting(Array(rows.prefix(Swift.max(0, count)))) }

  /// Adds a list of genres, and returns its index.
  mutating func addGenres(_ genres: [String]) -> UInt32 {
    genreLists.append(genres)
    return UInt32(truncatingIfNeeded: genreLists.count - 1)
  }

  /// Adds a movie whose texts are valid UTF-8. Returns `false` if the text is full: it has room for 4 GB.
  mutating func append(
    id: ArraySlice<UInt8>, title: ArraySlice<UInt8>, year: Int?, genres: UInt32
  ) -> Bool {
    let start = text.count
    guard start + id.count + title.count <= Int(UInt32.max) else { return false }
    text.append(contentsOf: id)
    text.append(contentsOf: title)
    rows.append(
      Row(idStart: start, titleStart: start + id.count, titleEnd: text.count, year: year, genres: genres))
    return true
  }

  /// The id of a row.
  func id(of row: Row) -> Movie.ID { String(decoding: text[row.id], as: UTF8.self) }

  /// The title of a row.
  func title(of row: Row) -> String { String(decoding: text[row.title], as: UTF8.self) }

  /// Calls a closure with each row and the UTF-8 of its title; creates no strings. Ends early if the task is cancelled:
  /// while the user types, the searches for earlier texts must not delay the last one.
  func forEachTitle(_ body: (Row, ArraySlice<UInt8>) -> Void) {
    for (place, row) in rows.enumerated() {
      if place.isMultiple(of: 4096), Task.isCancelled { return }
      body(row, text[row.title])
    }
  }
}

extension Movies: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { rows.count }

  package subscript(position: Int) -> Movie {
    let row = rows[position]
    return Movie(id: id(of: row), title: title(of: row), year: row.year, genres: genreLists[Int(row.genres)])
  }
}

extension Movies: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Movie...) { self.init(elements) }
}

extension Movies: Equatable {
  package static func == (lhs: Movies, rhs: Movies) -> Bool {
    if lhs.rows == rhs.rows, lhs.text == rhs.text, lhs.genreLists == rhs.genreLists { return true }
    return lhs.elementsEqual(rhs)
  }
}
