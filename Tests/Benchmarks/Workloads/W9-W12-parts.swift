import ReeluxCore

extension Group {
  /// Further features of a store, each compared with W1. W9: a child store's action. W10: three interceptors. W11: an
  /// open feed that stays. W12: an action for one of 1,000 elements while the effect of another element runs.
  static let parts = Group(
    contestants: [
      Contestant(name: "W1", actions: 1_000_000) { actions in
        try dispatchAll(actions, to: Store(initialState: AppState(), feature: .app))
      },
      Contestant(name: "W9", actions: 1_000_000) { actions in
        let store = Store(initialState: AppState(), feature: .app)
        let child = store.child(initialState: 0, feature: .counter)
        let sample = measure { for _ in 0..<actions { child.dispatch(.increment) } }
        try check(child.state.local, is: actions, "W9")
        return sample
      },
      Contestant(name: "W10", actions: 1_000_000) { actions in
        let passing = Feature<AppAction, AppState>(interceptor: Interceptor { _, _, _ in .pass })
        let feature = Feature<AppAction, AppState> {
          Feature.app
          passing
          passing
          passing
        }
        return try dispatchAll(actions, to: Store(initialState: AppState(), feature: feature))
      },
      Contestant(name: "W11", actions: 1_000_000) { actions in
        let feature = Feature<FeedingAppAction, FeedingAppState> {
          Feature<CounterAction, Int>.counter.lift(action: .counter, state: \.counter)
          Feature<FavoritesAction, Set<Int>>.favorites.lift(action: .favorites, state: \.favorites)
          Feature<LocationAction, LocationState>.location.lift(action: .location, state: \.location)
          Feature<Never, Bool>(middleware: Middleware(OpenFeed())).lift(action: .never, state: \.isOpen)
        }
        let store = Store(initialState: FeedingAppState(), feature: feature)
        let list = FeedingAppAction.roundRobin
        let sample = measure { forEach(of: list, actions) { store.dispatch($0) } }
        let (state, expected) = (store.state, AppState.expected(after: actions))
        try check(
          AppState(counter: state.counter, favorites: state.favorites, location: state.location), is: expected, "W11")
        return sample
      },
      Contestant(name: "W12", actions: 1_000_000) { actions in
        let feature = Feature<RowAction, Int>(
          reducer: Reducer { action, count in if case .add = action { count += 1 } },
          middleware: Middleware(RowMiddleware()))
        let store = Store(
          initialState: [Int: Int](uniqueKeysWithValues: (0..<1_000).map { ($0, 0) }),
          feature: feature.lift(action: .row, element: .byKey(\.self)))
        let waiting = store.dispatch(.row(ElementAction(0, .wait)))
        let sample = measure {
          for number in 0..<actions { store.dispatch(.row(ElementAction(1 + number % 999, .add))) }
        }
        waiting.cancel()
        try check(store.state.values.reduce(0, +), is: actions, "W12")
        return sample
      },
    ],
    comparisons: [
      Comparison("W9", "W1", target: .times(2)), Comparison("W10", "W1", target: .times(2)),
      Comparison("W11", "W1", target: .times(2), isWithoutAllocations: true),
      Comparison("W12", "W1", target: .times(2)),
    ])
}

/// The actions of W1, in an app with a feed beside the three features.
private enum FeedingAppAction: Sendable {
  case counter(CounterAction)
  case favorites(FavoritesAction)
  case location(LocationAction)

  static let roundRobin: [FeedingAppAction] = AppAction.roundRobin.map {
    switch $0 {
    case .counter(let action): .counter(action)
    case .favorites(let action): .favorites(action)
    case .location(let action): .location(action)
    }
  }
}

private struct FeedingAppState: Equatable, Sendable {
  var counter = 0
  var favorites: Set<Int> = []
  var location = LocationState()
  var isOpen = true
}

extension Prism<FeedingAppAction, CounterAction> {
  fileprivate static let counter = Prism(case: FeedingAppAction.counter) {
    if case .counter(let it) = $0 { it } else { nil }
  }
}

extension Prism<FeedingAppAction, FavoritesAction> {
  fileprivate static let favorites = Prism(case: FeedingAppAction.favorites) {
    if case .favorites(let it) = $0 { it } else { nil }
  }
}

extension Prism<FeedingAppAction, LocationAction> {
  fileprivate static let location = Prism(case: FeedingAppAction.location) {
    if case .location(let it) = $0 { it } else { nil }
  }
}

/// Returns when the task is cancelled.
private func untilCancelled() async {
  let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in nothing {}
  continuation.finish()
}

/// A middleware with an open feed that sends nothing.
private struct OpenFeed: FeedingMiddleware {
  func handle(action: Never, from source: ActionSource, state: GetState<Bool>) -> Effect<Never> {}

  func feeds(for isOpen: Bool) -> [Feed<Never>] {
    isOpen ? [Feed(key: "feed") { _ in await untilCancelled() }] : []
  }
}

private enum RowAction: Sendable {
  case add
  case wait
}

private enum ListAction: Sendable {
  case row(ElementAction<Int, RowAction>)
  case other
}

extension Prism<ListAction, ElementAction<Int, RowAction>> {
  fileprivate static let row = Prism(case: ListAction.row) { if case .row(let it) = $0 { it } else { nil } }
}

/// A middleware that starts a long-running effect.
private struct RowMiddleware: MiddlewareProtocol {
  func handle(action: RowAction, from source: ActionSource, state: GetState<Int>) -> Effect<RowAction> {
    switch action {
    case .add: .none
    case .wait: .run { _ in await untilCancelled() }
    }
  }
}
