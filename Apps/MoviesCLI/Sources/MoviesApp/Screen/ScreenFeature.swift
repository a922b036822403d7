package import ReeluxCore
import ReeluxFavorites

/// Actions of the screen.
package enum ScreenAction: Codable, Equatable, Sendable {
  /// The screen opened. The server refuses this percentage of changes. The language determines the order of titles;
  /// see ``MovieFilter/language``.
  case opened(ScreenSize, failurePercent: Int, language: String = "")
  /// A key was pressed.
  case key(ScreenKey)
  /// The terminal has a new size.
  case resized(ScreenSize)

  /// The movies that a request finds, at most ``ScreenState/resultLimit``, and their total number.
  case found(ScreenRequest, [Movie.ID], total: Int)
  /// The source and the changes of an action of the history.
  case described(Int, source: String, changes: [String])
  /// A key expressed an intent that another feature carries out.
  case asked(ScreenIntent)
}

/// An intent that a key expresses, and that another feature of the app carries out.
package enum ScreenIntent: Codable, Equatable, Sendable {
  /// Add the movie to the favourites, or remove it.
  case toggleFavorite(Movie.ID)
  /// Undo the last change of the favourites.
  case undo
  /// Start or stop the walk.
  case toggleWalk
  /// Set the favourites to those of the moment with this number.
  case restoreFavorites(from: Int)
  /// Let the simulated server refuse this percentage of changes.
  case setFailurePercent(Int)
}

extension ScreenState {
  /// The intent of a key; `nil` if the key concerns only the screen.
  func intent(of key: ScreenKey) -> ScreenIntent? {
    guard closing == nil, !layout.isTooSmall, mode == .list || mode == .log else { return nil }
    switch key {
    case .enter where shownMoment != nil: return canRestore ? shownNumber.map { .restoreFavorites(from: $0) } : nil
    case .enter where mode == .list, .text(" "):
      return shownMoment == nil && mode == .list && !isSearching ? selectedMovie.map { .toggleFavorite($0) } : nil
    case .text("u"): return shownMoment == nil ? .undo : nil
    case .text("w"): return shownMoment == nil ? .toggleWalk : nil
    case .text("+"), .text("="): return .setFailurePercent(min(100, failurePercent + 10))
    case .text("-"): return .setFailurePercent(max(0, failurePercent - 10))
    default: return nil
    }
  }

  /// Applies a key to the screen. After a key that closes the screen, only the interrupt key has a meaning.
  mutating func press(_ key: ScreenKey) {
    if closing != nil {
      if key == .interrupt { closing = .interrupt }
      return
    }
    message = nil
    if layout.isTooSmall {
      if key == .interrupt { closing = .interrupt }
      if key == .text("q") { closing = .quit }
      return
    }
    switch (mode, key) {
    case (_, .interrupt): closing = .interrupt
    case (_, .paste) where mode != .search: message = "pasted text is ignored; in a search (/) it is inserted"
    case (.help, _):
      mode = modeBelowHelp ?? .list
      modeBelowHelp = nil
    case (.search, _): edit(key)
    case (_, .text("q")): closing = .quit
    case (_, .text("?")): (mode, modeBelowHelp) = (.help, mode)
    case (_, .text("/")):
      mode = .search
      if shownMoment != nil { message = "back to now: a search shows the newest state" }
      shownMoment = nil
      selectedMoment = nil
    case (.list, .tab): mode = .log
    case (.log, .tab): mode = .list
    case (_, .escape):
      // One level at a time: the past, the log, the search.
      if shownMoment == nil {
        if mode == .list { query = "" }
        mode = .list
      }
      shownMoment = nil
      selectedMoment = nil
      hidesNotices = true
    case (_, .text("[")): travel(by: -1)
    case (_, .text("]")): travel(by: 1)
    case (_, .enter) where shownMoment != nil:
      if !canRestore { message = "the favourites were not loaded in this state" }
    case (.log, .enter):
      shownMoment = selectedMoment
      if shownMoment == nil { message = "this action led to the present; choose an earlier one" }
    // The selected movie may not be among the movies that are found.
    case (.list, .enter) where isSearching && shownMoment == nil && selectedMovie != nil,
      (.list, .text(" ")) where isSearching && shownMoment == nil && selectedMovie != nil:
      message = Self.searching
    case (_, .text(" ")), (_, .text("u")), (_, .text("w")):
      if shownMoment != nil { message = "an earlier state: Enter restores its favourites, Esc: now" }
    case (_, .text("g")): genre = next(genre, in: genres)
    case (_, .text("s")): order = next(order, in: MovieFilter.Order.allCases)
    case (_, .text("f")): favoritesOnly.toggle()
    case (.log, _): if let steps = steps(of: key, page: layout.logRows) { select(selectedIndex.map { $0 + steps }) }
    case (.list, _):
      if let steps = steps(of: key, page: layout.bodyRows) { choose(by: steps) }
    }
  }

