import ReeluxFavorites
import ReeluxLocation
import ReeluxRecording

/// What becomes of an answer in a run from which actions were left out.
///
/// The numbers of requests depend on all requests before them, so an answer is matched by what it answers: the item and the
/// value of a favourite, the service of a location. An answer that nothing waits for is set aside.
enum RecordingFit {
  @Sendable static func fit(_ action: AppAction, _ state: AppState) -> AnswerFit<AppAction> {
    switch action {
    case .favorites(let action): favorites(action, state.favorites)
    case .location(let action): location(action, state.location)
    case .movies(let action): movies(action, state.movies)
    case .cinemas: .asRecorded
    }
  }

  private typealias Favorites = FavoritesAction<Movie.ID>

  private static func favorites(
    _ action: Favorites, _ state: FavoritesState<Movie.ID>
  ) -> AnswerFit<AppAction> {
    switch action {
    case .confirmed(let request): return answer(request, state) { .confirmed($0) }
    case .failed(let request, let failure): return answer(request, state) { .failed($0, failure) }
    case .due(let id, _):
      guard case .waiting(_, let number)? = state.items[id]?.phase else {
        return .orphaned("no attempt for \(id) waits")
      }
      return .instead(.favorites(.due(id, number: number)))
    case .loaded(let snapshot, _): return load(state) { .loaded(snapshot, number: $0) }
    case .loadFailed(let failure, _): return load(state) { .loadFailed(failure, number: $0) }
    case .loadDue:
      guard case .waiting(_, let number) = state.load else { return .orphaned("no fetch waits") }
      return .instead(.favorites(.loadDue(number: number)))
    default: return .asRecorded
    }
  }

  private static func answer(
    _ request: FavoritesRequest<Movie.ID>, _ state: FavoritesState<Movie.ID>,
    _ make: (FavoritesRequest<Movie.ID>) -> Favorites
  ) -> AnswerFit<AppAction> {
    guard case .requesting(let value, let attempt, let number)? = state.items[request.id]?.phase else {
      return .orphaned("no request for \(request.id) is under way")
    }
    guard value == request.value else {
      return .orphaned("the request for \(request.id) that is under way is another one")
    }
    return .instead(
      .favorites(make(FavoritesRequest(id: request.id, value: value, attempt: attempt, number: number))))
  }

  private static func load(
    _ state: FavoritesState<Movie.ID>, _ make: (Int) -> Favorites
  ) -> AnswerFit<AppAction> {
    guard case .loading(_, let number, _) = state.load else { return .orphaned("no fetch is under way") }
    return .instead(.favorites(make(number)))
  }

  private static func location(_ action: LocationAction, _ state: LocationState) -> AnswerFit<AppAction> {
    guard case .response(let response) = action else { return .asRecorded }
    let missing: String? =
      switch response {
      case .moved, .interrupted: state.position.phase == .running ? nil : "the position service does not run"
      case .positionAnswered: state.request.phase == .running ? nil : "no position was requested"
      case .significantlyMoved:
        state.significantChange.phase == .running ? nil : "the significant-change service does not run"
      case .headingChanged: state.heading.phase == .running ? nil : "the heading service does not run"
      case .visited: state.visits.phase == .running ? nil : "stays are not watched"
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
    case .load, .look: return .asRecorded
    }
  }
}
