public import ReeluxCore

/// A search text, and the films that it finds.
public struct SearchState: Equatable, Sendable {
  /// The search text.
  public var query = ""
  /// The films that were found.
  public var films = Film.all
  /// Whether a search is running.
  public var isRunning = false

  /// Creates a search that shows every film.
  public init() {}
}

/// Actions of the search.
public enum SearchAction: Equatable, Sendable {
  /// The search text changed.
  case queryChanged(String)
  /// The films that the last search found.
  case found([Film])
}

// snippet.module
extension Feature where Action == SearchAction, State == SearchState {
  /// Searches when the text has not changed for 300 ms.
  ///
  /// - Parameters:
  ///   - search: Finds the films; called with the last text only.
  ///   - clock: The clock of the delay; default the system's.
  public static func search(
    _ search: @escaping @Sendable (String) async -> [Film], clock: any Clock<Duration> = ContinuousClock()
  ) -> Feature {
    Feature(
      reducer: Reducer { action, state in
        switch action {
        case .queryChanged(let query):
          state.query = query
          state.isRunning = true
        case .found(let films):
          state.films = films
          state.isRunning = false
        }
      },
      middleware: Middleware { action, _, _ in
        guard case .queryChanged(let query) = action else { return .none }
        return .task { .found(await search(query)) }.debounce(id: "search", for: .milliseconds(300), clock: clock)
      })
  }
}
// snippet.end
