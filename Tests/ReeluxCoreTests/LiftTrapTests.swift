import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Section N: lifts and prisms have no silent traps.
@Suite(.timeLimit(.minutes(15))) struct LiftTrapTests {
  // MARK: Descriptions

  /// An action whose description uses a prism.
  enum Described: Sendable, CustomStringConvertible {
    case one(Int), two
    static let one = Prism(case: Described.one) { if case .one(let it) = $0 { it } else { nil } }

    var description: String { Self.one.extract(self).map { "one \($0)" } ?? "two" }
  }

  @Test(.conformance(102)) func aDescriptionMayUseAPrismOfItsAction() {
    let store = Store<Described, Int>(
      initialState: 0,
      reducer: Reducer { (number: Int, sum) in sum += number }.lift(action: Described.one, state: \.self))
    store.dispatch(.two)
    store.dispatch(.one(3))
    #expect(store.state == 3)
  }

  // MARK: Features

  struct Item: Sendable, Identifiable, Equatable {
    let id: Int
    var name = "a"
    var log: [String] = []
  }
  struct All: Sendable, Equatable {
    var item = Item(id: 0)
    var list = [Item(id: 1, name: "x"), Item(id: 2, name: "y")]
    var table = ["k": Item(id: 3)]
    var optional: Item? = Item(id: 4)
  }
  enum Command: Sendable, Equatable { case go, answer(String), secret }
  enum Whole: Sendable {
    case part(Command), byID(ElementAction<Int, Command>), byName(ElementAction<String, Command>)
  }
  static let part = Prism(case: Whole.part) { if case .part(let it) = $0 { it } else { nil } }
  static let byID = Prism(case: Whole.byID) { if case .byID(let it) = $0 { it } else { nil } }
  static let byName = Prism(case: Whole.byName) { if case .byName(let it) = $0 { it } else { nil } }

  /// A feature that uses all three parts: it responds to `go` and replaces `secret`.
  static let feature = Feature<Command, Item>(
    reducer: Reducer { action, item in item.log.append("\(action)") },
    middleware: Middleware { action, _, state in action == .go ? .send(.answer("\(state().id)")) : .none },
    interceptor: Interceptor { action, _, _ in action == .secret ? .replace(.answer("hidden")) : .pass })

  @Test(.conformance(99)) func aFeatureHasEveryLiftOfAReducer() {
    /// Sends `go` and `secret` through a lift, and returns the logs of the elements that they reached.
    func logs(
      _ lifted: Feature<Whole, All>, _ send: (Command) -> Whole, _ log: (All) -> [String]
    ) -> [String] {
      let store = Store(initialState: All(), feature: lifted)
      store.dispatch(send(.go))
      store.dispatch(send(.secret))
      return log(store.state)
    }
    let feature = Self.feature
    let byID = { (id: Int) in { (it: Command) in Whole.byID(ElementAction(id, it)) } }
    let byName = { (id: String) in { (it: Command) in Whole.byName(ElementAction(id, it)) } }
    func expected(_ id: Int) -> [String] { ["go", "answer(\"\(id)\")", "answer(\"hidden\")"] }
    #expect(logs(feature.lift(action: Self.part, state: \.item), Whole.part) { $0.item.log } == expected(0))
    #expect(
      logs(feature.lift(action: Self.part, get: { $0.item }, set: { $0.item = $1 }), Whole.part) { $0.item.log }
        == expected(0))
    #expect(
      logs(feature.lift(action: Self.part, optional: \.optional), Whole.part) { $0.optional?.log ?? [] } == expected(4))
    #expect(logs(feature.lift(action: Self.byID, element: .byID(\.list)), byID(2)) { $0.list[1].log } == expected(2))
    #expect(
      logs(feature.lift(action: Self.byName, element: .byID(\.list, \.name)), byName("x")) { $0.list[0].log }
        == expected(1))
    #expect(logs(feature.lift(action: Self.byID, element: .byIndex(\.list)), byID(1)) { $0.list[1].log } == expected(2))
    #expect(
      logs(feature.lift(action: Self.byName, element: .byKey(\.table)), byName("k")) { $0.table["k"]?.log ?? [] }
        == expected(3))
    // Each element responds, and each response reaches each element.
    #expect(
      logs(feature.lift(action: Self.part, each: \.list), Whole.part) { $0.list[0].log }
        == ["go", "answer(\"1\")", "answer(\"2\")", "answer(\"hidden\")"])
  }

  @Test(.conformance(99)) func anAbsentElementIsAskedNothing() {
    let asked = Journal<Command>()
    let feature = Feature<Command, Item>(
      middleware: Middleware { action, _, _ in
        asked.write(action)
        return .none
      },
      interceptor: Interceptor { action, _, _ in
        asked.write(action)
        return .drop
      })
    let store = Store(
      initialState: All(),
      feature: Feature {
        feature.lift(action: Self.byID, element: .byID(\.list))
        feature.lift(action: Self.byName, element: .byKey(\.table))
      })
    store.dispatch(.byID(ElementAction(99, .go)))
    store.dispatch(.byName(ElementAction("?", .go)))
    #expect(asked.entries == [])
  }

  // MARK: Acceptance

  enum AppAction: Sendable { case rename(String), reset, child(Int) }
  struct AppState: Sendable, Equatable {
    var name = ""
    var resets = 0
    var count = 0
  }

  @Test(.conformance(101)) func theReducerOfACaseAcceptsThatCaseOnly() {
    let app = Feature<AppAction, AppState> {
      Reducer(.rename) { name, state in state.name = name }
      Reducer(.reset) { state in state.resets += 1 }
      Reducer<Int, Int> { $1 += $0 }.lift(action: .child, state: \.count)
    }
    let store = Store(initialState: AppState(), feature: app)
    let names = Journal<String>()
    let subscription = store.select(everyTouch: \.name).subscribe { names.write($0) }
    for _ in 0..<100 { store.dispatch(.child(1)) }
    #expect(names.entries == [""])
    store.dispatch(.rename("Ada"))
    store.dispatch(.reset)
    #expect(store.state == AppState(name: "Ada", resets: 1, count: 100))
    #expect(names.entries == ["", "Ada", "Ada"])
    subscription.cancel()
  }

  // MARK: Prisms

  @Test(.conformance(102), .inDebugBuilds) func aPrismThatMatchesAnotherCaseIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let wrong = Prism(case: Cases.second) { if case .first(let it) = $0 { it } else { nil } }
      let store = Store<Cases, Int>(initialState: 0, reducer: Reducer<Int, Int> { $1 = $0 }.lift(action: wrong))
      store.dispatch(.third)
      store.dispatch(.first(1))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("for .second found its part in .first"), "\(text)")
  }

  @Test(.conformance(102), .inDebugBuilds, arguments: [1, -1])
  func aPrismThatDoesNotFindEveryValueOfItsCaseIsDiagnosed(first: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [first = first as Int] in
      let positive = Prism(case: Cases.first) { if case .first(let it) = $0, it > 0 { it } else { nil } }
      for number in [first, -first] { _ = positive.extract(.first(number)) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("for .first found no part in a value of .first"), "\(text)")
  }

  /// The first action decides which reducers the store calls for its case.
  @Test(.conformance(102), .inDebugBuilds, arguments: [1, -1])
  func aStoreDiagnosesAPrismThatDoesNotFindEveryValueOfItsCase(first: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [first = first as Int] in
      let positive = Prism(case: Cases.first) { if case .first(let it) = $0, it > 0 { it } else { nil } }
      let store = Store<Cases, Int>(initialState: 0, reducer: Reducer(positive) { $1 += $0 })
      for number in [first, -first] { store.dispatch(.first(number)) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("for .first found no part in a value of .first"), "\(text)")
  }

  @Test(.conformance(105), .inDebugBuilds) func aPrismForAValueWithPayloadIsDiagnosed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Prism<Cases, Void>(case: .first(1))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("has a payload. Write a prism for its case"), "\(text)")
  }

  @Test(.conformance(102, 105)) func rightPrismsPass() {
    let first = Prism(case: Cases.first) { if case .first(let it) = $0 { it } else { nil } }
    let third = Prism<Cases, Void>(case: .third)
    let all: [Cases] = [.first(1), .second(2), .third, .fourth, .first(-1)]
    #expect(all.map(first.extract) == [1, nil, nil, nil, -1])
    #expect(all.map { third.extract($0) != nil } == [false, false, true, false, false])
    if case .third = third.embed(()) {} else { Issue.record("It made another case.") }
  }

  // MARK: Common mistakes

  @Test(.conformance(105)) func aBlockOfFeaturesTakesReducersMiddlewaresAndInterceptors() {
    let seen = Journal<String>()
    let store = Store<Int, [Int]>(
      initialState: [],
      feature: Feature {
        Reducer { action, list in list.append(action) }
        Middleware { action, _, _ in
          seen.write("handled \(action)")
          return .none
        }
        Interceptor { action, _, _ in action == 1 ? .replace(2) : .pass }
      })
    store.dispatch(1)
    #expect(store.state == [2])
    #expect(seen.entries == ["handled 2"])
  }

  @Test(.conformance(106)) func aSelectionOfWhatIsPresentIsAProviderLikeAnyOther() async {
    func firstLongName(in provider: some StateProvider<String?>) async -> String? {
      for await name in provider.states where (name ?? "").count > 2 { return name }
      return nil
    }
    let store = Store<String?, String?>(initialState: nil, reducer: Reducer { $1 = $0 })
    let present = store.select(present: \.self)
    let seen = Journal<String?>()
    let lengths = Journal<Int>()
    let ended = Journal<Bool>()
    let subscriptions = [
      present.subscribe(end: { ended.write(true) }) { seen.write($0) },
      present.select { $0?.count ?? 0 }.subscribe { lengths.write($0) },
    ]
    store.dispatch("A")
    store.dispatch(nil)
    store.dispatch("Bea")
    #expect(seen.entries == ["A", "Bea"])
    #expect(lengths.entries == [1, 3])
    #expect(await firstLongName(in: present) == "Bea")
    withExtendedLifetime(subscriptions) {}
  }
}

enum Cases: Sendable { case first(Int), second(Int), third, fourth }

extension Prism<LiftTrapTests.AppAction, String> {
  static let rename = Prism(case: Whole.rename) { if case .rename(let it) = $0 { it } else { nil } }
}
extension Prism<LiftTrapTests.AppAction, Void> { static let reset = Prism(case: .reset) }
extension Prism<LiftTrapTests.AppAction, Int> {
  static let child = Prism(case: Whole.child) { if case .child(let it) = $0 { it } else { nil } }
}
