/// The parser of MovieLens `movies.csv`.
///
/// The header names the columns `movieId`, `title` and `genres`, in any order; other columns are ignored. Ids stay text. The year
/// is taken from the title's end. `(no genres listed)` means none.
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

  /// The bytes from the first record that is not read yet.
  private var buffer: [UInt8] = []

  /// How many bytes must be there before it is worth looking again: a record that is larger than what there is would be looked at
  /// with every piece.
  private var wanted = 0

  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) throws(CatalogFault) {
    buffer.append(contentsOf: piece)
    if buffer.count >= wanted { try read(isLast: false) }
  }

  mutating func finish() throws(CatalogFault) -> CatalogBuilder {
    try read(isLast: true)
    return builder
  }

  private mutating func read(isLast: Bool) throws(CatalogFault) {
    // Moved out, so that the records and the builder may be changed while the bytes are looked at.
    var bytes = buffer
    buffer = []
    var position = 0
    try bytes.withUnsafeMutableBufferPointer { (bytes) throws(CatalogFault) in
      while try records.next(in: bytes, at: &position, isLast: isLast) { try add(UnsafeBufferPointer(bytes)) }
    }
    bytes.removeSubrange(..<position)
    wanted = position > 0 ? 0 : bytes.count * 2
    buffer = bytes
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) throws(CatalogFault) {
    guard let columns else { return try readHeader(bytes) }
    let line = records.line
    guard records.fields.count == columns.count else {
      let found = records.fields.count
      throw CatalogFault(
        line: line,
        reason: "expected \(columns.count) columns, found \(found)"
          + (found > columns.count ? "; a title with a comma must stand in quotes" : ""))
    }
    let (title, year) = TitleYear.split(field(columns.title, bytes))
    try builder.add(
      id: builder.text(ByteSearch.trimmed(field(columns.id, bytes)), line: line),
      title: builder.text(title, line: line), year: year,
      genres: builder.genres(
        field(columns.genres, bytes), separator: "|", none: "(no genres listed)", line: line),
      line: line)
  }

  private func field(_ column: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[records.fields[column]])
  }

  private mutating func readHeader(_ bytes: UnsafeBufferPointer<UInt8>) throws(CatalogFault) {
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

/// A title as MovieLens writes it, taken apart: `Toy Story (1995)`, `Death Note (2006–2007)`, `Babylon 5`.
enum TitleYear {
  /// The bytes of the title alone, and the first year between the last parentheses.
  ///
  /// A range counts as its first year, an open range too; blanks at either end are no part of the title. What stands in the last
  /// parentheses and is no year stays in the title, and a title is never left empty.
  static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> (title: UnsafeBufferPointer<UInt8>, year: Int?) {
    let whole = ByteSearch.trimmed(bytes)
    guard whole.last == UInt8(ascii: ")"), let open = whole.lastIndex(of: UInt8(ascii: "(")),
      let year = year(UnsafeBufferPointer(rebasing: whole[(open + 1)..<(whole.count - 1)]))
    else { return (whole, nil) }
    let title = ByteSearch.trimmed(UnsafeBufferPointer(rebasing: whole[..<open]))
    return title.isEmpty ? (whole, nil) : (title, year)
  }

  /// The year of `1995`, `2006–2007`, `2006-2007` or `2009– `.
  private static func year(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let text = ByteSearch.trimmed(bytes)
    guard let first = digits(text.prefix(4)) else { return nil }
    var rest = text.dropFirst(4)
    if rest.isEmpty { return first }
    let dashes: [[UInt8]] = [[0x2D], [0xE2, 0x80, 0x93], [0xE2, 0x80, 0x94]]
    guard let dash = dashes.first(where: { rest.starts(with: $0) }) else { return nil }
    rest = rest.dropFirst(dash.count).drop { $0 == 0x20 }
    return rest.isEmpty || (rest.count == 4 && digits(rest) != nil) ? first : nil
  }

  /// The number of exactly four digits.
  static func digits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard bytes.count == 4 else { return nil }
    var number = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }
}
