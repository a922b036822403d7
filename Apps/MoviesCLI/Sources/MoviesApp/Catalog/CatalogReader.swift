import Foundation
import ReeluxCore
import ReeluxLogger

/// The reader of catalogue files. It detects the format and passes the bytes to the parser of this format.
package struct CatalogReader {
  /// The number of bytes that are read at a time.
  static let pieceLength = 1 << 20

  /// The name of a catalogue from standard input.
  static let standardInput = "standard input"

  private let fileName: String
  private var prefix: [UInt8] = []
  /// The number of blanks at the start.
  private var blanks = 0
  private var parser: (any CatalogParser)?

  init(fileName: String) {
    self.fileName = fileName
  }

  /// Reads a catalogue file in one pass; `-` is standard input.
  ///
  /// - Parameter progress: Called after each piece of at most 1 MiB with the number of bytes read so far.
  package static func read(
    path: String, progress: (Int) -> Void = { _ in }
  ) throws(CatalogError) -> Catalog {
    let name = path == "-" ? standardInput : path
    let file = unsafe path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let reason = errno == ENOENT ? "there is no such file" : "the file cannot be read: \(Descriptor.reason(errno))"
      throw CatalogError(kind: .missing, file: name, reason: reason)
    }
    defer { if path != "-" { close(file) } }
    var reader = CatalogReader(fileName: name)
    var total = 0
    while true {
      let (piece, error) = Descriptor.read(pieceLength, from: file)
      guard error == 0 else {
        if error == EISDIR {
          throw CatalogError(
            kind: .missing, file: name,
            reason: "this is a folder; name the file in it, movies.csv or title.basics.tsv")
        }
        let failure = total == 0 ? "the file cannot be read" : "reading stopped after \(total) bytes"
        let reason = "\(failure): \(Descriptor.reason(error))"
        throw CatalogError(kind: .missing, file: name, reason: reason)
      }
      if piece.isEmpty { break }
      total += piece.count
      try reader.feed(piece[...])
      progress(total)
    }
    if path == "-" { SignalWatch.awaitReports() }
    return try reader.finish()
  }

  /// Reads a catalogue from bytes. Messages contain `fileName`.
  package static func read(_ bytes: [UInt8], fileName: String) throws(CatalogError) -> Catalog {
    var reader = CatalogReader(fileName: fileName)
    try reader.feed(bytes[...])
    return try reader.finish()
  }

  mutating func feed(_ piece: ArraySlice<UInt8>) throws(CatalogError) {
    do throws(CatalogFault) {
      if parser == nil {
        prefix.append(contentsOf: piece)
        while blanks < prefix.count, CatalogFormat.blanks.contains(prefix[blanks]) { blanks += 1 }
        if prefix.count - blanks >= CatalogFormat.prefixLength { try begin() }
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

  /// Detects the format from the bytes read so far, and passes them to its parser without a byte order mark.
  private mutating func begin() throws(CatalogFault) {
    let bytes = prefix
    prefix = []
    var parser: any CatalogParser =
      switch try CatalogFormat.detect(bytes[...], fileName: fileName) {
      case .movieLens: MovieLensParser()
      case .imdb: IMDbParser()
      case .json: JSONCatalogParser()
      }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    try parser.feed(bytes[start...])
    self.parser = parser
  }
}
