/// The parser of IMDb's `title.basics.tsv`: columns separated by tabs, `\N` for a missing value, and no quoting.
///
/// Series, episodes, specials and games are left out, and a note counts them. In such a row, only the number of columns
/// is checked. A row without a title, or with an `isAdult` that is neither 0 nor 1, is left out and noted too: its
/// values are missing or in the wrong columns. Memory grows with the number of movies kept, not with the file's size.
struct IMDbParser: CatalogParser {
  /// The values of `titleType` that are left out.
  static let skippedTypes: Set<String> = [
    "tvSeries", "tvMiniSeries", "tvEpisode", "tvSpecial", "tvPilot", "videoGame",
  ]

  private var builder = CatalogBuilder()
  private var carried: [UInt8] = []
  private var line = 0
  private var columnCount = 0
  private var skipped: [String: Int] = [:]
  /// The number of damaged rows that were left out, and a description of the first.
  private var damaged: (count: Int, first: String) = (0, "")
  private var fields: [Range<Int>] = []

  /// The indexes of the columns that are read.
  private var columns = (id: 0, type: 1, title: 2, year: 5, genres: 8)
  /// The index of `isAdult`; `nil` if the file does not have this column.
  private var adult: Int?

  mutating func feed(_ piece: ArraySlice<UInt8>) throws(CatalogFault) {
    var start = piece.startIndex
    if !carried.isEmpty {
      guard let end = ByteSearch.firstIndex(of: 0x0A, in: piece, from: start) else {
        carried.append(contentsOf: piece)
        return
      }
      carried.append(contentsOf: piece[..<end])
      try readCarried()
      start = end + 1
    }
    while let end = ByteSearch.firstIndex(of: 0x0A, in: piece, from: start) {
      try read(piece[start..<end])
      start = end + 1
    }
    carried.append(contentsOf: piece[start...])
  }

  mutating func finish() throws(CatalogFault) -> CatalogBuilder {
    if !carried.isEmpty { try readCarried(isLast: true) }
    if !skipped.isEmpty {
      let kinds = skipped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let count = skipped.values.reduce(0, +)
      builder.notes.append(
        "left out \(Prose.count(count, "title")) that \(count == 1 ? "is not a movie" : "are not movies"): "
          + kinds.map { "\(Prose.grouped($0.value)) \($0.key)" }.joined(separator: ", "))
    }
    if damaged.count > 0 {
      builder.notes.append("left out \(Prose.count(damaged.count, "damaged row")), the first in \(damaged.first)")
    }
    return builder
  }

  private mutating func readCarried(isLast: Bool = false) throws(CatalogFault) {
    let bytes = carried
    carried.removeAll(keepingCapacity: true)
    try read(bytes[...], isLast: isLast)
  }

  /// Reads a line without its line end. `isLast` means that the file ends without a line end.
  private mutating func read(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) throws(CatalogFault) {
    line += 1
    var row = bytes
    if row.last == 0x0D { row.removeLast() }
    if row.isEmpty { return }
    fields.removeAll(keepingCapacity: true)
    var start = row.startIndex
    while let end = ByteSearch.firstIndex(of: 0x09, in: row, from: start) {
      fields.append(start..<end)
      start = end + 1
    }
    fields.append(start..<row.endIndex)
    if columnCount == 0 { return try readHeader(row) }
    guard fields.count == columnCount else {
      let end = isLast && fields.count < columnCount ? ": the file is cut off" : ""
      throw CatalogFault(
        line: line, reason: "expected \(columnCount) columns between tabs, found \(fields.count)\(end)")
    }
    let type = row[fields[columns.type]]
    // Every type that is left out begins with `tv` or `vi`, so the first byte is enough for most rows.
    if type.first == UInt8(ascii: "t") || type.first == UInt8(ascii: "v") {
      let name = try builder.text(type, line: line)
      if Self.skippedTypes.contains(name) {
        skipped[name, default: 0] += 1
        return
      }
    }
    let (id, title) = (row[fields[columns.id]], row[fields[columns.title]])
    try builder.check(id, line: line)
    try builder.check(title, line: line)
    if let damage = try damage(title, row) {
      if damaged.count == 0 { damaged.first = "line \(line): \(damage)" }
      damaged.count += 1
      return
    }
    let year = try year(row[fields[columns.year]])
    let genres = try builder.genres(row[fields[columns.genres]], separator: ",", none: "\\N", line: line)
    try builder.add(id: id, title: title, year: year, genres: genres, line: line)
  }

  /// The reason why a row is left out, if any.
  private func damage(_ title: ArraySlice<UInt8>, _ row: ArraySlice<UInt8>) throws(CatalogFault) -> String? {
    if title.elementsEqual("\\N".utf8) || ByteSearch.trimmed(title).isEmpty { return "primaryTitle is missing" }
    guard let adult else { return nil }
    let value = row[fields[adult]]
    if value.count == 1, value.first == UInt8(ascii: "0") || value.first == UInt8(ascii: "1") { return nil }
    return "isAdult '\(try builder.text(value, line: line))' is neither 0 nor 1"
  }

  private func year(_ bytes: ArraySlice<UInt8>) throws(CatalogFault) -> Int? {
    if bytes.elementsEqual("\\N".utf8) { return nil }
    if let year = TitleYear.digits(bytes), year > 0 { return year }
    let text = try builder.text(bytes, line: line)
    guard !text.hasPrefix("+"), let year = Int(text), (1...9999).contains(year) else {
      throw CatalogFault(line: line, reason: "startYear '\(text)' is neither a year nor \\N")
    }
    return year
  }

  private mutating func readHeader(_ row: ArraySlice<UInt8>) throws(CatalogFault) {
    let names = fields.map { String(decoding: row[$0], as: UTF8.self) }
    var places: [Int] = []
    for name in ["tconst", "titleType", "primaryTitle", "startYear", "genres"] {
      guard let place = names.firstIndex(of: name) else {
        throw CatalogFault(line: line, reason: "the header lacks the column '\(name)' of IMDb's title.basics.tsv")
      }
      places.append(place)
    }
    columns = (places[0], places[1], places[2], places[3], places[4])
    adult = names.firstIndex(of: "isAdult")
    columnCount = names.count
  }
}
