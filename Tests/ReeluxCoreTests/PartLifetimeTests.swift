import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Section M: effects end with the part of the state that they belong to.
@Suite(.timeLimit(.minutes(5))) struct PartLifetimeTests {
  enum Local: Sendable, Equatable {
    case load, tick, stop, answer(String)
  }
  struct Row: Sendable, Identifiable, Equatable {
    var id: Int
    var answers: [String] = []
  }
  struct State: Sendable {
    var rows = [Row(id: 1), Row(id: 2)]
    var keyed = ["a": Row(id: 1)]
    var sheet: Row? = Row(id: 7)
    var other = 0
  }
  enum Action: Sendable {
    case row(ElementAction<Int, Local>), keyed(ElementAction<String, Local>), sheet(Local)
    case change(@Sendable (inout State) -> Void)
    case other
  }
  static let row = Prism(case: Action.row) { if case .row(let it) = $0 { it } else { nil } }
  static let keyed = Prism(case: Action.keyed) { if case .keyed(let it) = $0 { it } else { nil } }
  static let sheet = Prism(case: Action.sheet) { if case .sheet(let it) = $0 { it } else { nil } }

  /// What the parts do: `load` answers after the door, whatever happens to its task meanwhile.
  struct Parts: Sendable {
    let door = Door()
    let clock = TestClock()
    let cancelled = Journal<Bool>()

    func effect(_ action: Local) -> Effect<Local> {
      switch action {
      case .load:
        .run { send in
          await door.pass()
          cancelled.write(Task.isCancelled)
          send(.answer("old"))
        }.cancellable(id: "load")
      case .tick: .timer(id: "tick", every: .seconds(1), clock: clock) { .answer("tick") }
      case .stop: .cancel(id: "load")
      case .answer: .none
      }
    }

    var feature: Feature<Local, Row> {
      Feature(
        reducer: Reducer { action, row in if case .answer(let text) = action { row.answers.append(text) } },
        middleware: Middleware { action, _, _ in effect(action) })
    }

    /// The feature with a part of each kind.
    var whole: Feature<Action, State> {
      Feature {
        feature.lift(action: PartLifetimeTests.row, element: .byID(\State.rows))
        feature.lift(action: PartLifetimeTests.keyed, element: .byKey(\State.keyed))
        feature.lift(action: PartLifetimeTests.sheet, optional: \State.sheet)
        Feature(
          reducer: Reducer { action, state in
            switch action {
            case .change(let change): change(&state)
            case .other: state.other += 1
            default: break
            }
          })
      }
    }

    /// Parts that their parent can cancel.
    var list: Feature<Parent, State> {
      let inner = Prism(case: Parent.part) { if case .part(let it) = $0 { it } else { nil } }
      return Feature<Parent, State> {
        feature.lift(action: inner.appending(PartLifetimeTests.row), element: .byID(\State.rows))
        feature.lift(action: inner.appending(PartLifetimeTests.sheet), optional: \State.sheet)
        Middleware { action, _, _ in
          switch action {
          case .part, .cancelAll: .none
          case .cancelRows: .cancel(everythingIn: \State.rows)
          case .cancelRow(let id): .cancel(everythingIn: \State.rows, element: id)
          case .cancelSheet: .cancel(everythingIn: \State.sheet)
          }
        }
      }
    }

    func store() -> Store<Action, State> {
      Store(initialState: State(), feature: whole)
    }
  }

  /// A part of each kind: its `load` and `tick`, what removes it and what puts it there again, and its answers.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let send: @Sendable (Local) -> Action
    let remove: @Sendable (inout State) -> Void
    let restore: @Sendable (inout State) -> Void
    let answers: @Sendable (State) -> [String]
  }
  static let kinds = [
    Kind(
      testDescription: "element", send: { .row(ElementAction(1, $0)) },
      remove: { $0.rows.removeAll { $0.id == 1 } }, restore: { $0.rows.append(Row(id: 1)) },
      answers: { $0.rows.first { $0.id == 1 }?.answers ?? [] }),
    Kind(
      testDescription: "key", send: { .keyed(ElementAction("a", $0)) },
      remove: { $0.keyed["a"] = nil }, restore: { $0.keyed["a"] = Row(id: 9) },
      answers: { $0.keyed["a"]?.answers ?? [] }),
    Kind(
      testDescription: "optional", send: { .sheet($0) },
      remove: { $0.sheet = nil }, restore: { $0.sheet = Row(id: 8) },
      answers: { $0.sheet?.answers ?? [] }),
  ]

  @Test(.conformance(88), arguments: kinds)
  func theAnswerOfARemovedPartNeverReachesItsSuccessor(kind: Kind) async {
    let parts = Parts()
    let store = parts.store()
    let load = store.dispatch(kind.send(.load))
    store.dispatch(.change(kind.remove))
    #expect(store.effects.running.isEmpty)
    store.dispatch(.change(kind.restore))
    await load.finish()
    parts.door.open()
    await store.settle()
    #expect(kind.answers(store.state) == [])
    // The new part's own effects work.
    await store.dispatch(kind.send(.load)).finish()
    #expect(kind.answers(store.state) == ["old"])
  }

  @Test(.conformance(88), arguments: kinds)
  func theTimerOfARemovedPartStops(kind: Kind) async {
    let parts = Parts()
    let store = parts.store()
    let timer = store.dispatch(kind.send(.tick))
    store.dispatch(.change(kind.remove))
    // It returns although the clock never moves.
    await timer.finish()
    #expect(store.effects.running.isEmpty)
  }

  @Test(.conformance(88)) func movedOrReplacedWithinOneActionItKeepsItsEffects() async {
    let parts = Parts()
    let store = parts.store()
    store.dispatch(.row(ElementAction(1, .load)))
    store.dispatch(.change { $0.rows.reverse() })
    store.dispatch(.change { $0.rows = [Row(id: 3), Row(id: 1, answers: ["kept"])] })
    #expect(store.effects.running.count == 1)
    parts.door.open()
    await store.settle()
    #expect(store.state.rows.last?.answers == ["kept", "old"])
  }

  @Test(.conformance(88)) func otherPartsAreNotTouched() async {
    let parts = Parts()
    let store = parts.store()
    store.dispatch(.row(ElementAction(1, .load)))
    store.dispatch(.row(ElementAction(2, .load)))
    store.dispatch(.sheet(.load))
    store.dispatch(.change { $0.rows.removeFirst() })
    #expect(store.effects.running.count == 2)
    parts.door.open()
    await store.settle()
    #expect(store.state.rows.map(\.answers) == [["old"]])
    #expect(store.state.sheet?.answers == ["old"])
  }

  @Test(.conformance(88)) func anEffectOfTheActionThatRemovesThePartDoesNotStart() async {
    // The element's own action removes the element: what its middleware answered to it comes too late.
    let started = Journal<Int>()
    let feature = Feature<Local, Row>(
      middleware: Middleware { _, _, _ in .fireAndForget { started.write(1) } <> .send(.answer("late")) })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Feature(
          reducer: Reducer { action, state in if case .row(let it) = action { state.rows.removeAll { $0.id == it.id } }
          })
      })
    store.dispatch(.row(ElementAction(1, .load)))
    await store.settle()
    #expect(started.entries == [])
    #expect(store.state.rows.map(\.id) == [2])
  }

  @Test(.conformance(88)) func aQueuedFollowUpOfARemovedPartIsDropped() {
    // The removal and the return of the row wait in the queue before the row's follow-up.
    let feature = Feature<Local, Row>(
      reducer: Reducer { action, row in if case .answer(let text) = action { row.answers.append(text) } },
      middleware: Middleware { action, _, _ in action == .load ? .send(.answer("old")) : .none })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    let subscription = store.select(\.other).subscribe { value in
      guard value == 1 else { return }
      store.dispatch(.row(ElementAction(1, .load)))
      store.dispatch(.change { $0.rows.removeAll { $0.id == 1 } })
      store.dispatch(.change { $0.rows.append(Row(id: 1)) })
    }
    store.dispatch(.change { $0.other = 1 })
    #expect(store.state.rows == [Row(id: 2), Row(id: 1)])
    subscription.cancel()
  }

  @Test(.conformance(88)) func theEffectsOfANestedPartEndWithTheOuterPart() async {
    struct List: Sendable, Identifiable { var id: String; var rows = [Row(id: 1)] }
    enum ListAction: Sendable { case row(ElementAction<Int, Local>) }
    enum RootAction: Sendable { case list(ElementAction<String, ListAction>), set([List]?) }
    let row = Prism(case: ListAction.row) { if case .row(let it) = $0 { it } else { nil } }
    let list = Prism(case: RootAction.list) { if case .list(let it) = $0 { it } else { nil } }
    let parts = Parts()
    let lists = parts.feature.lift(action: row, element: .byID(\List.rows))
    struct Lists: Sendable { var all: [List] }
    let store = Store(
      initialState: Lists(all: [List(id: "a"), List(id: "b")]),
      feature: Feature {
        lists.lift(action: list, element: .byID(\Lists.all))
        Feature(reducer: Reducer { action, state in if case .set(let all) = action { state.all = all ?? [] } })
      })
    for id in ["a", "b"] { store.dispatch(.list(ElementAction(id, .row(ElementAction(1, .load))))) }
    #expect(store.effects.running.count == 2)
    store.dispatch(.set([List(id: "b")]))
    #expect(store.effects.running.count == 1)
    store.dispatch(.set([List(id: "b"), List(id: "a")]))
    parts.door.open()
    await store.settle()
    #expect(store.state.all.map { $0.rows[0].answers } == [["old"], []])
  }

  @Test(.conformance(88)) func aThrottledOrDebouncedEffectOfARemovedPartNeverBegins() async {
    let clock = TestClock()
    let began = Journal<Local>()
    let feature = Feature<Local, Row>(
      middleware: Middleware { action, _, _ in
        let effect = Effect<Local>.fireAndForget { began.write(action) }
        return action == .load
          ? effect.throttle(id: "t", for: .seconds(1), clock: clock)
          : effect.debounce(id: "d", for: .seconds(1), clock: clock)
      })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.sheet, optional: \State.sheet)
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    await store.dispatch(.sheet(.load)).finish()
    let waiting = store.dispatch(.sheet(.load))
    let debounced = store.dispatch(.sheet(.tick))
    store.dispatch(.change { $0.sheet = nil })
    for task in [waiting, debounced] { await task.finish() }
    #expect(began.entries == [.load])
  }

  @Test(.conformance(88)) func aFeedOfARemovedElementClosesAndANewOneOpens() async {
    struct Feeding: FeedingMiddleware {
      let opened: Journal<Int>
      func handle(action: Local, from source: ActionSource, state: GetState<Row>) -> Effect<Local> { .none }
      func feeds(for state: Row) -> [Feed<Local>] {
        [Feed(key: "feed") { _ in opened.write(state.id) }]
      }
    }
    let opened = Journal<Int>()
    let store = Store(
      initialState: State(),
      feature: Feature {
        Feature(middleware: Middleware(Feeding(opened: opened))).lift(action: Self.row, element: .byID(\State.rows))
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    store.dispatch(.change { $0.rows = [] })
    #expect(store.effects.running.isEmpty)
    store.dispatch(.change { $0.rows = [Row(id: 5)] })
    await store.settle()
  }

  // MARK: What it costs

  @Test(.conformance(89)) func nothingIsLookedAtWhileNoEffectOfAPartRunsOrTheCollectionIsNotTouched() async {
    let looks = Journal<Int>()
    let place = PartPlace(id: EffectID(1)) {
      looks.write(1)
      return true
    }
    var table = PartTable()
    #expect(table.isEmpty)
    let rows = StateSpan(lower: 0, upper: 8)
    var part = table.part(at: [place], owner: 0, span: rows)
    #expect(looks.count == 1)
    // Not touched: not looked at.
    _ = table.takeGone { $0.overlaps(StateSpan(lower: 8, upper: 16)) }
    #expect(looks.count == 1)
    _ = table.takeGone { $0.overlaps(rows) }
    #expect(looks.count == 2)
    #expect(!table.isEmpty)
    // The last effect of the part is gone, and with it the part.
    withExtendedLifetime(part) {}
    part = nil
    #expect(table.takeGone { _ in true }.isEmpty)
    #expect(looks.count == 2)
    #expect(table.isEmpty)
  }

  @Test(.conformance(89)) func theStoreForgetsAPartWithItsLastEffect() async {
    let parts = Parts()
    let store = parts.store()
    let load = store.dispatch(.row(ElementAction(1, .load)))
    #expect(!store.core.memory.pointee.parts.isEmpty)
    parts.door.open()
    await load.finish()
    await store.settle()
    store.dispatch(.change { $0.rows.append(Row(id: 3)) })
    #expect(store.core.memory.pointee.parts.isEmpty)
  }

  // MARK: Detached

  @Test(.conformance(90)) func aDetachedEffectOutlivesItsPart() async {
    let door = Door()
    let saved = Journal<String>()
    let feature = Feature<Local, Row>(
      middleware: Middleware { action, _, state in
        .run { _ in
          await door.pass()
          saved.write(Task.isCancelled ? "cancelled" : "saved")
        }.detached()
      })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.sheet, optional: \State.sheet)
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    store.dispatch(.sheet(.load))
    store.dispatch(.change { $0.sheet = nil })
    #expect(store.effects.running.count == 1)
    door.open()
    await store.settle()
    #expect(saved.entries == ["saved"])
  }

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
        list.lift(case: AppAction.part, state: \App.part) { if case .part(let it) = $0 { it } else { nil } }
        list.lift(case: AppAction.other, state: \App.other) { if case .other(let it) = $0 { it } else { nil } }
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
