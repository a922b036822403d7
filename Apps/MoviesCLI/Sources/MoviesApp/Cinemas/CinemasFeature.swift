package import ReeluxCore
package import ReeluxLocation

/// The cinemas, and what is known of the way to them.
package struct CinemasState: Codable, Hashable, Sendable {
  /// A look around.
  package struct View: Codable, Hashable, Sendable {
    /// The place of the user.
    package var place: Coordinate
    /// The radius of the search, in metres.
    package var radius: Double
  }

  /// All cinemas.
  package var cinemas: [Cinema]

  /// The look around that was asked for.
  package var view: View?

  /// The steps of the last fixes that arrived together; one, as a rule.
  package var steps: [WalkStep] = []

  /// The cinemas of the app, which are fictional.
  package init(cinemas: [Cinema] = BuiltInWalk.cinemas) {
    self.cinemas = cinemas
  }

  /// The cinemas that are seen, the nearest first.
  package var visible: [CinemaDistance] {
    view.map { CinemaDistance.around($0.place, radius: $0.radius, of: cinemas) } ?? []
  }
}

/// Actions of the cinemas.
package enum CinemasAction: Codable, Hashable, Sendable {
  /// Look around at a place, as far as the radius in metres.
  case look(at: Coordinate, radius: Double)
}

extension Reducer where Action == CinemasAction, State == CinemasState {
  /// The reducer of the cinemas.
  package static let cinemas = Reducer { action, state in
    switch action {
    case .look(let place, let radius): state.view = CinemasState.View(place: place, radius: radius)
    }
  }
}

extension Feature where Action == CinemasAction, State == CinemasState {
  /// The cinemas.
  package static var cinemas: Feature { Feature(reducer: .cinemas) }
}
