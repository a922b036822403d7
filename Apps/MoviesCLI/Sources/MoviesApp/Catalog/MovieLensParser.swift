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
      id: TextTrimming.trimmed(builder.text(record[columns.id], line: record.line)),
      title: builder.text(title, line: record.line), year: year,
      genres: builder.genres(
        record[columns.genres], separator: "|", none: "(no genres listed)", line: record.line),
      line: record.line)
  }

  private static func header(_ record: CSVRecords.Record) throws(CatalogFault) -> Columns {
    let names = (0..<record.count).map { TextTrimming.trimmed(String(decoding: record[$0], as: UTF8.self)) }
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
