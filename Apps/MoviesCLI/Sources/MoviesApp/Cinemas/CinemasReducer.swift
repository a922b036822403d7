package import ReeluxCore
import ReeluxLocation

extension Reducer where Action == CinemasAction, State == CinemasState {
  /// The reducer of the cinemas.
  package static let cinemas = Reducer { action, state in
    switch action {
    case .look(let place, let radius): state.view = CinemasState.View(place: place, radius: radius)
    }
  }
}

extension Reducer where Action == AppAction, State == AppState {
  /// The reducer that follows the location: each fix finds its nearest cinema.
  ///
  /// It stands after the location's own reducer, whose distance it reads.
  package static let walk = Reducer.accepting { action, state in
    guard case .location(.moved(let fixes)) = action, let last = fixes.last else { return false }
    // The distance is known at the last fix of the batch; from there it is counted back.
    var distance = state.location.position.distance
    var later = last
    var number = state.location.position.fixes
    var steps: [WalkStep] = []
    for fix in fixes.reversed() {
      distance -= fix.coordinate.distance(to: later.coordinate)
      steps.append(
        WalkStep(
          number: number, fix: fix, distance: max(0, distance),
          nearest: CinemaDistance.nearest(to: fix.coordinate, of: state.cinemas.cinemas)))
      later = fix
      number -= 1
    }
    state.cinemas.steps = steps.reversed()
    return true
  }
}
