import ReeluxCore
import ReeluxTestSupport
import Testing

extension QueueTests {
  /// A service that a middleware calls may answer at once through a sender that it received earlier.
  @Test(.conformance(8), arguments: ["middleware", "interceptor", "after-reducer sender"])
  func anActionSentWithAKeptSenderDuringHandleIsProcessedInTheSameTurn(sender: String) async {
    let kept = Locked<Send<Action>?>(nil)
    let isKept = Door()
    let end = Door()
    let answer = { @Sendable (action: Action) in
      if action == .go { kept.withLock { $0 }?(.value(5)) }
    }
    let store = Store<Action, [Int]>(
      initialState: [],
      feature: Feature(
        reducer: Reducer { action, state in
          switch action {
          case .value(let value): state.append(value)
          default: state.append(-1)
          }
        },
        middleware: Middleware { action, _, _ in
          if sender != "interceptor" { answer(action) }
          guard action == .value(0) else { return .none }
          if sender == "after-reducer sender" {
            return .afterReducer { send in
              kept.withLock { $0 = send }
              isKept.open()
            }
          }
          return .run { send in
            kept.withLock { $0 = send }
            isKept.open()
            await end.pass()
          }
        },
        interceptor: Interceptor { action, _, _ in
          if sender == "interceptor" { answer(action) }
          return .pass
        }))
    store.dispatch(.value(0))
    await isKept.pass()
    store.dispatch(.go)
    #expect(store.state == [0, -1, 5])
    store.dispatch(.value(7))
    #expect(store.state == [0, -1, 5, 7])
    end.open()
    kept.withLock { $0 = nil }
    await store.settle()
  }

  /// The number of a queued action is the identity of its handle. A feed's action has no handle, so it has no number.
  @Test(.conformance(55)) func aHandleDoesNotWaitForTheEffectsOfAFeedsAction() async {
    final class Keeping: FeedingMiddleware {
      let kept = Locked<Send<Action>?>(nil)
      let isKept = Door()
      let end = Door()

      func feeds(for _: [Int]) -> [Feed<Action>] {
        [
          Feed(key: "answers") { [self] send in
            kept.withLock { $0 = send }
            isKept.open()
            await end.pass()
          }
        ]
      }

      func handle(action: Action, from _: ActionSource, state _: GetState<[Int]>) -> Effect<Action> {
        action == .value(5) ? .run { [end] _ in await end.pass() } : .none
      }
    }
    let middleware = Keeping()
    let store = Store<Action, [Int]>(
      initialState: [],
      feature: Feature(
        reducer: Reducer { action, state in if case .value(let value) = action { state.append(value) } },
        middleware: Middleware(middleware)))
    await middleware.isKept.pass()
    let handle = Locked<ActionTask?>(nil)
    let subscription = store.subscribe { state in
      guard state == [0] else { return }
      middleware.kept.withLock { $0 }?(.value(5))
      let task = store.dispatch(.value(7))
      handle.withLock { $0 = task }
    }
    store.dispatch(.value(0))
    #expect(store.state == [0, 5, 7])
    #expect(handle.withLock { $0 }?.isFinished == true)
    subscription.cancel()
    middleware.end.open()
    middleware.kept.withLock { $0 = nil }
    await store.settle()
  }

  @Test(.conformance(55), arguments: [false, true])
  func aTaskThatAwaitsReducedContinuesAfterItsAction(inAChildStore: Bool) async {
    let kept = Journal<Send<Action>>()
    let events = Journal<String>()
    let feature = Feature<Action, [Int]>(
      reducer: Reducer { action, _ in events.write("reduce \(action)") },
      middleware: Middleware { action, _, _ in
        if action == .value(0) { return .run { kept.write($0) } }
        guard action == .go, let send = kept.entries.first else { return .none }
        // The task runs here until it waits.
        Task(executorPreference: InlineExecutor()) {
          send(.value(5))
          await send.reduced()
          events.write("waited")
        }
        events.write("handled")
        return .none
      })
    let root = Store(initialState: [], feature: inAChildStore ? .identity : feature)
    let child = root.child(initialState: [], feature: inAChildStore ? feature : .identity, toRoot: \.self)
    await child.dispatch(.value(0)).finish()
    events.clear()
    child.dispatch(.go)
    #expect(events.entries == ["handled", "reduce go", "reduce value(5)", "waited"])
  }

  /// A follow-up action goes behind the items that the pipeline has already taken, so it can be behind the item with
  /// which `settle()` looks at the queue.
  @Test(.conformance(55), arguments: [false, true])
  func settleWaitsForAFollowUpBehindItsOwnItem(hasThird: Bool) {
    let events = Journal<String>()
    let created = Journal<Store<String, Int>>()
    let store = Store<String, Int>(
      initialState: 0, reducer: .identity,
      middleware: Middleware { action, _, _ in
        events.write(action)
        guard let store = created.entries.first else { return .none }
        switch action {
        case "first":
          store.dispatch("second")
          // The task runs here until it waits. It continues when this thread has processed its item.
          Task(executorPreference: InlineExecutor()) {
            await store.settle()
            events.write("settled")
          }
          if hasThird { store.dispatch("third") }
        case "second": WorkThread { store.dispatch("other thread") }.join()
        case "other thread": return .send("follow-up")
        default: break
        }
        return .none
      })
    created.write(store)
    store.dispatch("first")
    let third = hasThird ? ["third"] : []
    #expect(events.entries == ["first", "second"] + third + ["other thread", "follow-up", "settled"])
    created.clear()
  }

  @Test(.conformance(55)) func reducedReturnsForASenderThatIsStoppedOrHasNoStore() async {
    await Send<Action> { _, _ in }.reduced()
    let kept = Journal<Send<Action>>()
    let store = Store<Action, [Int]>(
      initialState: [], reducer: .identity, middleware: Middleware { _, _, _ in .run { kept.write($0) } })
    await store.dispatch(.go).finish()
    let installed = store.install(
      Feature(middleware: Middleware { action, _, _ in action == .value(1) ? .run { kept.write($0) } : .none }))
    await store.dispatch(.value(1)).finish()
    installed.remove()
    for send in kept.entries { await send.reduced() }
    #expect(kept.count == 3)
  }
}
