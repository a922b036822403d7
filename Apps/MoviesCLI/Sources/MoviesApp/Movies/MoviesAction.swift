/// What can happen to the catalogue: wishes of a command, and answers of the reader.
package enum MoviesAction: Codable, Hashable, Sendable {
  /// Read this file, or the built-in catalogue.
  case load(file: String?)
  /// Look at this.
  case look(MoviesView)

  /// So many bytes are read.
  case reading(bytes: Int)
  /// The catalogue is read.
  case loaded(Catalog)
  /// It could not be read.
  case failed(CatalogError)
}