  /// The number of the action after which the shown moment was the present; `nil` for the present.
  var shownNumber: Int? {
    shownMoment.flatMap { history.moments.indices.contains($0) ? history.moments[$0].lastNumber : nil }
  }

  /// Whether the favourites of the shown moment are known.
  private var canRestore: Bool {
    shownMoment.map { history.moments.indices.contains($0) && history.moments[$0].hasFavorites } ?? false
  }

  /// The index in the history of the action whose changes are shown; `nil` if there is none.
  var selectedIndex: Int? {
    let count = history.moments.count
    guard count > 0 else { return nil }
    return max(0, min(shownMoment ?? selectedMoment ?? count - 1, count - 1))
  }

  /// Applies a key while a search is typed.
  private mutating func edit(_ key: ScreenKey) {
    switch key {
    case .text(let text), .paste(let text): query += text
    case .backspace: if !query.isEmpty { query.removeLast() }
    case .enter, .tab: mode = .list
    case .escape:
      query = ""
      mode = .list
    // The typing goes on.
    case .up, .down, .pageUp, .pageDown: if let steps = steps(of: key, page: layout.bodyRows) { choose(by: steps) }
    default: break
    }
  }

  /// Moves the selection in the list of movies.
  private mutating func choose(by steps: Int) {
    selection = max(0, min(results.count - 1, selection.addingReportingOverflow(steps).partialValue))
  }

  /// Moves one moment back or forward. A step forward to the newest moment shows the present.
  private mutating func travel(by step: Int) {
    let count = history.moments.count
    guard count > 0 else { return }
    let current = max(0, min(shownMoment ?? count - 1, count - 1))
    let moment = max(0, current + step)
    shownMoment = moment >= count - 1 ? nil : moment
    selectedMoment = shownMoment
  }

  private mutating func select(_ index: Int?) {
    guard let index else { return }
    let last = history.moments.count - 1
    let moment = max(0, min(last, index))
    selectedMoment = moment == last ? nil : moment
    if shownMoment != nil { shownMoment = selectedMoment }
  }

  /// The value after this one. After the last one comes `nil`, and after `nil` the first one.
  private func next<Value: Equatable>(_ value: Value?, in values: [Value]) -> Value? {
    guard let value, let index = values.firstIndex(of: value) else { return values.first }
    return index + 1 < values.count ? values[index + 1] : nil
  }

  /// The distance that a key moves in a list; `nil` if it moves nothing.
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
    case .resized(let size): state.size = size
    case .key(let key): state.press(key)
    case .found(let request, let ids, let total):
      let selected = state.selectedMovie
      state.results = ids
      state.total = total
      state.answered = request
      if !state.isSearching { state.withdraw(ScreenState.searching) }
      // The selected movie stays selected. If it is not found any more, the best match becomes selected.
      state.selection = selected.flatMap { ids.firstIndex(of: $0) } ?? 0
    case .described(let number, let source, let changes):
      state.history.describe(number, source: source, changes: changes)
    case .asked(.setFailurePercent(let percent)):
      state.failurePercent = percent
      state.message = "the simulated server now refuses \(percent) % of all changes"
    case .asked(.restoreFavorites):
      state.shownMoment = nil
      state.selectedMoment = nil
    // A change renames a damaged file, so the notice is not true any more.
    case .asked(.toggleFavorite): state.hidesNotices = true
    case .opened, .asked: break
    }
  }
}

/// The middleware that sends the intents of keys.
struct ScreenMiddleware: MiddlewareProtocol {
  func handle(
    action: ScreenAction, from source: ActionSource, state: GetState<ScreenState>
  ) -> Effect<ScreenAction> {
    guard case .key(let key) = action, let intent = state().intent(of: key) else { return .none }
    return .send(.asked(intent))
  }
}

extension Feature where Action == ScreenAction, State == ScreenState {
  /// The feature of the full screen. It receives keys and sends intents.
  package static var screen: Feature {
    Feature(reducer: .screen, middleware: Middleware(ScreenMiddleware()))
  }
}
