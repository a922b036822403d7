package import ReeluxCore
package import ReeluxLocation

/// The cinemas, and the steps of a walk past them.
package struct CinemasState: Codable, Hashable, Sendable {
  /// A search for cinemas around a place.
  package struct View: Codable, Hashable, Sendable {
    /// The centre of the search.
    package var place: Coordinate
    /// The radius of the search, in metres.
    package var radius: Double
  }

  /// All cinemas.
  package var cinemas: [Cinema]

  /// The current search, if any.
  package var view: View?

  /// The steps of the fixes that arrived together last, usually one.
  package var steps: [WalkStep] = []

  /// Creates the state with these cinemas.
  package init(cinemas: [Cinema] = BuiltInWalk.cinemas) {
    self.cinemas = cinemas
  }

  /// The cinemas within the radius, the nearest first.
  package var visible: [CinemaDistance] {
    view.map { CinemaDistance.around($0.place, radius: $0.radius, of: cinemas) } ?? []
  }
}

/// Actions of the cinemas.
package enum CinemasAction: Codable, Hashable, Sendable {
  /// Search for cinemas around a place, within a radius in metres.
  case show(at: Coordinate, radius: Double)
}

extension Reducer where Action == CinemasAction, State == CinemasState {
  /// The reducer of the cinemas.
  package static let cinemas = Reducer { action, state in
    switch action {
    case .show(let place, let radius): state.view = CinemasState.View(place: place, radius: radius)
    }
  }
}

extension Feature where Action == CinemasAction, State == CinemasState {
  /// The feature of the cinemas.
  package static var cinemas: Feature { Feature(reducer: .cinemas) }
}
