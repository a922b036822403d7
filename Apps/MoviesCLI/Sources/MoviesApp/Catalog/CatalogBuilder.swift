/// A catalogue in the making: checks text and ids, and shares what repeats.
struct CatalogBuilder {
  private(set) var movies: [Movie] = []
  var notes: [String] = []
  private var lines: [Int32] = []
  private var index = MovieIndex(minimumCapacity: 1024)
  private var genreLists: [String: [String]] = [:]

  /// Adds a movie that began on this line, and refuses an empty or a taken id.
  mutating func add(id: String, title: String, year: Int?, genres: [String], line: Int) throws(CatalogFault) {
    guard !id.isEmpty else { throw CatalogFault(line: line, reason: "the id is empty") }
    guard !title.isEmpty else { throw CatalogFault(line: line, reason: "the title of '\(id)' is empty") }
    movies.append(Movie(id: id, title: title, year: year, genres: genres))
    lines.append(Int32(clamping: line))
    if let first = index.insert(movies.count - 1, in: movies) {
      throw CatalogFault(line: line, reason: "the id '\(id)' is taken: line \(lines[first]) has it")
    }
  }

  /// The text of these bytes, which must be UTF-8.
  func text(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) throws(CatalogFault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CatalogFault(line: line, reason: "the text is not UTF-8")
    }
    return text
  }

  /// The genres of a list such as `Drama|Sci-Fi`. Equal lists share one array.
  mutating func genres(
    _ bytes: UnsafeBufferPointer<UInt8>, separator: Character, none: String, line: Int
  ) throws(CatalogFault) -> [String] {
    let list = try text(bytes, line: line)
    if let known = genreLists[list] { return known }
    let genres =
      list == none
      ? [] : list.split(separator: separator).map { TextTrimming.trimmed($0) }.filter { !$0.isEmpty }
    genreLists[list] = genres
    return genres
  }

  /// The finished catalogue.
  func catalog(name: String) -> Catalog {
    Catalog(name: name, movies: movies, notes: notes, index: index)
  }
}
