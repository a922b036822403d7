import ReeluxCore

extension Group {
  /// What the store can do beside plain actions, each beside W1: W9 a child store's action, W10 three interceptors, W11 a
  /// feed that is open and stays, W12 an action to one of 1,000 elements while another element's effect runs.
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
        let feeding = Feature<FeedingAction, Bool>(middleware: Middleware(OpenFeed()))
        let feature = Feature<FeedingAppAction, FeedingAppState> {
          Feature.app.lift(action: .app, state: \.app)
          feeding.lift(action: .feeding, state: \.isOpen)
        }
        let store = Store(initialState: FeedingAppState(), feature: feature)
        let sample = measure { forEachAction(actions) { store.dispatch(.app($0)) } }
        try check(store.state.app, is: .expected(after: actions), "W11")
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

private enum FeedingAction: Sendable { case never }

private enum FeedingAppAction: Sendable {
  case app(AppAction)
  case feeding(FeedingAction)
}

private struct FeedingAppState: Equatable, Sendable {
  var app = AppState()
  var isOpen = true
}

extension Prism<FeedingAppAction, AppAction> {
  fileprivate static let app = Prism(case: FeedingAppAction.app) { if case .app(let it) = $0 { it } else { nil } }
}

extension Prism<FeedingAppAction, FeedingAction> {
  fileprivate static let feeding = Prism(case: FeedingAppAction.feeding) {
    if case .feeding(let it) = $0 { it } else { nil }
  }
}

/// Returns when the task is cancelled.
private func untilCancelled() async {
  let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in nothing {}
  continuation.finish()
}

/// Keeps a feed open that sends nothing.
private struct OpenFeed: FeedingMiddleware {
  func handle(action: FeedingAction, from source: ActionSource, state: GetState<Bool>) -> Effect<FeedingAction> {
    .none
  }

  func feeds(for isOpen: Bool) -> [Feed<FeedingAction>] {
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

/// Starts an effect that goes on for long.
private struct RowMiddleware: MiddlewareProtocol {
  func handle(action: RowAction, from source: ActionSource, state: GetState<Int>) -> Effect<RowAction> {
    switch action {
    case .add: .none
    case .wait: .run { _ in await untilCancelled() }
    }
  }
}
