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

extension Prism<AppAction, FavoritesAction<Int>> {
  static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let part) = $0 { part } else { nil } }
}

extension Prism<AppAction, String> {
  static let rename = Prism(case: AppAction.rename) { if case .rename(let title) = $0 { title } else { nil } }
}

let app = Feature<AppAction, AppState> {
  Feature.favorites(api: .mock()).lift(action: .favorites, state: \.favorites)
  Reducer(.rename) { title, state in state.title = title }
}
let store = Store(initialState: AppState(), feature: app)

await store.dispatch(.favorites(.toggle(42))).finish()
print(store.state.favorites.ids)
