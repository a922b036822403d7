package import ReeluxCore

/// Actions of the screen.
package enum ScreenAction: Codable, Equatable, Sendable {
  /// The screen opens, in front of a server that lets so many requests in a hundred fail; titles are in the order of a
  /// language, see ``MovieFilter/language``.
  case opened(ScreenSize, failurePercent: Int, language: String = "")
  /// A key was pressed.
  case key(ScreenKey)
  /// The terminal has another size.
  case resized(ScreenSize)

  /// What the movies of a request are, at most ``ScreenState/resultLimit``, and how many there are.
  case found(ScreenRequest, [Movie.ID], total: Int)
  /// Where an action of the history came from, and what it changed.
  case described(Int, source: String, changes: [String])
  /// The app is asked for something that the screen cannot do itself.
  case asked(ScreenIntent)
}

/// The request of a key to the app.
package enum ScreenIntent: Codable, Equatable, Sendable {
  /// Add a movie to the favourites, or remove it.
  case toggleFavorite(Movie.ID)
  /// Take the last change of the favourites back.
  case undo
  /// Start the walk, or stop it.
  case toggleWalk
  /// Make the favourites what they were at a moment of the history.
  case goOn(from: Int)
  /// Let the simulated server refuse so many requests in a hundred.
  case setFailurePercent(Int)
}

extension ScreenState {
  /// The request of a key to the app; `nil` if the key concerns the screen
  /// alone.
  func intent(of key: ScreenKey) -> ScreenIntent? {
    guard mode == .list || mode == .log else { return nil }
    switch key {
    case .enter where shownMoment != nil: return shownMoment.map { .goOn(from: $0) }
    case .enter where mode == .list, .text(" "):
      return shownMoment == nil && mode == .list ? selectedMovie.map { .toggleFavorite($0) } : nil
    case .text("u"): return shownMoment == nil ? .undo : nil
    case .text("w"): return shownMoment == nil ? .toggleWalk : nil
    case .text("+"), .text("="): return .setFailurePercent(min(100, failurePercent + 10))
    case .text("-"): return .setFailurePercent(max(0, failurePercent - 10))
    default: return nil
    }
  }

  /// What a key does to the screen.
  mutating func press(_ key: ScreenKey) {
    message = nil
    switch (mode, key) {
    case (_, .interrupt): closing = .interrupt
    case (.help, _): mode = .list
    case (.search, _): edit(key)
    case (_, .text("q")): closing = .quit
    case (_, .text("?")): mode = .help
    case (_, .text("/")):
      mode = .search
      shownMoment = nil
    case (.list, .tab): mode = .log
    case (.log, .tab): mode = .list
    case (_, .escape):
      if shownMoment == nil { mode = .list }
      shownMoment = nil
      selectedMoment = nil
    case (_, .text("[")): travel(by: -1)
    case (_, .text("]")): travel(by: 1)
    case (.log, .enter) where shownMoment == nil: shownMoment = selectedIndex
    case (_, .text(" ")), (_, .text("u")), (_, .text("w")):
      if shownMoment != nil { message = "this is the past: Enter goes on from here, Esc returns to now" }
    case (_, .text("g")): genre = next(genre, in: genres)
    case (_, .text("s")):
      order = Order.allCases[((Order.allCases.firstIndex(of: order) ?? 0) + 1) % Order.allCases.count]
    case (_, .text("f")): favoritesOnly.toggle()
    case (.log, _): if let steps = steps(of: key, page: layout.logRows) { select(selectedIndex.map { $0 + steps }) }
    case (.list, _):
      if let steps = steps(of: key, page: layout.bodyRows) {
        selection = max(0, min(results.count - 1, selection.addingReportingOverflow(steps).partialValue))
      }
    }
  }

  /// The index in the history of the action whose changes are shown; `nil` if there is none.
  var selectedIndex: Int? {
    let count = history.moments.count
    guard count > 0 else { return nil }
    return min(shownMoment ?? selectedMoment ?? count - 1, count - 1)
  }

  /// A key while the search is typed.
  private mutating func edit(_ key: ScreenKey) {
    switch key {
    case .text(let text): query += text
    case .backspace: if !query.isEmpty { query.removeLast() }
    case .enter, .tab: mode = .list
    case .escape:
      query = ""
      mode = .list
    case .up, .down, .pageUp, .pageDown:
      mode = .list
      press(key)
    default: break
    }
  }

  /// One moment back or forth; after the newest comes now.
  private mutating func travel(by step: Int) {
    let count = history.moments.count
    guard count > 0 else { return }
    let moment = (shownMoment ?? count - 1) + step
    shownMoment = moment >= count - 1 ? nil : max(0, moment)
    selectedMoment = shownMoment
  }

  private mutating func select(_ index: Int?) {
    guard let index else { return }
    let last = history.moments.count - 1
    let moment = max(0, min(last, index))
    selectedMoment = moment == last ? nil : moment
    if shownMoment != nil { shownMoment = selectedMoment }
  }

  private func next(_ genre: String?, in genres: [String]) -> String? {
    guard let genre, let index = genres.firstIndex(of: genre) else { return genres.first }
    return index + 1 < genres.count ? genres[index + 1] : nil
  }

  /// How far a key moves in a list; `nil` if it moves nothing.
  private func steps(of key: ScreenKey, page: Int) -> Int? {
    switch key {
    case .up, .text("k"): -1
    case .down, .text("j"): 1
    case .pageUp: -page
    case .pageDown: page
    case .home: -1_000_000
    case .end: 1_000_000
    default: nil
    }
  }
}

extension Reducer where Action == ScreenAction, State == ScreenState {
  /// The reducer of the screen.
  package static let screen = Reducer { action, state in
    switch action {
    case .opened, .resized: break
    case .key(let key): state.press(key)
    case .found(let request, let ids, let total):
      let selected = state.selectedMovie
      state.results = ids
      state.total = total
      state.answered = request
      // The selection stays on its movie; if that is gone, it goes to the best match.
      state.selection = selected.flatMap { ids.firstIndex(of: $0) } ?? 0
    case .described(let number, let source, let changes):
      state.history.describe(number, source: source, changes: changes)
    case .asked(.setFailurePercent(let percent)):
      state.failurePercent = percent
      state.message = "the simulated server now refuses \(percent) % of all requests"
    case .asked(.goOn):
      state.shownMoment = nil
      state.selectedMoment = nil
    case .asked: break
    }
    if case .resized(let size) = action { state.size = size }
    if case .opened(let size, let percent, let language) = action {
      state = ScreenState(size: size, failurePercent: percent, language: language)
    }
  }
}

/// The middleware that turns keys into what they ask of the app.
struct ScreenMiddleware: MiddlewareProtocol {
  func handle(
    action: ScreenAction, from source: ActionSource, state: GetState<ScreenState>
  ) -> Effect<ScreenAction> {
    guard case .key(let key) = action, let intent = state().intent(of: key) else { return .none }
    return .send(.asked(intent))
  }
}

extension Feature where Action == ScreenAction, State == ScreenState {
  /// The full screen: keys in, requests to the app out.
  package static var screen: Feature {
    Feature(reducer: .screen, middleware: Middleware(ScreenMiddleware()))
  }
}
