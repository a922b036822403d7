import ReeluxCore

enum LoaderAction: Sendable {
  case load(Int)
  case loaded(Int)
}

enum LoaderAppAction: Sendable {
  case counter(CounterAction)
  case loader(LoaderAction)
}

struct LoaderState: Equatable, Sendable {
  var begun = 0
  var finished = 0
}

struct LoaderAppState: Equatable, Sendable {
  var counter = 0
  var loader = LoaderState()
}

extension Prism<LoaderAppAction, CounterAction> {
  static let counter = Prism(case: LoaderAppAction.counter) { if case .counter(let it) = $0 { it } else { nil } }
}

extension Prism<LoaderAppAction, LoaderAction> {
  static let loader = Prism(case: LoaderAppAction.loader) { if case .loader(let it) = $0 { it } else { nil } }
}

/// Responds to a request with a task that sends the result, and to a result with the next request.
struct LoaderMiddleware: MiddlewareProtocol {
  let last: Int

  func handle(
    action: LoaderAction, from source: ActionSource, state: GetState<LoaderState>
  ) -> Effect<LoaderAction> {
    switch action {
    case .load(let number): .task { .loaded(number) }
    case .loaded(let number): number < last ? .send(.load(number + 1)) : .none
    }
  }
}

extension Group {
  /// W7: a request, the task of its effect, the result, and then the next request.
  static let roundTrip = Group(
    contestants: [
      Contestant(name: "W7", actions: 100_000, runAsync: runStore),
      Contestant(
        name: "taskChain", actions: 100_000,
        runAsync: { actions in
          let chain = TaskChain()
          let sample = await measure { await chain.run(actions) }
          try check(chain.finished, is: actions, "taskChain")
          return sample
        }),
    ],
    comparisons: [Comparison("W7", "taskChain", target: .times(2))])
}

@Sendable
private func runStore(_ actions: Int) async throws -> Sample {
  let store = makeLoaderStore(last: actions)
  let sample = await measure { await store.dispatch(.loader(.load(1))).finish() }
  try check(store.state.loader, is: LoaderState(begun: actions, finished: actions), "W7")
  return sample
}

/// A store that responds to a request with a task, and to a result with the next request up to `last`.
func makeLoaderStore(last: Int) -> Store<LoaderAppAction, LoaderAppState> {
  let counter = Feature<CounterAction, Int>.counter
  let loader = Feature<LoaderAction, LoaderState>(
    reducer: Reducer { action, state in
      switch action {
      case .load(let number): state.begun = number
      case .loaded(let number): state.finished = number
      }
    },
    middleware: Middleware(LoaderMiddleware(last: last)))
  return Store(
    initialState: LoaderAppState(),
    feature: Feature<LoaderAppAction, LoaderAppState> {
      counter.lift(action: .counter, state: \.counter)
      loader.lift(action: .loader, state: \.loader)
    })
}
