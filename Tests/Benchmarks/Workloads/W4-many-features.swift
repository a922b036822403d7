import ReeluxCore

extension Group {
  /// W4: 1, 8 and 64 lifted features. Every action is for the last one.
  static let manyFeatures = Group(
    contestants: [
      Contestant(name: "W4-1", actions: 1_000_000) { actions in
        let store = Store(initialState: WideState1(), feature: .wide)
        let sample = measure { forEachCounterAction(actions) { store.dispatch(.f0($0)) } }
        try check(store.state, is: WideState1(f0: expectedCount(actions)), "W4-1")
        return sample
      },
      Contestant(name: "W4-8", actions: 1_000_000) { actions in
        let store = Store(initialState: WideState8(), feature: .wide)
        let sample = measure { forEachCounterAction(actions) { store.dispatch(.f7($0)) } }
        try check(store.state, is: WideState8(f7: expectedCount(actions)), "W4-8")
        return sample
      },
      Contestant(name: "W4-64", actions: 1_000_000) { actions in
        let store = Store(initialState: WideState64(), feature: .wide)
        let sample = measure { forEachCounterAction(actions) { store.dispatch(.f63($0)) } }
        try check(store.state, is: WideState64(f63: expectedCount(actions)), "W4-64")
        return sample
      },
      Contestant(name: "mutex-1", actions: 1_000_000) { actions in
        let store = WideMutexStore1()
        let sample = measure { forEachCounterAction(actions) { store.dispatch(.f0($0)) } }
        try check(store.state, is: WideState1(f0: expectedCount(actions)), "mutex")
        return sample
      },
      Contestant(name: "mutex-8", actions: 1_000_000) { actions in
        let store = WideMutexStore8()
        let sample = measure { forEachCounterAction(actions) { store.dispatch(.f7($0)) } }
        try check(store.state, is: WideState8(f7: expectedCount(actions)), "mutex")
        return sample
      },
      Contestant(name: "mutex-64", actions: 1_000_000) { actions in
        let store = WideMutexStore64()
        let sample = measure { forEachCounterAction(actions) { store.dispatch(.f63($0)) } }
        try check(store.state, is: WideState64(f63: expectedCount(actions)), "mutex")
        return sample
      },
    ],
    comparisons: [
      Comparison("W4-1", "mutex", from: "mutex-1"),
      Comparison("W4-8", "mutex", from: "mutex-8"),
      Comparison("W4-64", "mutex", from: "mutex-64"),
      Comparison("W4-64", "W4-1", target: .times(1.5), isWithoutAllocations: true),
    ])
}

/// Calls `body` with `count` actions of one feature.
@inline(__always)
private func forEachCounterAction(_ count: Int, _ body: (CounterAction) -> Void) {
  forEach(of: (0..<192).map { $0 % 3 == 0 ? CounterAction.increment : .add($0) }, count, body)
}

private func expectedCount(_ actions: Int) -> Int {
  var count = 0
  forEachCounterAction(actions) { reduceCounter($0, &count) }
  return count
}
