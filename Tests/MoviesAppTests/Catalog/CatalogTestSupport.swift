@testable import MoviesApp
import Testing

/// Reads a catalogue from text.
func catalog(_ text: String, fileName: String = "movies.csv") throws -> Catalog {
  try CatalogReader.read(Array(text.utf8), fileName: fileName)
}

/// The message of the error that reading this text gives.
func catalogFailure(_ text: String, fileName: String = "movies.csv") -> String {
  catalogFailure(Array(text.utf8), fileName: fileName)
}

/// The message of the error that reading these bytes gives.
func catalogFailure(_ bytes: [UInt8], fileName: String = "movies.csv") -> String {
  do {
    let catalog = try CatalogReader.read(bytes, fileName: fileName)
    return "no error, \(catalog.movies.count) movies"
  } catch {
    return "\(error)"
  }
}

/// The movies of a text that a parser gets in pieces of one size.
func movies(_ parser: some CatalogParser, of bytes: [UInt8], cutBy size: Int) throws -> [Movie] {
  var parser = parser
  for start in stride(from: 0, to: bytes.count, by: size) {
    let piece = Array(bytes[start..<min(start + size, bytes.count)])
    try piece.withUnsafeBufferPointer { (piece) throws(CatalogFault) in try parser.feed(piece) }
  }
  return try parser.finish().movies
}
