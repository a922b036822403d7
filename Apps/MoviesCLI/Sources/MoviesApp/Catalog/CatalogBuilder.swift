import ReeluxCore
import Foundation

/// A parser of one catalogue format that is fed with bytes, a piece at a time.
///
/// Pieces may be cut anywhere, inside a character too: the result does not depend on it.
protocol CatalogParser {
  /// Reads the next piece.
  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) throws(CatalogFault)

  /// Reads what is left at the end of the file, and answers what was built.
  mutating func finish() throws(CatalogFault) -> CatalogBuilder
}

/// A catalogue in the making: checks text and ids, and shares what repeats.
struct CatalogBuilder {
  private(set) var movies: [Movie] = []
  var notes: [String] = []
  private var lines: [Int32] = []
  private var index = MovieIndex()

  /// The lists of genres so far, found by a hash of their bytes.
  private var genreLists: [UInt64: (bytes: [UInt8], genres: [String])] = [:]

  /// Adds a movie that began on this line, and refuses an empty or a taken id.
  mutating func add(id: String, title: String, year: Int?, genres: [String], line: Int) throws(CatalogFault) {
    guard !id.isEmpty else { throw CatalogFault(line: line, reason: "the id is empty") }
    guard !title.isEmpty else { throw CatalogFault(line: line, reason: "the title of '\(id)' is empty") }
    movies.append(Movie(id: id, title: title, year: year, genres: genres))
    lines.append(Int32(clamping: line))
    if let first = index.insert(movies.count - 1, in: movies) {
      throw CatalogFault(line: line, reason: "line \(lines[first]) already has the id '\(id)'")
    }
  }

  /// The text of these bytes, which must be UTF-8.
  func text(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) throws(CatalogFault) -> String {
    // Most texts are ASCII, and need no more than this look.
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    if all < 0x80 { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let before = bytes.prefix { $0 < 0x80 }
    // A lone byte above ASCII between ASCII letters is a letter with an accent in Latin-1 or Windows-1252.
    let isLatin = bytes[before.endIndex...].prefix(2).count(where: { $0 >= 0x80 }) == 1
    throw CatalogFault(
      line: line,
      reason: "the text is not UTF-8"
        + (isLatin
          ? "; it looks like Latin-1 or Windows-1252. Convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW" : ""))
  }

  /// The genres of a list such as `Drama|Sci-Fi`. Equal lists share one array.
  mutating func genres(
    _ bytes: UnsafeBufferPointer<UInt8>, separator: Character, none: String, line: Int
  ) throws(CatalogFault) -> [String] {
    let hash = FNV1a(bytes).value
    if let known = genreLists[hash], ByteSearch.areEqual(known.bytes, bytes) { return known.genres }
    let list = try text(bytes, line: line)
    let genres = list == none ? [] : list.split(separator: separator).map(\.trimmed).filter { !$0.isEmpty }
    genreLists[hash] = (Array(bytes), genres)
    return genres
  }

  /// The finished catalogue.
  func catalog(name: String) -> Catalog {
    Catalog(name: name, movies: movies, notes: notes, index: index)
  }
}

/// Bytes looked at without making text of them.
enum ByteSearch {
  /// The first index at or after `start` that holds this byte, at the speed of the C library.
  static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// Whether the bytes are the same.
  static func areEqual(_ known: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard known.count == bytes.count else { return false }
    for index in 0..<known.count where known[index] != bytes[index] { return false }
    return true
  }

  /// The bytes without the blanks and tabs at both ends.
  static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }
}
