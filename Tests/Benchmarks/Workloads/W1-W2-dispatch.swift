import ReeluxCore

extension Group {
  /// W1: round-robin over three lifted features. W2: W1 with three middlewares that return no effect.
  static let dispatch = Group(
    contestants: [
      Contestant(name: "W1", actions: 1_000_000) { actions in
        try dispatchAll(actions, to: Store(initialState: AppState(), feature: .app))
      },
      Contestant(name: "mutex", actions: 1_000_000) { actions in
        let store = MutexStore()
        let sample = measure { forEachAction(actions) { store.dispatch($0) } }
        try check(store.state, is: .expected(after: actions), "mutex")
        return sample
      },
      Contestant(name: "W2", actions: 1_000_000) { actions in
        let feature = Feature<AppAction, AppState> {
          Feature.app
          Feature(middleware: Middleware(SilentMiddleware()))
          Feature(middleware: Middleware(SilentMiddleware()))
          Feature(middleware: Middleware(SilentMiddleware()))
        }
        return try dispatchAll(actions, to: Store(initialState: AppState(), feature: feature))
      },
    ],
    comparisons: [
      Comparison("W1", "mutex", target: .times(3), isWithoutAllocations: true),
      Comparison("W2", "mutex", target: .times(4), isWithoutAllocations: true),
    ])
}

func dispatchAll(_ actions: Int, to store: Store<AppAction, AppState>) throws -> Sample {
  let sample = measure { forEachAction(actions) { store.dispatch($0) } }
  try check(store.state, is: .expected(after: actions), "the small app")
  return sample
}
