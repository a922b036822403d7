import ReeluxCore
import ReeluxTestSupport
import Testing

/// Section A: the order of processing, and the queue.
@Suite(.timeLimit(.minutes(15))) struct QueueTests {
  enum Action: Sendable, Equatable {
    case go
    case value(Int)
    case from(Int, Int)
  }

  /// Middlewares and reducers that record what they read.
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
      // The store is processing an action on a thread that does not continue.
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
    // The reducing thread starts the next slow reducer immediately after the first one. A reader that arrived during
    // the first must be served before the second.
    let entered = Semaphore()
    let release = Semaphore()
    let store = Store<Action, Int>(
      initialState: 0,
      reducer: Reducer { _, count in
        entered.signal()
        release.wait()
        count += 1
      })
    let isWaiting = Semaphore()
    store.whenAReaderWaits { isWaiting.signal() }
    let seen = Locked<[Int]>([])
    for round in 0..<20 {
      await onThread {
        let start = round * 3
        let first = WorkThread { store.dispatch(.go) }
        entered.wait()
        store.dispatch(.go)
        store.dispatch(.go)
        let reader = WorkThread {
          let state = store.state
          seen.withLock { $0.append(state - start) }
        }
        // The first reducer ends only after the reader has found it. A reader that comes later waits for the second
        // one, which ends only after the reader.
        isWaiting.wait()
        release.signal()
        entered.wait()
        // The second reducer runs now. The reader was served before it.
        reader.join()
        release.signal()
        entered.wait()
        release.signal()
        first.join()
      }
    }
    await store.settle()
    #expect(store.state == 60)
    #expect(seen.withLock { $0 } == Array(repeating: 1, count: 20))
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

  /// Follow-up actions, actions that the pipeline's own thread dispatches, and actions of other threads. Each takes the
  /// next number when it arrives, so the numbers must be processed in order.
  @Test(.conformance(6, 7, 8), arguments: 0..<40) func whateverWaitsIsOneQueue(seed: UInt64) async {
    enum Way { case followUp, own, other, ownAfterwards }
    var generator = SplitMix64(seed: seed)
    let ways: [[Way]] = (0..<400).map { _ in
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        [.followUp, .followUp, .own, .other, .ownAfterwards].randomElement(using: &generator) ?? .own
      }
    }
    let next = Locked(1)
    let take = { @Sendable in
      next.withLock { next in
        defer { next += 1 }
        return next
      }
    }
    let seen = Journal<Int>()
    let box = Locked<Store<Int, Int>?>(nil)
    let store = Store<Int, Int>(
      initialState: 0, reducer: Reducer { $1 = $0 },
      middleware: Middleware { number, _, _ in
        seen.write(number)
        guard let store = box.withLock({ $0 }), number < ways.count else { return .none }
        for way in ways[number] {
          switch way {
          case .own: store.dispatch(take())
          case .other:
            let number = take()
            WorkThread { store.dispatch(number) }.join()
          case .followUp, .ownAfterwards: break
          }
        }
        return ways[number].map { way in
          switch way {
          case .followUp: .send(take())
          case .ownAfterwards:
            // Each action takes a number in the order in which these expressions are evaluated.
            { number in .afterReducer { _ in store.dispatch(number) } }(take())
          case .own, .other: .none
          }
        }.joined()
      })
    box.withLock { $0 = store }
    _ = await onThread { store.dispatch(0) }
    await store.settle()
    box.withLock { $0 = nil }
    #expect(seen.count > ways.count)
    #expect(seen.entries == Array(0..<seen.count))
  }

  /// The test runs in a process of its own, because other tests use memory at the same time.
  @Test(.conformance(13)) func aMillionSelfDispatchesNeitherOverflowNorGrow() async {
    await #expect(processExitsWith: .success) {
      // Unoptimised code would need a quarter of a minute for the million.
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
      // A queue that kept all of them would need a hundred bytes for each.
      if !keepsReleasedMemory { #expect(residentKilobytes() - before < length / 50) }
    }
  }
}
