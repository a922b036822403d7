import Core
import CoreTesting
import Testing

/// Section A: the order of things, and the queue.
@Suite struct QueueTests {
  enum Action: Sendable, Equatable {
    case go
    case value(Int)
    case from(Int, Int)
  }

  /// Middlewares and reducers that write down what they see.
  static func witness(_ journal: Journal<String>, names: [String]) -> Feature<Action, [Int]> {
    Feature(
      reducer: Reducer.compose {
        for name in names {
          Reducer<Action, [Int]> { _, state in
            journal.write("reduce \(name) \(state)")
            state.append(state.count)
          }
        }
      },
      middleware: Middleware.compose {
        for name in names {
          Middleware<Action, Action, [Int]> { _, _, state in
            journal.write("handle \(name) \(state())")
            return .afterReducer { _ in journal.write("after \(name) \(state())") }
          }
        }
      })
  }

  @Test(.conformance(1, 2, 3, 4, 5)) func stagesRunInTheDocumentedOrderOnTheDocumentedStates() {
    let journal = Journal<String>()
    let store = Store(initialState: [], feature: Self.witness(journal, names: ["1", "2", "3"]))
    let subscription = store.subscribe { state in journal.write("observe \(state)") }
    journal.clear()
    store.dispatch(.go)
    #expect(
      journal.entries == [
        "handle 1 []", "handle 2 []", "handle 3 []",
        "reduce 1 []", "reduce 2 [0]", "reduce 3 [0, 1]",
        "observe [0, 1, 2]",
        "after 3 [0, 1, 2]", "after 2 [0, 1, 2]", "after 1 [0, 1, 2]",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(3)) func twoReducersOfOneActionBothTakeEffectOnce() {
    let store = Store<Action, [Int]>(
      initialState: [],
      reducer: Reducer { _, state in state.append(1) } <> Reducer { _, state in state.append(2) })
    store.dispatch(.go)
    #expect(store.state == [1, 2])
  }

  @Test(.conformance(6, 7)) func whatIsDispatchedMeanwhileRunsAfterTheCurrentActionInItsOrder() {
    let journal = Journal<String>()
    let hold = Locked<Store<Action, Int>?>(nil)
    let dispatch = { @Sendable (value: Int) in
      _ = hold.withLock { $0 }?.dispatch(.value(value))
    }
    let middleware = Middleware<Action, Action, Int> { action, _, _ in
      journal.write("handle \(action)")
      guard action == .go else { return .afterReducer { _ in journal.write("after \(action)") } }
      dispatch(1)
      return .send(.value(5)) <> .send([.value(6), .value(7)])
        <> .afterReducer { send in
          journal.write("after begins")
          send(.value(8))
          dispatch(9)
          journal.write("after ends")
        }
    }
    let store = Store(
      initialState: 0,
      reducer: Reducer<Action, Int> { action, count in
        journal.write("reduce \(action)")
        count += 1
      }, middleware: middleware)
    hold.withLock { $0 = store }
    let first = Locked(true)
    let subscription = store.subscribe { state in
      journal.write("observe \(state)")
      if state == 1,
        first.withLock({ value in
          defer { value = false }; return value
        })
      {
        dispatch(2)
        dispatch(3)
        journal.write("observed")
      }
    }
    journal.clear()
    store.dispatch(.go)
    #expect(
      Array(journal.entries.prefix(6)) == [
        "handle go", "reduce go", "observe 1", "observed", "after begins", "after ends",
      ])
    let later = [1, 2, 3, 5, 6, 7, 8, 9].enumerated().flatMap { index, value in
      [
        "handle value(\(value))", "reduce value(\(value))", "observe \(index + 2)", "after value(\(value))",
      ]
    }
    #expect(Array(journal.entries.dropFirst(6)) == later)
    hold.withLock { $0 = nil }
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(8)) func manyThreadsLoseNoneDoubleNoneAndKeepTheirOrder() async {
    let threads = 6
    let actions = 3_000
    let store = Store<Action, [[Int]]>(
      initialState: Array(repeating: [], count: threads),
      reducer: Reducer { action, state in
        if case .from(let thread, let number) = action { state[thread].append(number) }
      })
    await onThread {
      let workers = (0..<threads).map { thread in
        WorkThread { for number in 0..<actions { store.dispatch(.from(thread, number)) } }
      }
      for worker in workers { worker.join() }
    }
    await store.settle()
    #expect(store.state == Array(repeating: Array(0..<actions), count: threads))
  }

