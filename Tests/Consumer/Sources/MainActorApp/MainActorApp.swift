import ReeluxCore
import ReeluxFavorites

// This target's default isolation is the main actor, as in a new Xcode project. The states are `nonisolated`, because
// the store reads them on any thread. The actions are too, because a recorder encodes them on any thread.

// snippet.isolation
nonisolated struct CounterState: Codable, Equatable {
  var count = 0
  var isSaving = false
}

nonisolated enum CounterAction: Codable {
  case increment
  case save
  case saved
}

struct SavingMiddleware: MiddlewareProtocol {
  let save: @Sendable (Int) async -> Void

  func handle(
    action: CounterAction, from source: ActionSource, state: GetState<CounterState>
  ) -> Effect<CounterAction> {
    guard case .save = action else { return .none }
    return .task { [count = state().count + 1] in
      await save(count)
      return .saved
    }
  }
}

extension Feature<CounterAction, CounterState> {
  static func counter(save: @escaping @Sendable (Int) async -> Void) -> Feature {
    Feature(
      reducer: Reducer { action, state in
        switch action {
        case .increment: state.count += 1
        case .save: state.isSaving = true
        case .saved: state.isSaving = false
        }
      },
      middleware: Middleware(SavingMiddleware(save: save)))
  }
}
// snippet.end

nonisolated struct AppState: Equatable {
  var counter = CounterState()
  var favorites = FavoritesState<Int>()
}

enum AppAction {
  case counter(CounterAction)
  case favorites(FavoritesAction<Int>)
}

extension Prism<AppAction, CounterAction> {
  static let counter = Prism(case: AppAction.counter) { if case .counter(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, FavoritesAction<Int>> {
  static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
}

extension Feature<AppAction, AppState> {
  static var app: Feature {
    Feature {
      Feature<CounterAction, CounterState>.counter { _ in }.lift(action: .counter, state: \.counter)
      Feature<FavoritesAction<Int>, FavoritesState<Int>>.favorites(api: .mock())
        .lift(action: .favorites, state: \.favorites)
    }
  }
}

@main
struct MainActorApp {
  static func main() async {
    let store = Store(initialState: AppState(), feature: .app)
    let subscription = store.select(\.counter.count).subscribe { print("count \($0)") }
    store.dispatch(.counter(.increment))
    await store.dispatch(.counter(.save)).finish()
    await store.dispatch(.favorites(.toggle(1))).finish()
    print(store.state.counter, store.state.favorites.ids)
    subscription.cancel()
  }
}
