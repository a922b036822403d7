package import ReeluxCore

extension Feature where Action == MoviesAction, State == MoviesState {
  /// The catalogue: read from this source, and looked at.
  package static func movies(from source: CatalogSource) -> Feature {
    Feature(reducer: .movies, middleware: Middleware(CatalogMiddleware(source: source)))
  }
}
