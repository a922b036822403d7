import ReeluxLocationSimulation

/// The formats of a catalogue file.
enum CatalogFormat {
  /// MovieLens `movies.csv`: `movieId,title,genres`.
  case movieLens
  /// IMDb `title.basics.tsv`.
  case imdb
  /// This project's own JSON.
  case json

  /// The bytes that may precede the content.
  static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// The number of bytes after the first blanks that ``detect(_:fileName:)`` needs, or all bytes of a shorter file.
  static let prefixLength = 4096

  /// Detects the format from the first bytes of a file.
  ///
  /// Only the content determines the format. The name determines which format an error message expects.
  static func detect(_ prefix: ArraySlice<UInt8>, fileName: String) throws(CatalogFault) -> CatalogFormat {
    if prefix.starts(with: [0xFF, 0xFE, 0, 0]) || prefix.starts(with: [0, 0, 0xFE, 0xFF]) {
      throw CatalogFault(line: 1, reason: "the text is UTF-32; save the file as UTF-8")
    }
    // Without a byte order mark, one byte of the first letter is zero.
    let zeros = prefix.prefix(2).map { $0 == 0 }
    if prefix.starts(with: [0xFF, 0xFE]) || prefix.starts(with: [0xFE, 0xFF])
      || zeros.count == 2 && zeros[0] != zeros[1]
    {
      throw CatalogFault(line: 1, reason: "the text is UTF-16; save the file as UTF-8")
    }
    if let compression = Compression(of: prefix) { throw CatalogFault(line: 1, reason: compression.reason) }
    var bytes = prefix
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard let first = bytes.first(where: { !blanks.contains($0) }) else {
      throw CatalogFault(line: 1, reason: "the file is empty; \(expectation(fileName))")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
    let line = bytes.drop(while: blanks.contains).prefix { $0 != 0x0A && $0 != 0x0D }
    // Columns may be in any order. Those of MovieLens may be in quotes.
    func names(between separator: UInt8) -> [String] {
      line.split(separator: separator, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
    let columns = names(between: 0x09)
    if columns.count > 1, columns.contains("tconst") { return .imdb }
    if columns.count > 1, columns.contains("\"tconst\"") {
      throw CatalogFault(
        line: 1, reason: "the columns are in quotes; a file in the format of IMDb's title.basics.tsv has none")
    }
    if names(between: 0x2C).contains(where: { $0.filter { $0 != "\"" && $0 != " " } == "movieId" }) {
      return .movieLens
    }
    for (separator, format) in [(UInt8(ascii: ","), "csv"), (0x09, "tsv")]
    where names(between: separator) == listColumns {
      throw CatalogFault(
        line: 1,
        reason: "this is a list that '--format \(format)' wrote, not a catalogue; a list that 'list --json' writes can "
          + "be read")
    }
    throw CatalogFault(line: 1, reason: expectation(fileName))
  }

  /// The columns of a list of movies that this program writes as CSV or TSV.
  private static let listColumns = ["id", "title", "year", "genres", "favorite"]

  private static func expectation(_ fileName: String) -> String {
    let name = fileName.lowercased()
    if name.hasSuffix(".csv") { return "expected the header 'movieId,title,genres' of a MovieLens catalogue" }
    if name.hasSuffix(".tsv") { return "expected the header of IMDb's title.basics.tsv, with the column 'tconst'" }
    if name.hasSuffix(".json") { return "expected a JSON array of movies, or an object with the key 'movies'" }
    return "expected MovieLens movies.csv, IMDb title.basics.tsv or a JSON catalogue"
  }
}
