import MoviesApp
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
