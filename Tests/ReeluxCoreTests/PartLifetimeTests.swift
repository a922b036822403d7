import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Section M: effects end with the part of the state that they belong to.
@Suite(.timeLimit(.minutes(15))) struct PartLifetimeTests {
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

  /// The behaviour of the parts. `load` sends its action when the door opens, even if its task was cancelled.
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

  /// A kind of part: its `load` and `tick`, the actions that remove and add it, and its responses.
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
    // The effects of the new part work.
    await store.dispatch(kind.send(.load)).finish()
    #expect(kind.answers(store.state) == ["old"])
  }

  @Test(.conformance(88), arguments: kinds)
  func theTimerOfARemovedPartStops(kind: Kind) async {
    let parts = Parts()
    let store = parts.store()
    let timer = store.dispatch(kind.send(.tick))
    store.dispatch(.change(kind.remove))
    // It returns although the clock never advances.
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
    // The element's own action removes the element, so its middleware's response is too late.
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
    // The removal and the return of the row wait in the queue before the row's follow-up action.
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
    let place = PartReference(id: EffectID(1)) {
      looks.write(1)
      return true
    }
    var table = PartTable()
    #expect(table.isEmpty)
    let rows = StateSpan(lower: 0, upper: 8)
    var part: EffectOwner? = table.part(at: place, in: EffectOwner(span: rows))
    #expect(looks.count == 1)
    // The part is not touched, so it is not checked.
    _ = table.takeRemoved { $0.overlaps(StateSpan(lower: 8, upper: 16)) }
    #expect(looks.count == 1)
    _ = table.takeRemoved { $0.overlaps(rows) }
    #expect(looks.count == 2)
    #expect(!table.isEmpty)
    // The last effect of the part has been released, and with it the part.
    withExtendedLifetime(part) {}
    part = nil
    #expect(table.takeRemoved { _ in true }.isEmpty)
    #expect(looks.count == 2)
    #expect(table.isEmpty)
  }

  @Test(.conformance(89)) func theStoreForgetsAPartWithItsLastEffect() async {
    let parts = Parts()
    let store = parts.store()
    let load = store.dispatch(.row(ElementAction(1, .load)))
    #expect(!store.core.memory.value.parts.isEmpty)
    parts.door.open()
    await load.finish()
    await store.settle()
    store.dispatch(.change { $0.rows.append(Row(id: 3)) })
    #expect(store.core.memory.value.parts.isEmpty)
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

  @Test(.conformance(90)) func aDetachedEffectOfARemovedPartReadsItAsItWasWhenTheEffectBegan() async {
    let door = Door()
    let read = Journal<[String]>()
    let feature = Feature<Local, Row>(
      reducer: Reducer { action, row in row.answers.append("\(action)") },
      middleware: Middleware { action, _, state in
        .run { _ in
          await door.pass()
          read.write(state().answers)
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
    door.open()
    await store.settle()
    #expect(read.entries == [["load"]])
  }

  @Test(.conformance(88)) func aKeptGetterOfAnElementStaysThatElements() {
    let getters = Journal<GetState<Row>>()
    let feature = Feature<Local, Row>(
      reducer: Reducer { action, row in row.answers.append("\(action)") },
      middleware: Middleware { action, _, state in
        if action == .load { getters.write(state) }
        return .none
      })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    for id in [1, 2, 1] {
      store.dispatch(.row(ElementAction(id, .tick)))
      store.dispatch(.row(ElementAction(id, .load)))
      store.dispatch(.row(ElementAction(id, .stop)))
    }
    #expect(getters.entries.map { $0().id } == [1, 2, 1])
    store.dispatch(.change { $0.rows = [Row(id: 1)] })
    // The removed element as it was when the action was handled.
    #expect(getters.entries.map { $0().answers } == [[], ["tick"], []])
  }
}
