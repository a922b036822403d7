import Foundation

/// The reader of catalogue files: recognises the format and feeds the bytes to its parser.
package struct CatalogReader {
  /// How many bytes are read at a time.
  static let pieceLength = 1 << 18

  private let fileName: String
  private var prefix: [UInt8] = []
  private var parser: (any CatalogParser)?

  init(fileName: String) {
    self.fileName = fileName
  }

  /// Reads a catalogue file in one pass.
  ///
  /// - Parameter progress: Called now and then with the number of bytes read so far.
  package static func read(
    path: String, progress: (Int) -> Void = { _ in }
  ) throws(CatalogError) -> Catalog {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw CatalogError(kind: .missing, file: path, reason: "there is no such file")
    }
    if isDirectory.boolValue {
      throw CatalogError(
        kind: .missing, file: path, reason: "this is a folder; name the file in it, movies.csv or title.basics.tsv")
    }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CatalogError(kind: .missing, file: path, reason: "the file may not be read")
    }
    defer { try? file.close() }
    var reader = CatalogReader(fileName: path)
    var total = 0
    while true {
      let piece: Data?
      do { piece = try file.read(upToCount: pieceLength) } catch {
        throw CatalogError(kind: .unreadable, file: path, reason: "reading stopped after \(total) bytes")
      }
      guard let piece, !piece.isEmpty else { break }
      total += piece.count
      try reader.feed([UInt8](piece))
      progress(total)
    }
    return try reader.finish()
  }

  /// Reads a catalogue from bytes; `fileName` stands in messages and hints at the format.
  package static func read(_ bytes: [UInt8], fileName: String) throws(CatalogError) -> Catalog {
    var reader = CatalogReader(fileName: fileName)
    try reader.feed(bytes)
    return try reader.finish()
  }

  mutating func feed(_ bytes: [UInt8]) throws(CatalogError) {
    var failure: CatalogError?
    bytes.withUnsafeBufferPointer { piece in
      do throws(CatalogError) { try feed(piece) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) throws(CatalogError) {
    do throws(CatalogFault) {
      if parser == nil {
        prefix.append(contentsOf: piece)
        if prefix.count >= CatalogFormat.prefixLength { try begin() }
      } else {
        try parser?.feed(piece)
      }
    } catch {
      throw CatalogError(kind: .malformed, file: fileName, line: error.line, reason: error.reason)
    }
  }

  mutating func finish() throws(CatalogError) -> Catalog {
    do throws(CatalogFault) {
      if parser == nil { try begin() }
      guard let builder = try parser?.finish() else { return .empty }
      return builder.catalog(name: fileName)
    } catch {
      throw CatalogError(kind: .malformed, file: fileName, line: error.line, reason: error.reason)
    }
  }

  /// Recognises the format by what has been read so far, and hands it to the parser, without a byte order mark.
  private mutating func begin() throws(CatalogFault) {
    let bytes = prefix
    prefix = []
    var fault: CatalogFault?
    bytes.withUnsafeBufferPointer { bytes in
      do throws(CatalogFault) {
        var parser: any CatalogParser =
          switch try CatalogFormat.detect(bytes, fileName: fileName) {
          case .movieLens: MovieLensParser()
          case .imdb: IMDbParser()
          case .json: JSONCatalogParser()
          }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        try parser.feed(UnsafeBufferPointer(rebasing: bytes[start...]))
        self.parser = parser
      } catch { fault = error }
    }
    if let fault { throw fault }
  }
}

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
      ? [] : list.split(separator: separator).map { $0.trimmed }.filter { !$0.isEmpty }
    genreLists[list] = genres
    return genres
  }

  /// The finished catalogue.
  func catalog(name: String) -> Catalog {
    Catalog(name: name, movies: movies, notes: notes, index: index)
  }
}
