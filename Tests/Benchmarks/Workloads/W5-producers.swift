import ReeluxCore
import Foundation

extension Group {
  /// W5: four threads send 250,000 actions each.
  static let producers = Group(
    contestants: [
      Contestant(
        name: "W5", actions: 1_000_000,
        runAsync: { actions in
          let store = Store(initialState: AppState(), feature: .app)
          let sample = await measure {
            onFourThreads { forEachAction(actions / 4) { store.dispatch($0) } }
            await store.settle()
          }
          try checkProduced(store.state, actions, "W5")
          return sample
        }),
      Contestant(name: "mutex", actions: 1_000_000) { actions in
        let store = MutexStore()
        let sample = measure { onFourThreads { forEachAction(actions / 4) { store.dispatch($0) } } }
        try checkProduced(store.state, actions, "mutex")
        return sample
      },
      Contestant(name: "fifo", actions: 1_000_000) { actions in
        let store = FIFOStore()
        let sample = measure { onFourThreads { forEachAction(actions / 4) { store.dispatch($0) } } }
        try checkProduced(store.state, actions, "fifo")
        return sample
      },
    ],
    comparisons: [
      Comparison("W5", "fifo"),
      Comparison("W5", "mutex", target: .times(5)),
    ])
}

/// Runs `body` on four threads concurrently. Returns when all have finished.
private func onFourThreads(_ body: @escaping @Sendable () -> Void) {
  let group = DispatchGroup()
  for _ in 0..<4 { Thread.detachNewThread(in: group, body) }
  group.wait()
}

/// Checks the parts that do not depend on the order of the threads.
private func checkProduced(_ state: AppState, _ actions: Int, _ what: String) throws {
  let one = AppState.expected(after: actions / 4)
  try check(state.counter, is: one.counter * 4, "\(what) counter")
  // Each of the four threads toggles each id equally often.
  try check(state.favorites, is: [], "\(what) favorites")
}
