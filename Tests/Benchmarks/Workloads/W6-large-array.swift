import ReeluxCore

enum ItemsAction: Sendable {
  case set(index: Int, value: Int)
}

enum LargeAction: Sendable {
  case counter(CounterAction)
  case items(ItemsAction)
}

struct ItemsState: Equatable, Sendable {
  var values = [Int](repeating: 0, count: 100_000)
  /// The slot that the last action changed.
  var changed = 0
}

struct LargeState: Equatable, Sendable {
  var counter = 0
  var items = ItemsState()
}

func reduceItems(_ action: ItemsAction, _ state: inout ItemsState) {
  switch action {
  case .set(let index, let value):
    state.values[index] = value
    state.changed = index
  }
}

extension Prism<LargeAction, CounterAction> {
  static let counter = Prism(case: LargeAction.counter) { if case .counter(let it) = $0 { it } else { nil } }
}

extension Prism<LargeAction, ItemsAction> {
  static let items = Prism(case: LargeAction.items) { if case .items(let it) = $0 { it } else { nil } }
}

extension Group {
  /// W6: each action changes one of 100,000 slots, and an observer reads another part. W6-dedupe: an observer reads the
  /// changed slot.
  static let largeArray = Group(
    contestants: [
      Contestant(name: "W6", actions: 1_000_000) { actions in
        let store = makeStore()
        let tally = Tally()
        let subscription = store.select(\.counter).subscribe { _ in tally.count += 1 }
        let sample = measure { forEachSlot(actions) { store.dispatch(.items(.set(index: $0, value: $1))) } }
        subscription.cancel()
        try check(tally.count, is: 1, "W6 observer")
        try checkItems(store.state.items, actions, "W6")
        return sample
      },
      Contestant(name: "closureStore", actions: 1_000_000) { actions in
        let store = makeClosureStore()
        let tally = Tally()
        store.subscribe({ $0.counter }) { _ in tally.count += 1 }
        let sample = measure { forEachSlot(actions) { store.dispatch(.items(.set(index: $0, value: $1))) } }
        try check(tally.count, is: 1, "closureStore observer")
        try checkItems(store.state.items, actions, "closureStore")
        return sample
      },
      Contestant(name: "W6-dedupe", actions: 1_000_000) { actions in
        let store = makeStore()
        let tally = Tally()
        let subscription = store.select { $0.items.values[$0.items.changed] }.subscribe { _ in tally.count += 1 }
        let sample = measure { forEachSlot(actions) { store.dispatch(.items(.set(index: $0, value: $1))) } }
        subscription.cancel()
        try check(tally.count, is: actions + 1, "W6-dedupe observer")
        try checkItems(store.state.items, actions, "W6-dedupe")
        return sample
      },
      Contestant(name: "closureStore-dedupe", actions: 1_000_000) { actions in
        let store = makeClosureStore()
        let tally = Tally()
        store.subscribe({ $0.items.values[$0.items.changed] }) { _ in tally.count += 1 }
        let sample = measure { forEachSlot(actions) { store.dispatch(.items(.set(index: $0, value: $1))) } }
        try check(tally.count, is: actions + 1, "closureStore observer")
        try checkItems(store.state.items, actions, "closureStore")
        return sample
      },
    ],
    comparisons: [
      Comparison("W6", "closureStore", target: .times(2), isWithoutAllocations: true),
      Comparison("W6-dedupe", "closureStore", from: "closureStore-dedupe", target: .times(2)),
    ])
}

private func makeStore() -> Store<LargeAction, LargeState> {
  let counter = Feature<CounterAction, Int>.counter
  let items = Feature<ItemsAction, ItemsState>(reducer: Reducer { reduceItems($0, &$1) })
  return Store(
    initialState: LargeState(),
    feature: Feature<LargeAction, LargeState> {
      counter.lift(action: .counter, state: \.counter)
      items.lift(action: .items, state: \.items)
    })
}

private func makeClosureStore() -> ClosureStore<LargeAction, LargeState> {
  ClosureStore(
    LargeState(),
    reducers: [
      { if case .counter(let action) = $0 { reduceCounter(action, &$1.counter) } },
      { if case .items(let action) = $0 { reduceItems(action, &$1.items) } },
    ])
}

/// Calls `body` `count` times with a slot and its new value. Each value differs from the one before.
@inline(__always)
private func forEachSlot(_ count: Int, _ body: (Int, Int) -> Void) {
  var slot = 0
  for number in 0..<count {
    body(slot, number + 1)
    slot += 7919
    if slot >= 100_000 { slot -= 100_000 }
  }
}

private func checkItems(_ state: ItemsState, _ actions: Int, _ what: String) throws {
  var expected = ItemsState()
  forEachSlot(actions) { reduceItems(.set(index: $0, value: $1), &expected) }
  guard state == expected else { throw WrongResult(description: "\(what): the array is not what it should be") }
}
