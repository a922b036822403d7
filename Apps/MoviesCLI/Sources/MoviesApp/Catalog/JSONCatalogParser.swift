/// The parser of the project's own JSON catalogue.
///
/// Either an object, or the array alone, which is what `list --json` prints:
///
///     {"schema": 1, "movies": [{"id": "metropolis-1927", "title": "Metropolis", "year": 1927, "genres": ["Drama"]}]}
///
/// `id` is a string (an integer is taken as it is written) and `title` a string. `year` may be null or absent, `genres`
/// absent. Other keys are ignored. The whole text is held in memory while it is read.
struct JSONCatalogParser: CatalogParser {
  /// The schema that this version reads.
  static let schema = 1

  private var bytes: [UInt8] = []
  private var builder = CatalogBuilder()

  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: piece)
  }

  mutating func finish() throws(CatalogFault) -> CatalogBuilder {
    var scanner = JSONScanner(bytes)
    bytes = []
    if scanner.take("[") {
      try movies(&scanner)
    } else {
      try object(&scanner)
    }
    guard scanner.peek() == nil else { throw scanner.unexpected("the end of the file") }
    return builder
  }

  private mutating func object(_ scanner: inout JSONScanner) throws(CatalogFault) {
    let start = scanner.line
    try scanner.expect("{")
    var found = false
    if !scanner.take("}") {
      repeat {
        guard scanner.peek() == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in quotes") }
        let key = try scanner.string()
        try scanner.expect(":")
        if key == "movies" {
          guard !found else { throw CatalogFault(line: scanner.line, reason: "the key 'movies' is there twice") }
          found = true
          try scanner.expect("[")
          try movies(&scanner)
        } else {
          try checkSchema(key, scanner.value())
        }
      } while scanner.take(",")
      try scanner.expect("}")
    }
    if !found { throw CatalogFault(line: start, reason: "the object has no key 'movies' with an array of movies") }
  }

  private func checkSchema(_ key: String, _ node: JSONNode) throws(CatalogFault) {
    guard key == "schema" else { return }
    guard case .number(let text) = node.value, let schema = Int(text) else {
      throw CatalogFault(line: node.line, reason: "'schema' is \(node.kind), not a whole number")
    }
    guard schema == Self.schema else {
      throw CatalogFault(
        line: node.line, reason: "the catalogue has schema \(schema); this version reads schema \(Self.schema)")
    }
  }

  /// The rest of the array, after its opening bracket.
  private mutating func movies(_ scanner: inout JSONScanner) throws(CatalogFault) {
    if scanner.take("]") { return }
    repeat { try add(scanner.value()) } while scanner.take(",")
    try scanner.expect("]")
  }

  private mutating func add(_ node: JSONNode) throws(CatalogFault) {
    guard case .object = node.value else {
      throw CatalogFault(line: node.line, reason: "expected a movie, an object, found \(node.kind)")
    }
    try builder.add(
      id: id(node), title: title(node), year: year(node["year"]), genres: genres(node["genres"]), line: node.line)
  }

  private func id(_ movie: JSONNode) throws(CatalogFault) -> String {
    guard let node = movie["id"] else { throw CatalogFault(line: movie.line, reason: "the movie has no 'id'") }
    switch node.value {
    case .string(let id): return TextTrimming.trimmed(id)
    case .number(let id) where Int(id) != nil: return id
    default: throw CatalogFault(line: node.line, reason: "'id' is \(node.kind), not a string")
    }
  }

  private func title(_ movie: JSONNode) throws(CatalogFault) -> String {
    guard let node = movie["title"] else { throw CatalogFault(line: movie.line, reason: "the movie has no 'title'") }
    guard case .string(let title) = node.value else {
      throw CatalogFault(line: node.line, reason: "'title' is \(node.kind), not a string")
    }
    return TextTrimming.trimmed(title)
  }

  private func year(_ node: JSONNode?) throws(CatalogFault) -> Int? {
    guard let node else { return nil }
    switch node.value {
    case .null: return nil
    case .number(let text):
      guard let year = Int(text), (1...9999).contains(year) else {
        throw CatalogFault(line: node.line, reason: "'year' is \(text), not a year from 1 to 9999")
      }
      return year
    default: throw CatalogFault(line: node.line, reason: "'year' is \(node.kind), not a whole number or null")
    }
  }

  private mutating func genres(_ node: JSONNode?) throws(CatalogFault) -> [String] {
    guard let node else { return [] }
    guard case .array(let elements) = node.value else {
      throw CatalogFault(line: node.line, reason: "'genres' is \(node.kind), not an array of strings")
    }
    var genres: [String] = []
    for element in elements {
      guard case .string(let genre) = element.value else {
        throw CatalogFault(line: element.line, reason: "a genre is \(element.kind), not a string")
      }
      genres.append(genre)
    }
    return genres
  }
}
