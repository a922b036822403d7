import Foundation
import ReeluxCore

/// The reader of catalogue files: recognises the format and feeds the bytes to its parser.
package struct CatalogReader {
  /// How many bytes are read at a time.
  static let pieceLength = 1 << 20

  private let fileName: String
  private var prefix: [UInt8] = []
  private var parser: (any CatalogParser)?

  init(fileName: String) {
    self.fileName = fileName
  }

  /// Reads a catalogue file in one pass; `-` is standard input.
  ///
  /// - Parameter progress: Called now and then with the number of bytes read so far.
  package static func read(
    path: String, progress: (Int) -> Void = { _ in }
  ) throws(CatalogError) -> Catalog {
    let name = path == "-" ? "standard input" : path
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let reason = errno == ENOENT ? "there is no such file" : "the file may not be read: \(systemReason())"
      throw CatalogError(kind: .missing, file: name, reason: reason)
    }
    defer { if path != "-" { close(file) } }
    var reader = CatalogReader(fileName: name)
    var piece = [UInt8](repeating: 0, count: pieceLength)
    var total = 0
    while true {
      let count = piece.withUnsafeMutableBytes { Descriptor.read(into: $0, from: file) }
      if count == 0 { break }
      guard count > 0 else {
        if errno == EISDIR {
          throw CatalogError(
            kind: .missing, file: name,
            reason: "this is a folder; name the file in it, movies.csv or title.basics.tsv")
        }
        let reason = "reading stopped after \(total) bytes: \(systemReason())"
        throw CatalogError(kind: .unreadable, file: name, reason: reason)
      }
      total += count
      try piece.withUnsafeBufferPointer { (bytes) throws(CatalogError) in
        try reader.feed(UnsafeBufferPointer(rebasing: bytes[..<count]))
      }
      progress(total)
    }
    return try reader.finish()
  }

  private static func systemReason() -> String { String(cString: strerror(errno)) }

  /// Reads a catalogue from bytes; `fileName` stands in messages and hints at the format.
  package static func read(_ bytes: [UInt8], fileName: String) throws(CatalogError) -> Catalog {
    var reader = CatalogReader(fileName: fileName)
    try reader.feed(bytes)
    return try reader.finish()
  }

  mutating func feed(_ bytes: [UInt8]) throws(CatalogError) {
    try bytes.withUnsafeBufferPointer { (piece) throws(CatalogError) in try feed(piece) }
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
