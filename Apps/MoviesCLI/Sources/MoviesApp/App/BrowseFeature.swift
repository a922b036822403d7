package import ReeluxCore
import ReeluxFavorites
import ReeluxLocation

extension Feature where Action == AppAction, State == AppState {
  /// The feature that connects the full screen with the rest of the app.
  ///
  /// - Parameters:
  ///   - clock: The clock on which a search waits for the next key.
  ///   - setFailureRate: A closure that receives a share from 0 to 1 when the user changes how often the simulated
  ///     server refuses a request.
  package static func browse(
    clock: any Clock<Duration>, setFailureRate: @escaping @Sendable (Double) -> Void
  ) -> Feature {
    Feature(
      reducer: .browse,
      middleware: Middleware(BrowseMiddleware(clock: clock, setFailureRate: setFailureRate)))
  }
}

extension Reducer where Action == AppAction, State == AppState {
  /// The reducer that opens the screen and keeps its history. It runs last, so that it records the results of the other
  /// reducers.
  package static let browse = Reducer { action, state in
    if case .screen(.opened(let size, let percent, let language)) = action {
      state.screen = ScreenState(size: size, failurePercent: percent, language: language)
    }
    if case .screen(let action) = action {
      if case .asked(let intent) = action { state.explain(intent) }
      state.screen?.history.skip()
      return
    }
    guard let language = state.screen?.language else { return }
    if case .movies(.loaded(let catalog)) = action {
      state.screen?.genres = GenreCount.all(in: catalog.movies, language: language).map(\.name)
    }
    if case .favorites(.response(.loaded)) = action { state.screen?.hidesNotices = false }
    if state.areFavoritesKnown { state.screen?.withdraw(ScreenState.loading) }
    if action.isStep {
      if state.cinemas.steps.first?.number == 1 { state.screen?.trail = [] }
      state.screen?.extendTrail(with: state.cinemas.steps.map(\.fix.coordinate))
    }
    let view = ScreenMoment.View(
      favorites: state.favorites, step: state.cinemas.steps.last, hasCatalog: state.movies.phase == .ready)
    state.screen?.record(title: action.title, isStep: action.isStep, view: view)
  }
}

/// The middleware that searches, carries out the intents of keys, and describes each action.
struct BrowseMiddleware: FeedingMiddleware {
  /// The time without a key after which a search starts.
  private static let debounce = Duration.milliseconds(60)

  let clock: any Clock<Duration>
  let setFailureRate: @Sendable (Double) -> Void

  /// The values that a search depends on. When one of them changes, the running search is cancelled and a new one
  /// starts.
  private struct SearchKey: Hashable, Sendable {
    var request: ScreenRequest
    var catalog: Int
    var favorites: [Movie.ID]
  }

  func feeds(for state: AppState) -> [Feed<AppAction>] {
    guard let screen = state.screen, state.movies.phase == .ready else { return [] }
    let request = screen.request
    let favorites = request.favoritesOnly ? state.favorites.ids : []
    let key = SearchKey(request: request, catalog: state.movies.catalog.movies.count, favorites: favorites)
    // Only typing waits for the next key. The first list and a change of the order are computed immediately.
    let isTyped = screen.mode == .search
    return [
      Feed(key: key) { [clock, movies = state.movies.catalog.movies] send in
        if isTyped { try? await clock.sleep(for: Self.debounce) }
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
    case .toggleFavorite(let id):
      // It is not known whether the key adds or removes the movie.
      if !state.areFavoritesKnown { return .none }
      return .send(.favorites(.toggle(id)))
    case .undo: return .send(.favorites(.undo))
    case .toggleWalk:
      let isStopped = state.location.position.phase == .stopped
      return .send(.location(isStopped ? .startPosition() : .stopPosition))
    case .setFailurePercent(let percent):
      return .fireAndForget { [setFailureRate] in setFailureRate(Double(percent) / 100) }
    case .restoreFavorites(let number):
      let moments = screen.history.moments
      let moment = moments.first { $0.number <= number && number <= $0.lastNumber }
      guard let then = moment?.view?.favorites else { return .none }
      let now = state.favorites
      // These are ordinary changes of favourites, so that the server receives them too. They set each favourite and do
      // not toggle it, because a response can change it before they are reduced.
      let added = then.ids.filter { !now.contains($0) }
      let removed = now.ids.filter { !then.contains($0) }
      return [(added, true), (removed, false)].filter { !$0.0.isEmpty }
        .reduce(.none) { $0 <> .send(.favorites(.setAll($1.0, isFavorite: $1.1))) }
    }
  }

  /// Sends the action's source and its changes after the reducers have run.
  private func description(
    of action: AppAction, _ source: ActionSource, _ before: AppState, _ screen: ScreenState, _ state: GetState<AppState>
  ) -> Effect<AppAction> {
    // A further step of a walk belongs to the moment of the first one.
    let last = screen.history.moments.last
    let number = last.flatMap { action.isStep && $0.isStep ? $0.number : nil } ?? screen.history.count &+ 1
    return .afterReducer { send in
      let changes = Array(state().changes(since: before, after: action).prefix(12))
      send(.screen(.described(number, source: source.place, changes: changes)))
    }
  }
}

extension AppState {
  /// Whether the screen may close. After the interrupt key, it closes immediately. After `q`, it closes when no request
  /// of the favourites is in progress.
  package var isScreenDone: Bool {
    guard let screen else { return true }
    return screen.closing == .interrupt || (screen.closing == .quit && favorites.isSettled)
  }

  /// Whether the favourites were fetched, or could not be fetched. Before that, they are unknown.
  fileprivate var areFavoritesKnown: Bool { favorites.isLoaded || favorites.load.failure != nil }

  /// Says why an intent has no effect.
  fileprivate mutating func explain(_ intent: ScreenIntent) {
    switch intent {
    case .toggleFavorite where !areFavoritesKnown: screen?.message = ScreenState.loading
    case .undo where !favorites.canUndo: screen?.message = "there is nothing to undo"
    default: break
    }
  }

  /// The scene that the screen shows: the present, or an earlier moment. `nil` while the screen is closed.
  package var scene: ScreenScene? {
    guard let screen else { return nil }
    return ScreenScene(
      screen: screen, catalog: movies.catalog, favorites: favorites, step: cinemas.steps.last, cinemas: cinemas.cinemas,
      isWalking: location.position.phase != .stopped)
  }
}

extension ScreenState {
  /// Adds an action to the history. The shown and the selected moment stay the same. If they are removed, the screen
  /// returns to the present.
  fileprivate mutating func record(title: String, isStep: Bool, view: ScreenMoment.View) {
    let removed = history.append(title: title, isStep: isStep, view: view)
    guard removed > 0 else { return }
    shownMoment = shownMoment.flatMap { $0 < removed ? nil : $0 - removed }
    selectedMoment = selectedMoment.flatMap { $0 < removed ? nil : $0 - removed }
  }

  /// The largest number of points that the map keeps.
  private static let trailLimit = 512

  fileprivate mutating func extendTrail(with places: [Coordinate]) {
    trail += places
    if trail.count > Self.trailLimit {
      trail = trail.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }
  }
}

extension ActionSource {
  /// The name of the file, without folders, and the line.
  var place: String { "\(file.split(separator: "/").last ?? ""):\(line)" }
}

extension AppAction {
  /// Whether the action is a step of a walk.
  var isStep: Bool {
    if case .location(.response(.moved)) = self { true } else { false }
  }

  /// A short description of the action: `favorites · toggle metropolis-1927`.
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
      // The first of several values identifies the item.
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
