import ReeluxCore
import ReeluxFavorites
import ReeluxLogger

struct AppState: Sendable {
  var favorites = FavoritesState<String>()
}

enum AppAction: Sendable {
  case favorites(FavoritesAction<String>)
}

extension Prism<AppAction, FavoritesAction<String>> {
  static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
}

let app = Feature<AppAction, AppState> {
  Feature.favorites(api: .mock()).lift(action: .favorites, state: \.favorites)
  Feature.logger(to: .standardError)
}

let store = Store(initialState: AppState(), feature: app)
await store.dispatch(.favorites(.toggle("metropolis-1927"))).finish()
print(store.state.favorites.ids)  // ["metropolis-1927"]: the simulated server has confirmed it
