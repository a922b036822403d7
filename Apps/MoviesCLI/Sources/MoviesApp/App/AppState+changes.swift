import ReeluxFavorites
import ReeluxLocation

extension AppState {
  /// The changes of an action as text, one line each.
  ///
  /// - Parameters:
  ///   - before: The state before the action.
  ///   - action: The action.
  package func changes(since before: AppState, after action: AppAction) -> [String] {
    movieChanges(since: before) + loadChanges(since: before) + favoriteChanges(since: before, after: action)
      + locationChanges(since: before)
  }

  private func movieChanges(since before: AppState) -> [String] {
    var lines: [String] = []
    if movies.phase != before.movies.phase {
      switch movies.phase {
      case .idle: break
      case .reading(let bytes): lines.append(bytes == 0 ? "the catalogue is being read" : "\(bytes >> 20) MB are read")
      case .ready: break
      case .failed(let error): lines.append("the catalogue could not be read: \(error)")
      }
    }
    let count = movies.catalog.movies.count
    if before.movies.catalog.movies.count != count || before.movies.catalog.name != movies.catalog.name {
      lines.append("the catalogue has \(Prose.count(count, "movie"))")
    }
    if movies.view != before.movies.view {
      switch movies.view {
      case .nothing: lines.append("the view shows nothing")
      case .list: lines.append("the view shows a list")
      case .search(let words, _): lines.append("the view shows a search for '\(words.joined(separator: " "))'")
      case .movie(let id): lines.append("the view shows \(name(of: id))")
      }
    }
    return lines
  }

  private func loadChanges(since before: AppState) -> [String] {
    if favorites.isLoaded {
      let count = Prose.count(favorites.confirmed.count, "favourite")
      return before.favorites.isLoaded ? [] : ["the server has \(count)"]
    }
    if favorites.load == before.favorites.load { return [] }
    return switch favorites.load {
    case .idle, .loaded: []
    case .loading(let attempt, _, _):
      [attempt == 1 ? "the app fetches the favourites" : "attempt \(attempt) to fetch the favourites begins"]
    case .waiting(let attempt, _, _): ["attempt \(attempt - 1) to fetch the favourites failed; another one follows"]
    case .failed(let failure): ["the favourites could not be loaded: \(failure.reason)"]
    }
  }

  private func favoriteChanges(since before: AppState, after action: AppAction) -> [String] {
    var lines: [String] = []
    let (now, then) = (favorites, before.favorites)
    for id in (now.ids + then.ids + now.failed + then.failed + then.pending).uniqued {
      let (was, isShown) = (then.contains(id), now.contains(id))
      let (waited, waits) = (then.isPending(id), now.isPending(id))
      let word = isShown ? "a favourite" : "not a favourite"
      if let failure = now.failure(of: id), then.failure(of: id) != failure {
        let value = was == isShown ? "still \(word)" : isShown ? "a favourite again" : "no longer a favourite"
        lines.append("\(name(of: id)) is \(value): \(failure.reason)")
        continue
      }
      if was != isShown {
        lines.append("\(name(of: id)) is \(word)" + (waits ? "; the server has not answered yet" : ""))
      } else if waited, !waits {
        lines.append("the server has confirmed that \(name(of: id)) is \(word)")
      } else if waits, let attempt = attempt(of: id, in: action) {
        lines.append(attempt)
      }
    }
    return lines
  }

  /// The end or the beginning of an attempt, if the action is one, for a favourite whose request is repeated.
  private func attempt(of id: Movie.ID, in action: AppAction) -> String? {
    switch action {
    case .favorites(.response(.failed(let request, let failure))) where request.id == id:
      "an attempt to change \(name(of: id)) failed; another one follows: \(failure.reason)"
    case .favorites(.response(.due(id, _, let attempt))): "attempt \(attempt) to change \(name(of: id)) begins"
    default: nil
    }
  }

  private func locationChanges(since before: AppState) -> [String] {
    var lines: [String] = []
    let (old, new) = (before.location, location)
    if old.authorization != new.authorization {
      lines.append("the location may \(new.authorization.allowsUse ? "" : "not ")be used")
    }
    if old.position.phase != new.position.phase {
      switch new.position.phase {
      case .stopped: lines.append("the position feed is closed")
      case .awaitingAuthorization: lines.append("the position feed waits for permission")
      case .running: lines.append("the position feed is open")
      }
    }
    if old.position.fixes != new.position.fixes {
      lines.append("\(Prose.count(new.position.fixes, "fix", "fixes")), \(Prose.metres(new.position.distance)) walked")
    }
    if let nearest = cinemas.steps.last?.nearest, nearest.cinema != before.cinemas.steps.last?.nearest?.cinema {
      lines.append("the nearest cinema is \(nearest.cinema.name), \(Prose.metres(nearest.metres)) away")
    }
    if let error = new.lastError, error != old.lastError { lines.append("the location failed: \(error)") }
    return lines
  }

  /// The movie's title, or its id if it is not in the catalogue.
  private func name(of id: Movie.ID) -> String { movies.catalog[id]?.title ?? "'\(id)'" }
}
