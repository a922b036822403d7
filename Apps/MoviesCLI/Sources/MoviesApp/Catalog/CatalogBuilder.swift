import ReeluxCore

/// A parser of one catalogue format that receives the file piece by piece.
///
/// The result does not depend on where the pieces are cut. A cut may fall inside a character.
protocol CatalogParser {
  /// Reads the next piece.
  mutating func feed(_ piece: ArraySlice<UInt8>) throws(CatalogFault)

  /// Reads the remaining bytes at the end of the file, and returns the movies.
  mutating func finish() throws(CatalogFault) -> CatalogBuilder
}

/// The movies that a parser has read so far. It checks text and ids, and shares repeated lists of genres.
struct CatalogBuilder {
  private(set) var movies = Movies()
  var notes: [String] = []
  private var movieLines: [Int32] = []
  private var index = MovieIndex()

  /// The indices of the lists of genres so far.
  private var knownGenres: [[String]: UInt32] = [:]

  /// The lists of genres that were read recently, each at the index that a hash of its bytes determines. A catalogue
  /// has few different lists.
  private var recentGenres = [(bytes: [UInt8], genres: UInt32)?](repeating: nil, count: 1 << 13)

  /// Adds a movie that begins on this line, without the blanks around its id and its title. Throws if the id or the
  /// title is empty, if the id is already used, or if the texts take more than 4 GB.
  ///
  /// - Parameters:
  ///   - id: The id in UTF-8; see ``check(_:line:)``.
  ///   - title: The title in UTF-8.
  ///   - genres: The index of the list of genres in ``Movies/genreLists``.
  mutating func add(
    id: ArraySlice<UInt8>, title: ArraySlice<UInt8>, year: Int?, genres: UInt32, line: Int
  ) throws(CatalogFault) {
    let (id, title) = (ByteSearch.trimmed(id), ByteSearch.trimmed(title))
    guard !id.isEmpty else { throw CatalogFault(line: line, reason: "the id is empty") }
    guard !title.isEmpty else {
      throw CatalogFault(line: line, reason: "the title of '\(String(decoding: id, as: UTF8.self))' is empty")
    }
    guard movies.append(id: id, title: title, year: year, genres: genres) else {
      throw CatalogFault(line: line, reason: "the ids and titles take more than 4 GB; split the catalogue")
    }
    movieLines.append(Int32(clamping: line))
    if let first = index.insert(movies.count - 1, in: movies) {
      let id = String(decoding: id, as: UTF8.self)
      let places =
        Int(movieLines[first]) == line
        ? "by movie \(first + 1) and by movie \(movies.count)" : "in line \(movieLines[first]) and in line \(line)"
      throw CatalogFault(line: line, reason: "the id '\(id)' is used twice, \(places)")
    }
  }

  /// Adds a movie with strings as texts. Blanks around a genre are removed, too.
  mutating func add(id: String, title: String, year: Int?, genres: [String], line: Int) throws(CatalogFault) {
    let list = self.genres(genres.map(\.trimmed).filter { !$0.isEmpty })
    let (id, title) = (Array(id.utf8), Array(title.utf8))
    try add(id: id[...], title: title[...], year: year, genres: list, line: line)
  }

  /// Throws if these bytes are not UTF-8.
  func check(_ bytes: ArraySlice<UInt8>, line: Int) throws(CatalogFault) {
    if !ByteSearch.isASCII(bytes) { _ = try text(bytes, line: line) }
  }

  /// Decodes these bytes, which must be UTF-8.
  func text(_ bytes: ArraySlice<UInt8>, line: Int) throws(CatalogFault) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let before = bytes.prefix { $0 < 0x80 }
    // A single byte above ASCII between ASCII letters is probably an accented letter in Latin-1 or Windows-1252.
    let isLatin = bytes[before.endIndex...].prefix(2).count(where: { $0 >= 0x80 }) == 1
    throw CatalogFault(
      line: line,
      reason: "the text is not UTF-8"
        + (isLatin
          ? "; it looks like Latin-1 or Windows-1252. Convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW" : ""))
  }

  /// The index of a list of genres such as `Drama|Sci-Fi`.
  mutating func genres(
    _ bytes: ArraySlice<UInt8>, separator: Character, none: String, line: Int
  ) throws(CatalogFault) -> UInt32 {
    var hash: UInt = 0
    for byte in bytes { hash = hash &* 31 &+ UInt(byte) }
    let place = Int(truncatingIfNeeded: hash) & (recentGenres.count - 1)
    if let recent = recentGenres[place], recent.bytes[...] == bytes { return recent.genres }
    let list = try text(bytes, line: line)
    let genres = self.genres(
      list.trimmed == none ? [] : list.split(separator: separator).map(\.trimmed).filter { !$0.isEmpty })
    recentGenres[place] = (Array(bytes), genres)
    return genres
  }

  /// The index of a list of genres, each of which counts once. Equal lists have the same index.
  private mutating func genres(_ list: [String]) -> UInt32 {
    let list = list.uniqued
    if let known = knownGenres[list] { return known }
    let genres = movies.addGenres(list)
    knownGenres[list] = genres
    return genres
  }

  /// The finished catalogue.
  func catalog(name: String) -> Catalog {
    Catalog(name: name, movies: movies, notes: notes, index: index)
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in the order of their first appearance.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
