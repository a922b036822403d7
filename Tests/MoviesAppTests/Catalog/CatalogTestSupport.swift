@testable import MoviesApp
import Testing

/// Reads a catalogue from text.
func catalog(_ text: String, fileName: String = "movies.csv") throws -> Catalog {
  try CatalogReader.read(Array(text.utf8), fileName: fileName)
}

/// The error message for this text.
func catalogFailure(_ text: String, fileName: String = "movies.csv") -> String {
  catalogFailure(Array(text.utf8), fileName: fileName)
}

/// The error message for these bytes.
func catalogFailure(_ bytes: [UInt8], fileName: String = "movies.csv") -> String {
  do {
    let catalog = try CatalogReader.read(bytes, fileName: fileName)
    return "no error, \(catalog.movies.count) movies"
  } catch {
    return "\(error)"
  }
}

/// The movies of a text that a parser receives in pieces of one size.
func movies(_ parser: some CatalogParser, of bytes: [UInt8], cutBy size: Int) throws -> Movies {
  var parser = parser
  for start in stride(from: 0, to: bytes.count, by: size) {
    try parser.feed(bytes[start..<min(start + size, bytes.count)])
  }
  return try parser.finish().movies
}
