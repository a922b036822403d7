import ReeluxCore
import ReeluxFavorites
import ReeluxLogger

struct AppState: Sendable {
  var favorites = FavoritesState<String>()
  var visits = 0
}

enum AppAction: Sendable {
  case favorites(FavoritesAction<String>)
  case visit
}

extension Prism<AppAction, FavoritesAction<String>> {
  static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, Void> {
  static let visit = Prism(case: .visit)
}

let app = Feature<AppAction, AppState> {
  Reducer(.visit) { state in state.visits += 1 }
  Feature.favorites(api: .mock(latency: .fixed(.milliseconds(50)))).lift(action: .favorites, state: \.favorites)
  Feature.logger(to: .standardError)
}

let store = Store(initialState: AppState(), feature: app)
let subscription = store.select(\.favorites.ids).subscribe { print("favourites: \($0)") }

store.dispatch(.visit)
print("visits: \(store.state.visits)")  // 1: reduced before dispatch returned

await store.dispatch(.favorites(.toggle("metropolis-1927"))).finish()
print("pending: \(store.state.favorites.isPending("metropolis-1927"))")  // false: the API has answered
subscription.cancel()
