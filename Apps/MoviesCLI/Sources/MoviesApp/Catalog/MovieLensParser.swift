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
  private var markSkipped = false

  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) throws(CatalogFault) {
    var (records, builder, columns) = (records, builder, columns)
    // Each of the three is moved out and back, so that the closure has exclusive access and nothing is copied.
    self.records = CSVRecords()
    self.builder = CatalogBuilder()
    defer {
      self.records = records
      self.builder = builder
      self.columns = columns
    }
    try records.feed(piece) { (record) throws(CatalogFault) in
      try Self.read(record, into: &builder, &columns)
    }
  }

  mutating func finish() throws(CatalogFault) -> CatalogBuilder {
    var (builder, columns) = (builder, columns)
    try records.finish { (record) throws(CatalogFault) in
      try Self.read(record, into: &builder, &columns)
    }
    return builder
  }

  private static func read(
    _ record: CSVRecords.Record, into builder: inout CatalogBuilder, _ columns: inout Columns?
  ) throws(CatalogFault) {
    guard let columns else {
      columns = try header(record)
      return
    }
    guard record.count == columns.count else {
      throw CatalogFault(
        line: record.line,
        reason: "expected \(columns.count) columns, found \(record.count)"
          + (record.count > columns.count ? "; a title with a comma must stand in quotes" : ""))
    }
    let (title, year) = TitleYear.split(record[columns.title])
    try builder.add(
      id: builder.text(record[columns.id], line: record.line).trimmed,
      title: builder.text(title, line: record.line), year: year,
      genres: builder.genres(
        record[columns.genres], separator: "|", none: "(no genres listed)", line: record.line),
      line: record.line)
  }

  private static func header(_ record: CSVRecords.Record) throws(CatalogFault) -> Columns {
    let names = (0..<record.count).map { String(decoding: record[$0], as: UTF8.self).trimmed }
    guard let id = names.firstIndex(of: "movieId"), let title = names.firstIndex(of: "title"),
      let genres = names.firstIndex(of: "genres")
    else {
      throw CatalogFault(
        line: record.line, reason: "expected the header 'movieId,title,genres', found '\(names.joined(separator: ","))'"
      )
    }
    return Columns(count: names.count, id: id, title: title, genres: genres)
  }
}

/// A title as MovieLens writes it, taken apart: `Toy Story (1995)`, `Death Note (2006–2007)`, `Babylon 5`.
enum TitleYear {
  /// The bytes of the title alone, and the first year between the last parentheses.
  ///
  /// A range counts as its first year, an open range too; blanks at either end are no part of the title. What stands in the last
  /// parentheses and is no year stays in the title, and a title is never left empty.
  static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> (title: UnsafeBufferPointer<UInt8>, year: Int?) {
    let whole = trimmed(bytes)
    guard whole.last == UInt8(ascii: ")"), let open = whole.lastIndex(of: UInt8(ascii: "(")),
      let year = year(UnsafeBufferPointer(rebasing: whole[(open + 1)..<(whole.count - 1)]))
    else { return (whole, nil) }
    let title = trimmed(UnsafeBufferPointer(rebasing: whole[..<open]))
    return title.isEmpty ? (whole, nil) : (title, year)
  }

  /// The year of `1995`, `2006–2007`, `2006-2007` or `2009– `.
  private static func year(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let text = trimmed(bytes)
    guard let first = digits(text.prefix(4)) else { return nil }
    var rest = text.dropFirst(4)
    if rest.isEmpty { return first }
    let dashes: [[UInt8]] = [[0x2D], [0xE2, 0x80, 0x93], [0xE2, 0x80, 0x94]]
    guard let dash = dashes.first(where: { rest.starts(with: $0) }) else { return nil }
    rest = rest.dropFirst(dash.count).drop { $0 == 0x20 }
    return rest.isEmpty || (rest.count == 4 && digits(rest) != nil) ? first : nil
  }

  /// The number of exactly four digits.
  private static func digits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard bytes.count == 4 else { return nil }
    var number = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var slice = bytes[...]
    while let last = slice.last, last == 0x20 || last == 0x09 { slice = slice.dropLast() }
    while let first = slice.first, first == 0x20 || first == 0x09 { slice = slice.dropFirst() }
    return UnsafeBufferPointer(rebasing: slice)
  }
}
