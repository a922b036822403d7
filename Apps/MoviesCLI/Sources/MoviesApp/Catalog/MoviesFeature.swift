package import ReeluxCore

/// The middleware that reads catalogues, away from the pipeline.
package struct CatalogMiddleware: MiddlewareProtocol {
  /// The number of bytes between two reports.
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

/// Actions of the catalogue: requests of a command, and answers of the reader.
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

extension Reducer where Action == MoviesAction, State == MoviesState {
  /// The reducer of the catalogue.
  package static let movies = Reducer { action, state in
    switch action {
    case .load: state.phase = .reading(bytes: 0)
    case .look(let view): state.view = view
    case .reading(let bytes): state.phase = .reading(bytes: bytes)
    case .loaded(let catalog):
      state.phase = .ready
      state.catalog = catalog
    case .failed(let error): state.phase = .failed(error)
    }
  }
}

/// The source of catalogues, which the movies feature needs.
package struct CatalogSource: Sendable {
  /// Reads a file, or the built-in catalogue, and reports the number of bytes.
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

extension Feature where Action == MoviesAction, State == MoviesState {
  /// The catalogue: read from this source, and looked at.
  package static func movies(from source: CatalogSource) -> Feature {
    Feature(reducer: .movies, middleware: Middleware(CatalogMiddleware(source: source)))
  }
}
