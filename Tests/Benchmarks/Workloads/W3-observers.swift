import ReeluxCore

extension Group {
  /// W3: 10 and 100 subscribers, each of which selects one of the three states and is called when it has changed.
  /// W3-unchanged: 10 subscribers of two states, and actions for the third.
  static let observers = Group(
    contestants: [(10, 1_000_000), (100, 200_000)].flatMap { subscribers, actions in
      [
        Contestant(name: "W3-\(subscribers)", actions: actions) { try observe(subscribers, actions: $0) },
        Contestant(name: "closureStore-\(subscribers)", actions: actions) {
          try observeClosureStore(subscribers, actions: $0)
        },
      ]
    } + [
      Contestant(name: "W3-unchanged", actions: 1_000_000, run: observeOthers),
      Contestant(name: "closureStore-unchanged", actions: 1_000_000, run: observeOthersClosureStore),
    ],
    comparisons: [
      Comparison("W3-10", "closureStore", from: "closureStore-10", target: .times(1)),
      Comparison("W3-100", "closureStore", from: "closureStore-100", target: .times(0.5)),
      Comparison("W3-unchanged", "closureStore", from: "closureStore-unchanged", isWithoutAllocations: true),
    ])
}

/// The actions of the round-robin for the counter.
private let counterActions = AppAction.roundRobin.filter { if case .counter = $0 { true } else { false } }

/// Calls `body` with `count` actions for the counter.
@inline(__always)
private func forEachCounterAction(_ count: Int, _ body: (AppAction) -> Void) {
  forEach(of: counterActions, count, body)
}

@Sendable
private func observeOthers(_ actions: Int) throws -> Sample {
  let store = Store(initialState: AppState(), feature: .app)
  let tally = Tally()
  let subscriptions = (0..<10).map { number in
    number.isMultiple(of: 2)
      ? store.select(\.favorites).subscribe { _ in tally.count += 1 }
      : store.select(\.location).subscribe { _ in tally.count += 1 }
  }
  let sample = measure { forEachCounterAction(actions) { store.dispatch($0) } }
  try checkOthers(store.state, tally, actions, "W3-unchanged")
  for subscription in subscriptions { subscription.cancel() }
  return sample
}

@Sendable
private func observeOthersClosureStore(_ actions: Int) throws -> Sample {
  let store = ClosureStore.app()
  let tally = Tally()
  for number in 0..<10 {
    if number.isMultiple(of: 2) {
      store.subscribe({ $0.favorites }) { _ in tally.count += 1 }
    } else {
      store.subscribe({ $0.location }) { _ in tally.count += 1 }
    }
  }
  let sample = measure { forEachCounterAction(actions) { store.dispatch($0) } }
  try checkOthers(store.state, tally, actions, "closureStore")
  return sample
}

private func checkOthers(_ state: AppState, _ tally: Tally, _ actions: Int, _ what: String) throws {
  var expected = AppState()
  forEachCounterAction(actions) { if case .counter(let action) = $0 { reduceCounter(action, &expected.counter) } }
  try check(state, is: expected, what)
  try check(tally.count, is: 10, "\(what) observers")
}

private func observe(_ subscribers: Int, actions: Int) throws -> Sample {
  let store = Store(initialState: AppState(), feature: .app)
  let tallies = (0..<3).map { _ in Tally() }
  let subscriptions = (0..<subscribers).map { number in
    let tally = tallies[number % 3]
    return switch number % 3 {
    case 0: store.select(\.counter).subscribe { _ in tally.count += 1 }
    case 1: store.select(\.favorites).subscribe { _ in tally.count += 1 }
    default: store.select(\.location).subscribe { _ in tally.count += 1 }
    }
  }
  let sample = measure { forEachAction(actions) { store.dispatch($0) } }
  try check(store.state, is: .expected(after: actions), "W3")
  try check(tallies.map(\.count), is: expectedTallies(subscribers, actions: actions), "W3 observers")
  for subscription in subscriptions { subscription.cancel() }
  return sample
}

private func observeClosureStore(_ subscribers: Int, actions: Int) throws -> Sample {
  let store = ClosureStore.app()
  let tallies = (0..<3).map { _ in Tally() }
  for number in 0..<subscribers {
    let tally = tallies[number % 3]
    switch number % 3 {
    case 0: store.subscribe({ $0.counter }) { _ in tally.count += 1 }
    case 1: store.subscribe({ $0.favorites }) { _ in tally.count += 1 }
    default: store.subscribe({ $0.location }) { _ in tally.count += 1 }
    }
  }
  let sample = measure { forEachAction(actions) { store.dispatch($0) } }
  try check(store.state, is: .expected(after: actions), "closureStore")
  try check(tallies.map(\.count), is: expectedTallies(subscribers, actions: actions), "closureStore observers")
  return sample
}

/// One call at the start, and one for each change, for each subscriber of the state.
private func expectedTallies(_ subscribers: Int, actions: Int) -> [Int] {
  var state = AppState()
  var changes = [1, 1, 1]
  forEachAction(actions) { action in
    let old = state
    switch action {
    case .counter(let action): reduceCounter(action, &state.counter)
    case .favorites(let action): reduceFavorites(action, &state.favorites)
    case .location(let action): reduceLocation(action, &state.location)
    }
    if old.counter != state.counter { changes[0] += 1 }
    if old.favorites != state.favorites { changes[1] += 1 }
    if old.location != state.location { changes[2] += 1 }
  }
  return (0..<3).map { part in changes[part] * ((subscribers + 2 - part) / 3) }
}
