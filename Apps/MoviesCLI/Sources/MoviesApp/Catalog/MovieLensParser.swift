/// The parser of MovieLens `movies.csv`.
///
/// The header names the columns `movieId`, `title` and `genres`, in any order. Other columns are ignored. Ids are text.
/// The year is read from the end of the title. `(no genres listed)` gives an empty list.
struct MovieLensParser: CatalogParser {
  private struct Columns {
    var count: Int
    var id: Int
    var title: Int
    var genres: Int
  }

  private var records = CSVRecords()
  private var builder = CatalogBuilder()
  private var columns: Columns?

  /// The bytes from the first record that has not been read.
  private var buffer: [UInt8] = []

  /// The number of bytes at which the next attempt to read a record is made. Without it, a record that is larger than a
  /// piece would be scanned again with every piece.
  private var wanted = 0

  mutating func feed(_ piece: ArraySlice<UInt8>) throws(CatalogFault) {
    buffer.append(contentsOf: piece)
    if buffer.count >= wanted { try read(isLast: false) }
  }

  mutating func finish() throws(CatalogFault) -> CatalogBuilder {
    try read(isLast: true)
    return builder
  }

  private mutating func read(isLast: Bool) throws(CatalogFault) {
    // The buffer is moved out, because the records and the builder are changed while its bytes are read.
    var bytes = buffer
    buffer = []
    var position = 0
    while try records.next(in: &bytes, at: &position, isLast: isLast) { try add(bytes) }
    bytes.removeSubrange(..<position)
    wanted = position > 0 ? 0 : bytes.count * 2
    buffer = bytes
  }

  private mutating func add(_ bytes: [UInt8]) throws(CatalogFault) {
    guard let columns else { return try readHeader(bytes) }
    let line = records.line
    guard records.fields.count == columns.count else {
      let found = records.fields.count
      throw CatalogFault(
        line: line,
        reason: "expected \(columns.count) columns, found \(found)"
          + (found > columns.count ? "; a title with a comma must be quoted" : ""))
    }
    let id = bytes[records.fields[columns.id]]
    let (title, year) = TitleYear.split(bytes[records.fields[columns.title]])
    try builder.check(id, line: line)
    try builder.check(title, line: line)
    let genres = try builder.genres(
      bytes[records.fields[columns.genres]], separator: "|", none: "(no genres listed)", line: line)
    try builder.add(id: id, title: title, year: year, genres: genres, line: line)
  }

  private mutating func readHeader(_ bytes: [UInt8]) throws(CatalogFault) {
    let names = records.fields.map { String(decoding: bytes[$0], as: UTF8.self).trimmed }
    guard let id = names.firstIndex(of: "movieId"), let title = names.firstIndex(of: "title"),
      let genres = names.firstIndex(of: "genres")
    else {
      throw CatalogFault(
        line: records.line,
        reason: "expected the header 'movieId,title,genres', found '\(names.joined(separator: ","))'")
    }
    columns = Columns(count: names.count, id: id, title: title, genres: genres)
  }
}

/// A MovieLens title without its year: `Toy Story (1995)`, `Death Note (2006–2007)`, `Babylon 5`.
enum TitleYear {
  /// The bytes of the title alone, and the first year in the last parentheses.
  ///
  /// A range of years counts as its first year, also if it is open. Blanks at either end are removed. If the last
  /// parentheses hold no year, they stay in the title. The title is empty only if the text is blank.
  static func split(_ bytes: ArraySlice<UInt8>) -> (title: ArraySlice<UInt8>, year: Int?) {
    let whole = ByteSearch.trimmed(bytes)
    var text = whole
    // A no-break space (U+00A0) after the year is not visible.
    while text.last == 0xA0, text.dropLast().last == 0xC2 { text = ByteSearch.trimmed(text.dropLast(2)) }
    guard text.last == UInt8(ascii: ")"), let open = text.lastIndex(of: UInt8(ascii: "(")),
      let year = year(text[(open + 1)...].dropLast())
    else { return (whole, nil) }
    let title = ByteSearch.trimmed(whole[..<open])
    return title.isEmpty ? (whole, nil) : (title, year)
  }

  /// The year of `1995`, `2006–2007`, `2006-2007` or `2009– `.
  private static func year(_ bytes: ArraySlice<UInt8>) -> Int? {
    let text = ByteSearch.trimmed(bytes)
    guard let first = digits(text.prefix(4)), first > 0 else { return nil }
    var rest = text.dropFirst(4)
    if rest.isEmpty { return first }
    let dashes: [[UInt8]] = [[0x2D], [0xE2, 0x80, 0x93], [0xE2, 0x80, 0x94]]
    guard let dash = dashes.first(where: { rest.starts(with: $0) }) else { return nil }
    rest = rest.dropFirst(dash.count).drop { $0 == 0x20 }
    return rest.isEmpty || (rest.count == 4 && digits(rest) != nil) ? first : nil
  }

  /// The number that these bytes write; `nil` unless they are exactly four digits.
  static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 4 else { return nil }
    var number = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }
}
