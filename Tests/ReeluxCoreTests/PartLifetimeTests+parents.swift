import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Parts that their parent cancels, and parts of a child store.
extension PartLifetimeTests {
  // MARK: Cancelled by the parent

  enum Parent: Sendable { case part(Action), cancelRows, cancelRow(Int), cancelSheet, cancelAll }
  struct App: Sendable {
    var part = State()
    var other = State()
  }
  enum AppAction: Sendable { case part(Parent), other(Parent) }

  @Test(.conformance(90)) func aParentCancelsWhatItsPartsRunWithoutTheirIDs() async {
    let parts = Parts()
    let list = parts.list
    let store = Store(
      initialState: App(),
      feature: Feature<AppAction, App> {
        list.lift(
          action: Prism(case: AppAction.part) { if case .part(let it) = $0 { it } else { nil } }, state: \App.part)
        list.lift(
          action: Prism(case: AppAction.other) { if case .other(let it) = $0 { it } else { nil } }, state: \App.other)
        Middleware { action, _, _ in
          if case .part(.cancelAll) = action { .cancel(everythingIn: \App.part) } else { .none }
        }
      })
    func start() {
      for send in [AppAction.part, AppAction.other] {
        store.dispatch(send(.part(.row(ElementAction(1, .load)))))
        store.dispatch(send(.part(.row(ElementAction(2, .load)))))
        store.dispatch(send(.part(.sheet(.load))))
      }
    }
    func running(after action: Parent) -> Int {
      start()
      store.dispatch(.part(action))
      let count = store.effects.running.count
      for rest in [Parent.cancelRows, .cancelSheet] {
        store.dispatch(.part(rest))
        store.dispatch(.other(rest))
      }
      return count
    }
    #expect(running(after: .cancelRow(1)) == 5)
    #expect(running(after: .cancelRow(9)) == 6)
    #expect(running(after: .cancelRows) == 4)
    #expect(running(after: .cancelSheet) == 5)
    #expect(running(after: .cancelAll) == 3)
    #expect(store.effects.running.isEmpty)
    parts.door.open()
  }

  @Test(.conformance(90), arguments: [false, true])
  func theThrottleOfAPartThatEndsAtOnceIsRemoved(byItsParent: Bool) {
    let inner = Prism(case: Parent.part) { if case .part(let it) = $0 { it } else { nil } }
    let row = Feature<Local, Row>(
      middleware: Middleware { _, _, _ in .fireAndForget {}.throttle(id: "t", for: .seconds(1), clock: TestClock()) })
    let store = Store(
      initialState: State(),
      feature: Feature {
        Feature<Parent, State>(
          reducer: Reducer { action, state in if case .cancelRows = action { state.rows = [] } },
          middleware: Middleware { action, _, _ in
            if case .part = action, byItsParent { .cancel(everythingIn: \State.rows) } else { .none }
          })
        row.lift(action: inner.appending(PartLifetimeTests.row), element: .byID(\State.rows))
      })
    store.dispatch(.part(.row(ElementAction(1, .load))))
    if !byItsParent {
      #expect(!store.isWithoutRuns)
      store.dispatch(.cancelRows)
    }
    #expect(store.isWithoutRuns)
  }

  @Test(.conformance(91)) func aDetachedEffectThatWaitsForAnIntervalOfARemovedPartEnds() async {
    let clock = TestClock()
    let feature = Feature<Local, Row>(
      middleware: Middleware { action, _, _ in
        let effect = Effect<Local>.fireAndForget {}.throttle(id: "t", for: .seconds(1), clock: clock)
        return action == .load ? effect : effect.detached()
      })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.sheet, optional: \State.sheet)
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    await store.dispatch(.sheet(.load)).finish()
    let waiting = store.dispatch(.sheet(.tick))
    #expect(!waiting.isFinished)
    store.dispatch(.change { $0.sheet = nil })
    await waiting.finish()
    #expect(store.isWithoutRuns)
  }

  // MARK: In a child store

  @Test(.conformance(88)) func effectsOfAChildStoresPartEndWithIt() async {
    let parts = Parts()
    let root = Store<Int, Int>(initialState: 0, reducer: .identity)
    let child = root.child(initialState: State(), feature: parts.whole)
    child.dispatch(.row(ElementAction(1, .load)))
    child.dispatch(.row(ElementAction(2, .load)))
    child.dispatch(.sheet(.load))
    child.dispatch(.change { $0.rows.removeFirst() })
    #expect(root.effects.running.count == 2)
    child.dispatch(.change { $0.sheet = nil })
    #expect(root.effects.running.count == 1)
    child.dispatch(.change { $0.rows.append(Row(id: 1)) })
    parts.door.open()
    await root.settle()
    #expect(child.state.local.rows == [Row(id: 2, answers: ["old"]), Row(id: 1)])
  }

  @Test(.conformance(90)) func aChildStoreCancelsWhatItsPartsRunAndNoOtherChilds() async {
    let parts = Parts()
    let root = Store<Int, Int>(initialState: 0, reducer: .identity)
    let child = root.child(initialState: State(), feature: parts.list)
    let sibling = root.child(initialState: State(), feature: parts.list)
    for store in [child, sibling] {
      store.dispatch(.part(.row(ElementAction(1, .load))))
      store.dispatch(.part(.row(ElementAction(2, .load))))
      store.dispatch(.part(.sheet(.load)))
    }
    #expect(root.effects.running.count == 6)
    child.dispatch(.cancelRow(1))
    #expect(root.effects.running.count == 5)
    child.dispatch(.cancelRows)
    #expect(root.effects.running.count == 4)
    child.dispatch(.cancelSheet)
    #expect(root.effects.running.count == 3)
    parts.door.open()
    await root.settle()
    #expect(child.state.local.rows.allSatisfy { $0.answers.isEmpty })
    #expect(sibling.state.local.rows.allSatisfy { $0.answers == ["old"] })
  }
}
