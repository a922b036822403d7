package import ReeluxCore

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
