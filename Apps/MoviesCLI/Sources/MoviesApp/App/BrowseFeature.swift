package import ReeluxCore
import ReeluxFavorites
import ReeluxLocation

extension Feature where Action == AppAction, State == AppState {
  /// What connects the full screen with the rest of the app.
  ///
  /// - Parameters:
  ///   - debounce: How long the search waits for the next key.
  ///   - clock: The clock of that delay.
  ///   - setFailureRate: Called with a share from 0 to 1 when the person lets the simulated server refuse more or less.
  package static func browse(
    debounce: Duration = .milliseconds(60), clock: any Clock<Duration> = ContinuousClock(),
    setFailureRate: @escaping @Sendable (Double) -> Void
  ) -> Feature {
    Feature(
      reducer: .browse,
      middleware: Middleware(BrowseMiddleware(debounce: debounce, clock: clock, setFailureRate: setFailureRate)))
  }
}

extension Reducer where Action == AppAction, State == AppState {
  /// The reducer that opens the screen and keeps its history. It stands last: it sees what the other reducers did.
  package static let browse = Reducer { action, state in
    if case .screen(.opened(let size, let percent, let language)) = action {
      state.screen = ScreenState(size: size, failurePercent: percent, language: language)
    }
    if case .screen = action { return }
    guard state.screen != nil else { return }
    if case .movies(.loaded(let catalog)) = action {
      state.screen?.genres = GenreCount.all(in: catalog.movies).map(\.name)
    }
    if action.isStep {
      state.screen?.extendTrail(with: state.cinemas.steps.map(\.fix.coordinate))
    }
    let view = ScreenMoment.View(favorites: state.favorites, step: state.cinemas.steps.last)
    state.screen?.history.append(title: action.title, isStep: action.isStep, view: view)
  }
}

/// The middleware that searches for the screen, does what keys ask for, and describes each action.
struct BrowseMiddleware: FeedingMiddleware {
  let debounce: Duration
  let clock: any Clock<Duration>
  let setFailureRate: @Sendable (Double) -> Void

  /// What a search depends on. It runs again when this changes, and the one before is cancelled.
  private struct SearchKey: Hashable, Sendable {
    var request: ScreenRequest
    var catalog: Int
    var favorites: [Movie.ID]
  }

  func feeds(for state: AppState) -> [Feed<AppAction>] {
    guard let screen = state.screen, !state.movies.catalog.movies.isEmpty else { return [] }
    let request = screen.request
    let favorites = request.favoritesOnly ? state.favorites.ids : []
    let key = SearchKey(request: request, catalog: state.movies.catalog.movies.count, favorites: favorites)
    // The first list comes at once, and so does a change of the order; only typing waits for the next key.
    let isTyped = screen.mode == .search
    return [
      Feed(key: key) { [debounce, clock, movies = state.movies.catalog.movies] send in
        if isTyped { try? await clock.sleep(for: debounce) }
        if Task.isCancelled { return }
        let found = request.movies(of: movies, isFavorite: Set(favorites).contains)
        if Task.isCancelled { return }
        send(.screen(.found(request, found.prefix(ScreenState.resultLimit).map(\.id), total: found.count)))
      }
    ]
  }

  func handle(
    action: AppAction, from source: ActionSource, state: GetState<AppState>
  ) -> Effect<AppAction> {
    let before = state()
    guard let screen = before.screen else { return .none }
    switch action {
    case .screen(.asked(let intent)): return effect(of: intent, before, screen)
    case .screen: return .none
    default: return description(of: action, source, before, screen, state)
    }
  }

  private func effect(of intent: ScreenIntent, _ state: AppState, _ screen: ScreenState) -> Effect<AppAction> {
    switch intent {
    case .toggleFavorite(let id): return .send(.favorites(.toggle(id)))
    case .undo: return .send(.favorites(.undo))
    case .toggleWalk:
      let isStopped = state.location.position.phase == .stopped
      return .send(.location(isStopped ? .startPosition() : .stopPosition))
    case .setFailurePercent(let percent):
      return .fireAndForget { [setFailureRate] in setFailureRate(Double(percent) / 100) }
    case .goOn(let index):
      guard screen.history.moments.indices.contains(index) else { return .none }
      let then = screen.history.moments[index].view.favorites
      // The server follows, too: each difference is an ordinary change of a favourite.
      let changed = (then.ids + state.favorites.ids).filter { then.contains($0) != state.favorites.contains($0) }
      return changed.uniqued.reduce(.none) { $0 <> .send(.favorites(.toggle($1))) }
    }
  }

  /// Sends the action's source and what it changed, when the reducers have run.
  private func description(
    of action: AppAction, _ source: ActionSource, _ before: AppState, _ screen: ScreenState, _ state: GetState<AppState>
  ) -> Effect<AppAction> {
    let isFolded = action.isStep && screen.history.moments.last?.isStep == true
    let number = screen.history.count + (isFolded ? 0 : 1)
    let file = source.file.split(separator: "/").last.map(String.init) ?? source.file
    return .afterReducer { send in
      let changes = Array(state().changes(since: before).prefix(12))
      send(.screen(.described(number, source: "\(file):\(source.line)", changes: changes)))
    }
  }
}

extension AppState {
  /// What the screen shows: the present, or the moment that it looks at. `nil` while there is no screen.
  package var scene: ScreenScene? {
    guard let screen else { return nil }
    return ScreenScene(
      screen: screen, catalog: movies.catalog, favorites: favorites, step: cinemas.steps.last, cinemas: cinemas.cinemas,
      isWalking: location.position.phase != .stopped)
  }
}

extension ScreenState {
  /// The longest way that the map keeps.
  private static let trailLimit = 512

  fileprivate mutating func extendTrail(with places: [Coordinate]) {
    trail += places
    if trail.count > Self.trailLimit {
      trail = trail.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }
  }
}

extension AppAction {
  /// Whether this is one of the many steps of a walk.
  var isStep: Bool {
    if case .location(.response(.moved)) = self { true } else { false }
  }

  /// What happened, in a few words: `favorites · toggle metropolis-1927`.
  var title: String {
    var names: [String] = []
    var value: Any = self
    while true {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .enum else { break }
      guard let (label, payload) = mirror.children.first else {
        names.append("\(value)")
        return names.joined(separator: " · ")
      }
      if let label, label != "response" { names.append(label) }
      // Of several values the first says which one is meant.
      let inner = Mirror(reflecting: payload)
      value = inner.displayStyle == .tuple ? inner.children.first?.value ?? payload : payload
    }
    let detail = Self.detail(of: value)
    return names.joined(separator: " · ") + (detail.isEmpty ? "" : " " + detail)
  }

  private static func detail(of value: Any) -> String {
    if let text = value as? String { return text }
    let mirror = Mirror(reflecting: value)
    if let id = mirror.children.first(where: { $0.label == "id" })?.value as? String { return id }
    return ""
  }
}

extension Array where Element: Hashable {
  /// The elements, each once, in the order of their first appearance.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
