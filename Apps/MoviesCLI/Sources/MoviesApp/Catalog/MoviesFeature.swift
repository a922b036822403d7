package import ReeluxCore

/// The middleware that reads catalogues on a background task.
package struct CatalogMiddleware: MiddlewareProtocol {
  /// The number of bytes between two progress reports.
  static let reportLength = 8 << 20

  let source: CatalogSource

  package func handle(
    action: MoviesAction, from _: ActionSource, state _: GetState<MoviesState>
  ) -> Effect<MoviesAction> {
    guard case .load(let file) = action else { return .none }
    return .run { [source] send in
      var reported = 0
      do throws(CatalogError) {
        let catalog = try source.read(file) { bytes in
          guard bytes - reported >= Self.reportLength else { return }
          reported = bytes
          send(.reading(bytes: bytes))
        }
        send(.loaded(catalog))
      } catch {
        send(.failed(error))
      }
    }
    .cancellable(id: "catalog", cancelInFlight: true)
  }
}

/// Actions of the catalogue: requests of a command, and responses of the reader.
package enum MoviesAction: Codable, Equatable, Sendable {
  /// Read this file, or the built-in catalogue.
  case load(file: String?)
  /// Show these movies.
  case show(MoviesView)

  /// The reader has read this number of bytes.
  case reading(bytes: Int)
  /// The reader has read the catalogue.
  case loaded(Catalog)
  /// The reader could not read the catalogue.
  case failed(CatalogError)
}

extension Reducer where Action == MoviesAction, State == MoviesState {
  /// The reducer of the catalogue.
  package static let movies = Reducer { action, state in
    switch action {
    case .load: state.phase = .reading(bytes: 0)
    case .show(let view): state.view = view
    case .reading(let bytes): state.phase = .reading(bytes: bytes)
    case .loaded(let catalog):
      state.phase = .ready
      state.catalog = catalog
    case .failed(let error): state.phase = .failed(error)
    }
  }
}

/// The source of catalogues that the movies feature depends on.
package struct CatalogSource: Sendable {
  /// Reads a file, or the built-in catalogue, and reports the number of bytes read.
  package var read: @Sendable (_ file: String?, _ progress: (Int) -> Void) throws(CatalogError) -> Catalog

  /// Creates a source from a closure.
  package init(
    read: @escaping @Sendable (_ file: String?, _ progress: (Int) -> Void) throws(CatalogError) -> Catalog
  ) {
    self.read = read
  }

  /// The files of this machine, and the built-in catalogue.
  package static let files = CatalogSource { (file, progress) throws(CatalogError) in
    guard let file else { return .builtIn }
    return try CatalogReader.read(path: file, progress: progress)
  }
}

extension Feature where Action == MoviesAction, State == MoviesState {
  /// The feature that reads catalogues from this source and selects movies.
  package static func movies(from source: CatalogSource) -> Feature {
    Feature(reducer: .movies, middleware: Middleware(CatalogMiddleware(source: source)))
  }
}
