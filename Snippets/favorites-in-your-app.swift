import ReeluxCore
import ReeluxFavorites

struct AppState: Equatable, Sendable {
  var favorites = FavoritesState<Int>()
  var title = "Books"
}

enum AppAction: Sendable {
  case favorites(FavoritesAction<Int>)
  case rename(String)
}

extension Prism where Whole == AppAction, Part == FavoritesAction<Int> {
  static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let part) = $0 { part } else { nil } }
}

let rename = Reducer<AppAction, AppState> { action, state in
  if case .rename(let title) = action { state.title = title }
}
let app = Feature<AppAction, AppState> {
  Feature(reducer: rename)
  Feature.favorites(api: .mock()).lift(action: .favorites, state: \.favorites)
}
let store = Store(initialState: AppState(), feature: app)

await store.dispatch(.favorites(.toggle(42))).finish()
print(store.state.favorites.ids)
