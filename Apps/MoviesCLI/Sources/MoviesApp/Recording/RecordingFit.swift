import ReeluxFavorites
import ReeluxLocation
import ReeluxRecording

/// The fit of a response in a replay that leaves actions out.
///
/// A request's number depends on all requests before it. So a response is matched by its content: the item and the
/// value of a favourite, or the service of a location. A response that no request waits for is orphaned.
enum RecordingFit {
  @Sendable static func fit(_ action: AppAction, _ state: AppState) -> AnswerFit<AppAction> {
    switch action {
    case .favorites(let action): favorites(action, state.favorites)
    case .location(let action): location(action, state.location)
    case .movies(let action): movies(action, state.movies)
    case .cinemas, .screen: .asRecorded
    }
  }

  private static func favorites(
    _ action: FavoritesAction<Movie.ID>, _ state: FavoritesState<Movie.ID>
  ) -> AnswerFit<AppAction> {
    guard case .response(let response) = action else { return .asRecorded }
    if let matching = state.matching(response) { return .instead(.favorites(.response(matching))) }
    switch response {
    case .confirmed(let request, _), .failed(let request, _):
      return .orphaned(
        state.isPending(request.id)
          ? "another request for \(request.id) is under way"
          : "no request for \(request.id) is under way")
    case .expired: return .orphaned("no request is under way that could expire")
    case .due(let id, _, _): return .orphaned("no attempt for \(id) is due")
    case .interrupted: return .orphaned("no request was interrupted")
    case .loaded, .loadFailed, .fetchInterrupted: return .orphaned("no fetch is under way")
    case .loadDue: return .orphaned("no fetch is due")
    case .pushed, .followingEnded, .followingDue, .followingInterrupted:
      return .orphaned("no feed follows the server's changes")
    }
  }

  private static func location(_ action: LocationAction, _ state: LocationState) -> AnswerFit<AppAction> {
    guard case .response(let response) = action else { return .asRecorded }
    let missing: String? =
      switch response {
      case .moved, .interrupted: state.position.phase == .running ? nil : "the position service does not run"
      case .positionReceived: state.request.phase == .running ? nil : "no position was requested"
      case .significantlyMoved:
        state.significantChange.phase == .running ? nil : "the significant-change service does not run"
      case .headingChanged: state.heading.phase == .running ? nil : "the heading service does not run"
      case .visited: state.visits.phase == .running ? nil : "the visits service does not run"
      case .regionDetermined(let id, _), .regionEntered(let id), .regionLeft(let id):
        state.regions[id]?.phase == .running ? nil : "the region \(id) is not watched"
      case .authorizationChanged, .failed, .ended: nil
      }
    return missing.map { .orphaned($0) } ?? .asRecorded
  }

  private static func movies(_ action: MoviesAction, _ state: MoviesState) -> AnswerFit<AppAction> {
    switch action {
    case .loaded, .failed, .reading:
      if case .reading = state.phase { return .asRecorded }
      return .orphaned("no catalogue is being read")
    case .load, .show: return .asRecorded
    }
  }
}
