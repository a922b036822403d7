package import ReeluxCore

extension Feature where Action == CinemasAction, State == CinemasState {
  /// The cinemas.
  package static var cinemas: Feature { Feature(reducer: .cinemas) }
}

extension Feature where Action == AppAction, State == AppState {
  /// What joins location and cinemas.
  package static var walk: Feature { Feature(reducer: .walk) }
}
