import ReeluxCore

/// A random program with two to four threads on one store. The checks do not depend on the order of the threads.
struct ThreadedProgram: Sendable {
  private enum Step: Sendable {
    case dispatch, project, bump, startLate, startAndCancel
    case subscribe, unsubscribe, install, remove
  }

  private let threads: [[Step]]

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let steps: [Step] = [
      .dispatch, .dispatch, .dispatch, .project, .bump, .startLate, .startAndCancel, .subscribe, .unsubscribe, .install,
      .remove,
    ]
    threads = (0..<(2 + Int(random.next() % 3))).map { _ in
      (0..<(1 + Int(random.next() % 12))).map { _ in steps[Int(random.next() % UInt64(steps.count))] }
    }
  }

  private enum Bump: Sendable { case one }

  /// The data that the threads share.
  private final class Record: Sendable {
    let tasks = Locked<[ActionTask]>([])
    /// The number of times that an observer received an older state after a newer one.
    let older = Locked(0)
    /// The state in the last call of the permanent observer.
    let last = Locked<ProgramStore.State?>(nil)
  }

  /// Runs the program. Returns the first violation.
  func run() async -> String? {
    let doors = ProgramStore.Doors()
    let store = Store(initialState: ProgramStore.State(), feature: ProgramStore.feature(doors))
    let child = store.child(initialState: 0, reducer: Reducer<Bump, Int> { $1 += 1 }) { _ in .add(1) }
    let record = Record()
    let watch = Self.watching(store, record)
    let final = store.subscribe { state in record.last.withLock { $0 = state } }
    let work = threads.enumerated().map { thread, steps in
      WorkThread { Self.perform(steps, thread, store, child, record) }
    }
    await onThread { for thread in work { thread.join() } }
    for task in record.tasks.withLock({ $0 }) { await task.finish() }
    await store.settle()
    defer {
      watch.cancel()
      final.cancel()
    }

    let state = store.state
    let count = { (wanted: Set<Step>) in threads.map { $0.filter(wanted.contains).count } }
    for (thread, number) in count([.dispatch, .project]).enumerated() where state.next[thread] != number {
      return "of \(number) actions of thread \(thread), \(state.next[thread]) arrived"
    }
    if state.disorder > 0 { return "\(state.disorder) actions of a thread arrived before an earlier one" }
    let bumps = count([.bump]).reduce(0, +)
    if state.sum != bumps || child.state.local != bumps {
      return "\(bumps) bumps gave \(state.sum) and \(child.state.local)"
    }
    let (sure, perhaps) = (count([.startLate]).reduce(0, +), count([.startAndCancel]).reduce(0, +))
    if state.late < sure || state.late > sure + perhaps {
      return "\(state.late) answers came, not \(sure) to \(sure + perhaps)"
    }
    if record.older.withLock({ $0 }) > 0 { return "an observer saw an older state after a newer one" }
    if record.last.withLock({ $0 }) != state { return "the last call of an observer was not the last state" }
    return nil
  }

  private static func perform(
    _ steps: [Step], _ thread: Int, _ store: Store<ProgramStore.Action, ProgramStore.State>,
    _ child: ChildStore<Bump, ProgramStore.Action, ProgramStore.State, Int>, _ record: Record
  ) {
    let projection = store.projection(action: { (action: ProgramStore.Action) in action }, state: \.sum)
    var subscriptions: [Subscription] = []
    var installations: [Installation] = []
    var number = 0
    for step in steps {
      switch step {
      case .dispatch:
        store.dispatch(.from(thread: thread, number: number))
        number += 1
      case .project:
        projection.dispatch(.from(thread: thread, number: number))
        number += 1
      case .bump: child.dispatch(.one)
      case .startLate, .startAndCancel:
        let task = store.dispatch(.startLate)
        if step == .startAndCancel { task.cancel() }
        record.tasks.withLock { $0.append(task) }
      case .subscribe: subscriptions.append(watching(store, record))
      case .unsubscribe: if !subscriptions.isEmpty { subscriptions.removeFirst().cancel() }
      case .install: installations.append(store.install(ProgramStore.plugin(1)))
      case .remove: installations.popLast()?.remove()
      }
    }
  }

  /// Observes the number of threads' actions in the state, which never decreases.
  private static func watching(
    _ store: Store<ProgramStore.Action, ProgramStore.State>, _ record: Record
  ) -> Subscription {
    let seen = Journal<Int>()
    return store.subscribe { state in
      let count = state.next.wrappedSum()
      if let before = seen.entries.last, before > count { record.older.withLock { $0 += 1 } }
      seen.write(count)
    }
  }
}
