import ReeluxCore

extension Prism<AppAction, CounterAction> {
  static let counter = Prism(case: AppAction.counter) { if case .counter(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, FavoritesAction> {
  static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, LocationAction> {
  static let location = Prism(case: AppAction.location) { if case .location(let it) = $0 { it } else { nil } }
}

extension Feature where Action == CounterAction, State == Int {
  static var counter: Feature { Feature(reducer: Reducer { reduceCounter($0, &$1) }) }
}

extension Feature where Action == FavoritesAction, State == Set<Int> {
  static var favorites: Feature { Feature(reducer: Reducer { reduceFavorites($0, &$1) }) }
}

extension Feature where Action == LocationAction, State == LocationState {
  static var location: Feature { Feature(reducer: Reducer { reduceLocation($0, &$1) }) }
}

extension Feature where Action == AppAction, State == AppState {
  /// The app, composed as in the README.
  static var app: Feature {
    Feature {
      Feature<CounterAction, Int>.counter.lift(action: .counter, state: \.counter)
      Feature<FavoritesAction, Set<Int>>.favorites.lift(action: .favorites, state: \.favorites)
      Feature<LocationAction, LocationState>.location.lift(action: .location, state: \.location)
    }
  }
}

/// A middleware that handles every action and returns no effect.
struct SilentMiddleware: MiddlewareProtocol {
  func handle(action: AppAction, from source: ActionSource, state: GetState<AppState>) -> Effect<AppAction> { .none }
}