  @Test(.conformance(8)) func tasksLoseNoneAndDoubleNone() async {
    let store = Store<Action, Int>(initialState: 0, reducer: Reducer { _, count in count += 1 })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          for number in 0..<100 {
            store.dispatch(.value(number))
            if number % 10 == 0 { await Task.yield() }
          }
        }
      }
    }
    await store.settle()
    #expect(store.state == 5_000)
  }

  @Test(.conformance(9)) func aBlockedMiddlewareKeepsNobodyFromDispatchingOrReading() async {
    let entered = Semaphore()
    let release = Semaphore()
    let store = Store<Action, [Int]>(
      initialState: [],
      reducer: Reducer { action, state in if case .value(let value) = action { state.append(value) } },
      middleware: Middleware { action, _, _ in
        if action == .go {
          entered.signal()
          release.wait()
        }
        return .none
      })
    let seen = await onThread {
      let blocked = WorkThread { store.dispatch(.go) }
      entered.wait()
      // The store is in the middle of an action, on a thread that does not go on.
      store.dispatch(.value(1))
      store.dispatch(.value(2))
      let seen = store.state
      release.signal()
      blocked.join()
      return seen
    }
    #expect(seen == [])
    await store.settle()
    #expect(store.state == [1, 2])
  }

  @Test(.conformance(9)) func aBlockedObserverKeepsNobodyFromDispatchingReadingOrSubscribing() async {
    let entered = Semaphore()
    let release = Semaphore()
    let store = Store<Action, Int>(initialState: 0, reducer: Reducer { _, count in count += 1 })
    let blocking = store.subscribe { count in
      if count == 1 {
        entered.signal()
        release.wait()
      }
    }
    let journal = Journal<Int>()
    let (seen, subscription) = await onThread {
      let blocked = WorkThread { store.dispatch(.go) }
      entered.wait()
      store.dispatch(.go)
      let seen = store.state
      let subscription = store.subscribe { journal.write($0) }
      journal.write(-1)
      release.signal()
      blocked.join()
      return (seen, subscription)
    }
    #expect(seen == 1)
    await store.settle()
    #expect(store.state == 2)
    #expect(journal.entries == [1, -1, 2])
    withExtendedLifetime((blocking, subscription)) {}
  }

  @Test(.conformance(9)) func aReaderWaitsForOneReducerAtMost() async {
    // The thread that reduces goes from one slow reducer straight into the next one. The reader, who
    // came during the first, must be served before the second.
    let entered = Semaphore()
    let release = Semaphore()
    let store = Store<Action, Int>(
      initialState: 0,
      reducer: Reducer { _, count in
        entered.signal()
        release.wait()
        count += 1
      })
    let seen = Locked<[Int]>([])
    for round in 0..<20 {
      await onThread {
        let start = round * 3
        let first = WorkThread { store.dispatch(.go) }
        entered.wait()
        store.dispatch(.go)
        store.dispatch(.go)
        let isReading = Semaphore()
        let reader = WorkThread {
          isReading.signal()
          let state = store.state
          seen.withLock { $0.append(state - start) }
        }
        isReading.wait()
        // Long enough for the reader to be waiting, most of the time. Nothing depends on it but the test's sharpness.
        for _ in 0..<2_000 where store.isReaderWaiting == false { relax() }
        release.signal()
        entered.wait()
        // The second reducer runs now: the reader must be through, or come through without its end.
        reader.join()
        release.signal()
        entered.wait()
        release.signal()
        first.join()
      }
    }
    await store.settle()
    #expect(store.state == 60)
    #expect(seen.withLock { $0 }.allSatisfy { $0 == 0 || $0 == 1 })
  }

  @Test(.conformance(10, 16)) func onAnIdleStoreDispatchIsSynchronous() {
    let store = Store<Action, Int>(
      initialState: 7, reducer: Reducer { action, count in if case .value(let value) = action { count += value } },
      middleware: Middleware { action, _, _ in action == .go ? .send(.value(100)) : .none })
    #expect(store.state == 7)
    let seen = Journal<Int>()
    let subscription = store.subscribe { seen.write($0) }
    store.dispatch(.value(1))
    #expect(store.state == 8)
    #expect(seen.entries == [7, 8])
    store.dispatch(.go)
    #expect(store.state == 108)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(11)) func nothingOfAStoreRunsConcurrently() async {
    let inside = Locked(0)
    let overlaps = Locked(0)
    let visit = { @Sendable in
      let others = inside.withLock { value in
        defer { value += 1 }; return value
      }
      if others > 0 { overlaps.withLock { $0 += 1 } }
      relax()
      inside.withLock { $0 -= 1 }
    }
    let store = Store<Action, Int>(
      initialState: 0,
      reducer: Reducer { _, count in
        visit()
        count += 1
      },
      middleware: Middleware { _, _, _ in
        visit()
        return .none
      })
    let subscription = store.subscribe { _ in visit() }
    await onThread {
      let workers = (0..<4).map { _ in WorkThread { for _ in 0..<500 { store.dispatch(.go) } } }
      for worker in workers { worker.join() }
    }
    await store.settle()
    #expect(store.state == 2_000)
    #expect(overlaps.withLock { $0 } == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(12)) func noObserverGetsAnOlderStateAfterANewerOne() {
    let store = Store<Action, Int>(initialState: 0, reducer: Reducer { _, count in count += 1 })
    let journals = (0..<3).map { _ in Journal<Int>() }
    let subscriptions = journals.enumerated().map { index, journal in
      store.subscribe { [weak store] count in
        journal.write(count)
        if count < 10, count % 3 == index { store?.dispatch(.go) }
      }
    }
    store.dispatch(.go)
    for journal in journals {
      #expect(journal.entries == Array(journal.entries.sorted()))
      #expect(Set(journal.entries).count == journal.entries.count)
      #expect(journal.entries.last == store.state)
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(13)) func aMillionSelfDispatchesNeitherOverflowNorGrow() {
    // Unoptimised code would take a quarter of a minute for the million.
    let length = isThorough ? 1_000_000 : 100_000
    let store = Store<Action, Int>(
      initialState: 0,
      reducer: Reducer { _, count in count += 1 },
      middleware: Middleware { action, _, _ in
        guard case .value(let value) = action, value < length else { return .none }
        return .send(.value(value + 1))
      })
    let before = residentKilobytes()
    store.dispatch(.value(1))
    #expect(store.state == length)
    #expect(store.queueCapacity <= 64)
    #expect(residentKilobytes() - before < 40_000)
  }

  @Test(.conformance(14)) func theRunawayGuardNamesTheLoopAndKeepsTheOthers() {
    let reports = Journal<DispatchedAction<Action>>()
    let store = Store<Action, [Int]>(
      initialState: [],
      feature: Feature(
        reducer: Reducer { action, state in if case .value(let value) = action { state.append(value) } },
        middleware: Middleware { action, _, _ in
          switch action {
          case .from(0, 0): .send([.go, .value(1), .from(0, 1)])
          case .from(0, 1): .send(.value(2))
          case .go: .send(.go, info: "looping")
          default: .none
          }
        }),
      runawayGuard: RunawayGuard(limit: 1_000) { reports.write($0) })
    store.dispatch(.from(0, 0))
    #expect(store.state == [1, 2])
    #expect(reports.entries.map(\.action) == [.go])
    #expect(reports.entries.first?.source.info == "looping")
    #expect(reports.entries.first?.source.file == #fileID)
    store.dispatch(.value(3))
    #expect(store.state == [1, 2, 3])
  }

  @Test(.conformance(14)) func aChainAsLongAsTheLimitIsNoRunaway() {
    let reports = Journal<DispatchedAction<Action>>()
    let store = Store<Action, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { _, count in count += 1 },
        middleware: Middleware { action, _, _ in
          guard case .value(let value) = action, value < 10 else { return .none }
          return .send(.value(value + 1))
        }),
      runawayGuard: RunawayGuard(limit: 10) { reports.write($0) })
    for _ in 0..<100 { store.dispatch(.value(0)) }
    #expect(store.state == 1_100)
    #expect(reports.count == 0)
  }

  @Test(.conformance(87)) func aFloodIsHandedOverInOrder() async {
    // One slow action on this thread, while another thread fills the queue.
    let entered = Semaphore()
    let release = Semaphore()
    let dispatching = Locked<UInt>(0)
    let here = Locked<[Int]>([])
    let all = Journal<Int>()
    let store = Store<Action, Int>(
      initialState: 0, reducer: Reducer { _, count in count += 1 },
      middleware: Middleware { action, _, _ in
        switch action {
        case .go:
          entered.signal()
          release.wait()
          // What the action leads to on its own does not count.
          return .send((0..<500).map { .from(0, $0) })
        case .value(let value):
          all.write(value)
          if threadNumber() == dispatching.withLock({ $0 }) { here.withLock { $0.append(value) } }
          return .none
        case .from: return .none
        }
      })
    await onThread {
      let flood = WorkThread {
        entered.wait()
        for value in 0..<10_000 { store.dispatch(.value(value)) }
        release.signal()
      }
      dispatching.withLock { $0 = threadNumber() }
      store.dispatch(.go)
      dispatching.withLock { $0 = 0 }
      flood.join()
    }
    await store.settle()
    #expect(store.state == 10_501)
    #expect(here.withLock { $0 } == Array(0..<128))
    #expect(all.entries == Array(0..<10_000))
  }

  // MARK: Use of the store inside a reducer

  @Test(.conformance(15)) func readingTheStateInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in _ = store.state }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "read the store's state", "go", "the culprit", "QueueTests.swift")
  }

  @Test(.conformance(15)) func dispatchingInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in store.dispatch(.value(3)) }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "dispatched value(3)", "go", "the culprit", "QueueTests.swift")
  }

  @Test(.conformance(15)) func subscribingInsideAReducerIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Misuse.store { store in store.subscribe { _ in }.detach() }.dispatch(.go, info: "the culprit")
    }
    Misuse.check(result, "subscribed to the store", "go", "the culprit", "QueueTests.swift")
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
    Misuse.check(result, "dispatched value(3)", "go", "the culprit", "QueueTests.swift")
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
    Misuse.check(result, "read the store's state", "go", "the culprit", "QueueTests.swift")
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
    Misuse.check(result, "dispatched value(3)", "go", "the culprit", "QueueTests.swift")
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
