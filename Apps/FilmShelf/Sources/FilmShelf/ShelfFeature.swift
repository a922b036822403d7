public import ReeluxCore
public import ReeluxFavorites

/// The app's state: the search, the favourites, and the film whose details are open.
public struct ShelfState: Equatable, Sendable {
  /// The search.
  public var search = SearchState()
  /// The favourites.
  public var favorites = FavoritesState<Int>()
  /// The film whose sheet is open; `nil` if none is.
  public var details: Film?

  /// Creates a shelf without favourites.
  public init() {}

  /// The alert about the first favourite that could not be changed; `nil` if there is none or after it is dismissed.
  /// The favourites show the server's value again.
  public var alert: FavoriteAlert? {
    guard let id = favorites.failed.first, let failure = favorites.failure(of: id) else { return nil }
    return FavoriteAlert(id: id, message: failure.reason)
  }
}

/// The content of the alert.
public struct FavoriteAlert: Identifiable, Equatable, Sendable {
  /// The number of the film.
  public let id: Int
  /// The reason of the failure.
  public let message: String
}

extension FavoritesState<Int> {
  /// Whether a film is a favourite. As a key path, it lets a row track only its own film.
  public subscript(isFavorite id: Int) -> Bool { contains(id) }
}

/// Actions of the app.
public enum ShelfAction: Sendable {
  /// An action of the search.
  case search(SearchAction)
  /// An action of the favourites.
  case favorites(FavoritesAction<Int>)
  /// Show the details of a film.
  case open(Film)
  /// Close the details.
  case closeDetails
  /// Close the alert about a favourite.
  case dismissAlert
}

extension Prism<ShelfAction, SearchAction> {
  static let search = Prism(case: ShelfAction.search) { if case .search(let it) = $0 { it } else { nil } }
}

extension Prism<ShelfAction, FavoritesAction<Int>> {
  static let favorites = Prism(case: ShelfAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
}

extension Feature where Action == ShelfAction, State == ShelfState {
  /// The whole app, for any user interface.
  public static func shelf(
    favorites api: FavoritesAPI<Int>, search: @escaping @Sendable (String) async -> [Film],
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Feature {
    Feature {
      Feature<SearchAction, SearchState>.search(search, clock: clock).lift(action: .search, state: \.search)
      Feature<FavoritesAction<Int>, FavoritesState<Int>>.favorites(api: api).lift(
        action: .favorites, state: \.favorites)
      Feature(
        reducer: .partial { action, state in
          switch action {
          case .open(let film): state.details = film
          case .closeDetails: state.details = nil
          case .search, .favorites, .dismissAlert: return false
          }
          return true
        },
        middleware: Middleware { action, _, state in
          guard case .dismissAlert = action, let alert = state().alert else { return .none }
          return .send(.favorites(.dismiss(alert.id)))
        })
    }
  }
}

extension FavoritesAPI<Int> {
  /// A server that responds to a change after 300 ms and refuses changes of Nosferatu.
  public static var example: FavoritesAPI {
    FavoritesAPI(
      fetch: { FavoritesSnapshot([]) },
      set: { request in
        try await Task.sleep(for: .milliseconds(300))
        if request.id == 2 { throw FavoritesFailure(.refused, "The server does not take Nosferatu.") }
      })
  }
}

extension Film {
  /// The films whose title contains a text, without regard to case; all films for an empty text.
  @Sendable public static func search(_ query: String) async -> [Film] {
    let query = query.lowercased()
    return query.isEmpty ? all : all.filter { $0.title.lowercased().contains(query) }
  }
}
