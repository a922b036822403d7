import ReeluxCore
import Synchronization

extension Group {
  /// W8: a request from outside, the task of its effect and the result, and then the next request. There is no chain.
  static let outsideEffect = Group(
    contestants: [
      Contestant(
        name: "W8", actions: 50_000,
        runAsync: { actions in
          let store = makeLoaderStore(last: 0)
          let sample = await measure {
            for number in 1...actions { await store.dispatch(.loader(.load(number))).finish() }
          }
          try check(store.state.loader, is: LoaderState(begun: actions, finished: actions), "W8")
          return sample
        }),
      Contestant(
        name: "bareTask", actions: 50_000,
        runAsync: { actions in
          let state = BareState()
          let sample = await measure {
            for number in 1...actions {
              state.contents.withLock { $0.begun = number }
              await Task { state.contents.withLock { $0.finished = number } }.value
            }
          }
          try check(state.contents.withLock { $0 }, is: LoaderState(begun: actions, finished: actions), "bareTask")
          return sample
        }),
    ],
    comparisons: [Comparison("W8", "bareTask", target: .times(2))])
}

/// The baseline `bareTask`: a state under a mutex that changes before a task and inside it.
private final class BareState: Sendable {
  let contents = Mutex(LoaderState())
}
