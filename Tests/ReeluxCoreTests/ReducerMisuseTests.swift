@testable import ReeluxCore
import ReeluxTestSupport
import Testing

extension QueueTests {
  // MARK: Use of the store inside a reducer

  @Test(.conformance(15)) func readingTheStateInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in _ = store.state }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "read the store's state", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func readingAKeptGetterInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kept = Locked<GetState<Int>?>(nil)
      let store = Store<Action, Int>(
        initialState: 0,
        reducer: Reducer { action, _ in if action == .go { _ = kept.withLock { $0 }?() } },
        middleware: Middleware { _, _, state in
          kept.withLock { $0 = state }
          return .none
        })
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "read the store's state", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func dispatchingInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in store.dispatch(.value(3)) }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "dispatched value(3)", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func subscribingInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in store.subscribe { _ in }.detach() }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "subscribed to the store", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func sendingIntoTheStoreInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let kept = Locked<Send<Action>?>(nil)
      let store = Store<Action, Int>(
        initialState: 0,
        reducer: Reducer { action, _ in if action == .go { kept.withLock { $0 }?(.value(3)) } },
        middleware: Middleware { _, _, _ in .afterReducer { send in kept.withLock { $0 = send } } })
      store.dispatch(.value(0))
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "dispatched value(3)", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func useOfAChildStoreInsideItsReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<ChildStore<Action, Action, Int, Int>?>(nil)
      let store = Store<Action, Int>(initialState: 0, reducer: .identity)
      store.dispatch(.value(1))
      let child = store.child(
        initialState: 0,
        reducer: Reducer<Action, Int> { _, _ in _ = hold.withLock { $0 }?.state })
      hold.withLock { $0 = child }
      child.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "read the store's state", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func misuseInTheReducerOfAChildNamesTheChildsActionAndNotTheMappedOne() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<ChildStore<Action, Action, Int, Int>?>(nil)
      let store = Store<Action, Int>(initialState: 0, reducer: .identity)
      let child = store.child(
        initialState: 0,
        reducer: Reducer<Action, Int> { _, _ in _ = hold.withLock { $0 }?.state }, toRoot: { _ in .value(7) })
      hold.withLock { $0 = child }
      child.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "read the store's state", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(15)) func dispatchingToAChildStoreInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<ChildStore<Action, Action, Int, Int>?>(nil)
      let store = Store<Action, Int>(
        initialState: 0, reducer: Reducer { _, _ in hold.withLock { $0 }?.dispatch(.value(3)) })
      let child = store.child(initialState: 0, reducer: Reducer<Action, Int> { _, _ in })
      hold.withLock { $0 = child }
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "dispatched value(3)", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(103)) func installingInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in store.install(.identity) }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "installed a feature", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(103)) func removingAFeatureInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<Installation?>(nil)
      let store = Misuse.store { _ in hold.withLock { $0 }?.remove() }
      hold.withLock { $0 = store.install(.identity) }
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "removed a feature", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(103)) func cancellingASubscriptionInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<Subscription?>(nil)
      let store = Misuse.store { _ in hold.withLock { $0 }?.cancel() }
      hold.withLock { $0 = store.subscribe { _ in } }
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "cancelled a subscription", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(103)) func cancellingEffectsInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<ActionTask?>(nil)
      let store = Store<Action, Int>(
        initialState: 0, reducer: Reducer { _, _ in hold.withLock { $0 }?.cancel() },
        middleware: Middleware { _, _, _ in .run { _ in await Door().pass() } })
      let task = store.dispatch(.value(0))
      hold.withLock { $0 = task }
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "cancelled an action's effects", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(103)) func releasingTheStoreInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<Store<Action, Int>?>(nil)
      var store: Store<Action, Int>? = Store(
        initialState: 0, reducer: Reducer { _, _ in _ = hold.withLock { $0.take() } })
      hold.withLock { $0 = store }
      // Only the core: nothing else retains the store.
      let core = store?.core
      store = nil
      _ = core?.dispatch(.go, from: ActionSource(info: "the culprit"))
    }
    Misuse.check(result, "released the store", "go", "the culprit", "ReducerMisuseTests.swift")
  }

  @Test(.conformance(103)) func releasingAChildStoreInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let hold = Locked<ChildStore<Action, Action, Int, Int>?>(nil)
      let store = Misuse.store { _ in _ = hold.withLock { $0.take() } }
      hold.withLock { $0 = store.child(initialState: 0, reducer: Reducer<Action, Int> { _, _ in }) }
      store.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "released a child store", "go", "the culprit", "ReducerMisuseTests.swift")
  }
}

/// A store whose reducer uses it.
private enum Misuse {
  static func store(
    _ deed: @escaping @Sendable (Store<QueueTests.Action, Int>) -> Void
  ) -> Store<QueueTests.Action, Int> {
    let hold = Locked<Store<QueueTests.Action, Int>?>(nil)
    let store = Store<QueueTests.Action, Int>(
      initialState: 0,
      reducer: Reducer { _, _ in if let store = hold.withLock({ $0 }) { deed(store) } })
    hold.withLock { $0 = store }
    return store
  }

  static func check(_ result: ExitTest.Result?, _ parts: String..., location: SourceLocation = #_sourceLocation) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for part in parts {
      #expect(output.contains(part), "missing: \(part)", sourceLocation: location)
    }
  }
}
