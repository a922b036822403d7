import ReeluxCore
import ReeluxTestSupport
import Testing

/// A sender that is used after the work of its effect has ended.
@Suite(.timeLimit(.minutes(15))) struct KeptSenderTests {
  enum Local: Sendable { case keep, answer }
  struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    var answers = 0
  }
  struct State: Sendable {
    var rows = [Row(id: 1)]
    var keyed = ["a": Row(id: 1)]
    var sheet: Row? = Row(id: 1)
    var answers = 0
  }
  enum Action: Sendable {
    case row(ElementAction<Int, Local>), keyed(ElementAction<String, Local>), sheet(Local), own(Local)
    case change(@Sendable (inout State) -> Void)
  }
  static let row = Prism(case: Action.row) { if case .row(let it) = $0 { it } else { nil } }
  static let keyed = Prism(case: Action.keyed) { if case .keyed(let it) = $0 { it } else { nil } }
  static let sheet = Prism(case: Action.sheet) { if case .sheet(let it) = $0 { it } else { nil } }
  static let own = Prism(case: Action.own) { if case .own(let it) = $0 { it } else { nil } }
  static let change = Prism(case: Action.change) { if case .change(let it) = $0 { it } else { nil } }

  enum Work: CaseIterable, Sendable { case task, afterReducer }
  enum Part: CaseIterable, Sendable { case element, value, optional }

  /// Keeps the sender of an effect of this kind.
  struct Keeper: Sendable {
    let work: Work
    let kept = Journal<Send<Local>>()

    var middleware: Middleware<Local, Local, Row> {
      Middleware { [work, kept] action, _, _ in
        guard action == .keep else { return .none }
        return switch work {
        case .task: .run { kept.write($0) }
        case .afterReducer: .afterReducer { kept.write($0) }
        }
      }
    }

    var feature: Feature<Local, Row> {
      Feature(
        reducer: Reducer { action, row in if action == .answer { row.answers += 1 } }, middleware: middleware)
    }
  }

  private static func store(_ keeper: Keeper, runawayGuard: RunawayGuard<Action>? = nil) -> Store<Action, State> {
    Store(
      initialState: State(),
      feature: Feature {
        keeper.feature.lift(action: row, element: .byID(\State.rows))
        keeper.feature.lift(action: keyed, element: .byKey(\State.keyed))
        keeper.feature.lift(action: sheet, optional: \State.sheet)
        Reducer(change) { change, state in change(&state) }
        Reducer(own) { local, state in if local == .answer { state.answers += 1 } }
      },
      runawayGuard: runawayGuard)
  }

  @Test(.conformance(88), arguments: Work.allCases, Part.allCases)
  func sendsNothingToANewPartInThePlaceOfItsOwn(work: Work, part: Part) async throws {
    let keeper = Keeper(work: work)
    let store = Self.store(keeper)
    let action: Action =
      switch part {
      case .element: .row(ElementAction(1, .keep))
      case .value: .keyed(ElementAction("a", .keep))
      case .optional: .sheet(.keep)
      }
    let answers = { @Sendable () -> [Int?] in
      [store.state.rows.first?.answers, store.state.keyed["a"]?.answers, store.state.sheet?.answers]
    }
    await store.dispatch(action).finish()
    let send = try #require(keeper.kept.entries.first)
    send(.answer)
    #expect(answers().compactMap { $0 }.reduce(0, +) == 1)
    #expect(!send.isStopped)

    store.dispatch(
      .change {
        $0.rows = []
        $0.keyed = [:]
        $0.sheet = nil
      })
    store.dispatch(
      .change {
        $0.rows = [Row(id: 1)]
        $0.keyed = ["a": Row(id: 1)]
        $0.sheet = Row(id: 1)
      })
    send(.answer)
    #expect(answers() == [0, 0, 0])
    #expect(send.isStopped)
  }

  @Test(.conformance(88), arguments: Work.allCases)
  func anActionInTheQueueIsDroppedIfItsPartEndsBeforeIt(work: Work) async throws {
    let keeper = Keeper(work: work)
    let store = Self.store(keeper)
    await store.dispatch(.row(ElementAction(1, .keep))).finish()
    let send = try #require(keeper.kept.entries.first)
    // The observer runs before the part ends. The new row is added before the action of the old one.
    let subscription = store.subscribe { state in
      guard state.rows.isEmpty else { return }
      store.dispatch(.change { $0.rows = [Row(id: 1)] })
      send(.answer)
    }
    store.dispatch(.change { $0.rows = [] })
    #expect(store.state.rows == [Row(id: 1)])
    subscription.cancel()
  }

  @Test(.conformance(63), arguments: Work.allCases, [false, true])
  func sendsNothingAfterTheFeatureWasRemoved(work: Work, ofAnElement: Bool) async throws {
    let keeper = Keeper(work: work)
    let store = Self.store(Keeper(work: work))
    let feature = Feature(middleware: keeper.middleware)
    let installed = store.install(
      ofAnElement
        ? feature.lift(action: Self.row, element: .byID(\State.rows))
        : Feature(middleware: keeper.middleware.lift(input: Self.own.extract, output: Self.own.embed) { $0.rows[0] }))
    let answers = { @Sendable () -> Int in store.state.answers + store.state.rows[0].answers }
    await store.dispatch(ofAnElement ? .row(ElementAction(1, .keep)) : .own(.keep)).finish()
    let send = try #require(keeper.kept.entries.first)
    send(.answer)
    #expect(answers() == 1)
    installed.remove()
    send(.answer)
    #expect(answers() == 1)
    #expect(send.isStopped)
  }

  @Test(.conformance(63), arguments: [1, 0])
  func aFollowUpActionInTheQueueIsDroppedWithTheFeature(limit: Int) {
    let reported = Journal<Int>()
    let store = Self.store(
      Keeper(work: .task), runawayGuard: RunawayGuard(limit: limit) { _ in reported.write(1) })
    let answering = Middleware<Action, Action, State> { action, _, _ in
      if case .change = action { .send(.own(.answer)) } else { .none }
    }
    let installed = store.install(Feature(middleware: answering))
    store.dispatch(.change { $0.sheet = nil })
    #expect(store.state.answers == limit)
    #expect(reported.count == 1 - limit)
    // The observer runs before the effects of the action, so the feature is removed before the follow-up action.
    let subscription = store.subscribe { state in
      if state.rows.isEmpty { installed.remove() }
    }
    store.dispatch(.change { $0.rows = [] })
    #expect(store.state.answers == limit)
    #expect(reported.count == 1 - limit)
    subscription.cancel()
  }
}
