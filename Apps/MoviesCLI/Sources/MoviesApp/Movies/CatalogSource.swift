/// Where catalogues come from: what the movies feature needs from outside.
package struct CatalogSource: Sendable {
  /// Reads a file, or the built-in catalogue, and tells how many bytes it has read.
  package var read: @Sendable (_ file: String?, _ progress: (Int) -> Void) throws(CatalogError) -> Catalog

  /// Makes a source of a closure.
  package init(
    read: @escaping @Sendable (_ file: String?, _ progress: (Int) -> Void) throws(CatalogError) -> Catalog
  ) {
    self.read = read
  }

  /// The files of this machine, and the catalogue that comes with the app.
  package static let files = CatalogSource { (file, progress) throws(CatalogError) in
    guard let file else { return .builtIn }
    return try CatalogReader.read(path: file, progress: progress)
  }
}
