@testable import ReeluxCore
import ReeluxTestSupport
import Testing

/// Section E: middlewares, interceptors and readers.
@Suite(.timeLimit(.minutes(15))) struct MiddlewareTests {
  enum Action: Sendable, Equatable, Hashable {
    case part(Int)
    case other(Int)
  }
  struct State: Sendable, Equatable {
    var part = 10
    var other = 0
  }
  static let part = Prism(case: Action.part) { if case .part(let it) = $0 { it } else { nil } }

  /// A middleware that records its name in `handle`, after the reducers, and with an action.
  static func named(_ name: Int, _ journal: Journal<String>) -> Middleware<Int, Int, Int> {
    Middleware { action, _, _ in
      journal.write("handle \(name)")
      return .afterReducer { _ in journal.write("after \(name)") } <> (action == 0 ? .send(name) : .none)
    }
  }

  /// Everything that can be observed of a middleware in a store.
  static func observed(_ middleware: Middleware<Int, Int, Int>, _ journal: Journal<String>) -> [String] {
    journal.clear()
    let store = Store(
      initialState: 0, reducer: Reducer<Int, Int> { action, _ in journal.write("reduce \(action)") },
      middleware: middleware)
    store.dispatch(0)
    return journal.entries
  }

  @Test(.conformance(42), arguments: 0..<50) func identityAndAssociativityHoldForWhatIsObserved(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let journal = Journal<String>()
    func generated(_ base: Int) -> Middleware<Int, Int, Int> {
      (0..<Int.random(in: 0...3, using: &generator)).map { Self.named(base + $0, journal) }.joined()
    }
    let a = generated(10)
    let b = generated(20)
    let c = generated(30)
    let plain = Self.observed(a, journal)
    #expect(Self.observed(.identity <> a, journal) == plain)
    #expect(Self.observed(a <> .identity, journal) == plain)
    let left = Self.observed((a <> b) <> c, journal)
    #expect(left == Self.observed(a <> (b <> c), journal))
    #expect(
      left
        == Self.observed(
          .compose {
            a
            b
            c
          }, journal))
    // Lifting by identities changes nothing observable.
    #expect(left == Self.observed((a <> b <> c).lift(action: .identity, state: \.self), journal))
    let wrapped = Middleware(Wrapper(inner: a <> b))
    #expect(Set(Self.observed(wrapped, journal)) == Set(Self.observed(a <> b, journal)))
  }

  /// A middleware that contains another one and is called as a whole.
  struct Wrapper: MiddlewareProtocol {
    let inner: Middleware<Int, Int, Int>
    func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
      inner.handle(action: action, from: source, state: state)
    }
  }

  @Test(.conformance(42)) func compositionIsFlatAndDropsIdentities() {
    let one = Middleware<Int, Int, Int> { _, _, _ in .none }
    #expect(((one <> .identity) <> (one <> (one <> .identity))).units.count == 3)
    #expect(Middleware(one <> one).units.count == 2)
    #expect(Middleware<Int, Int, Int>.compose {}.units.isEmpty)
  }

  @Test(.conformance(42, 51)) func twoInstancesOfOneTypeAreKeptApart() async {
    struct Counter: MiddlewareProtocol {
      let name: Int
      let journal: Journal<Int>
      let door: Door
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        guard action == 0 else { return .none }
        // Both use the same id. Neither replaces the effect of the other.
        return .run { send in
          await door.pass()
          send(name)
        }.cancellable(id: "same", cancelInFlight: true)
      }
    }
    let journal = Journal<Int>()
    let door = Door()
    let store = Store(
      initialState: 0, reducer: Reducer<Int, Int> { action, _ in journal.write(action) },
      middleware: Middleware(Counter(name: 1, journal: journal, door: door))
        <> Middleware(Counter(name: 2, journal: journal, door: door)))
    let task = store.dispatch(0)
    door.open()
    await task.finish()
    #expect(journal.entries.sorted() == [0, 1, 2])
  }

  // MARK: Lifts

  @Test(.conformance(43), arguments: 0..<7) func eachSubsetOfInputOutputAndStateIsLifted(subset: Int) {
    // The input is lifted from `Action.part`, the output to `.other`, and the state to the part.
    let seen = Journal<String>()
    func inner<Input: Sendable, Output: Sendable, Local: Sendable>(
      _ output: @escaping @Sendable () -> Output, _ answers: @escaping @Sendable (Input) -> Bool,
      _: Local.Type = Local.self
    ) -> Middleware<Input, Output, Local> {
      Middleware { action, _, state in
        seen.write("\(action) \(state())")
        guard answers(action) else { return .none }
        return .send(output()) <> .afterReducer { _ in seen.write("after \(state())") }
      }
    }
    let isPart = { @Sendable (action: Action) in if case .part = action { true } else { false } }
    let input = Self.part.extract
    let output = { @Sendable (value: Int) in Action.other(value) }
    let state = { @Sendable (state: State) in state.part }
    let middleware: Middleware<Action, Action, State> =
      switch subset {
      case 0: inner({ 7 }, { (_: Int) in true }, Int.self).lift(input: input, output: output, state: state)
      case 1: inner({ 7 }, { (_: Int) in true }, State.self).lift(input: input, output: output, state: { $0 })
      case 2:
        inner({ Action.other(7) }, { (_: Int) in true }, Int.self).lift(input: input, output: { $0 }, state: state)
      case 3: inner({ 7 }, isPart, Int.self).lift(input: { $0 }, output: output, state: state)
      case 4:
        inner({ Action.other(7) }, { (_: Int) in true }, State.self).lift(input: input, output: { $0 }, state: { $0 })
      case 5: inner({ 7 }, isPart, State.self).lift(input: { $0 }, output: output, state: { $0 })
      default: inner({ Action.other(7) }, isPart, Int.self).lift(input: { $0 }, output: { $0 }, state: state)
      }
    let actions = Journal<Action>()
    let store = Store(
      initialState: State(),
      reducer: Reducer<Action, State> { action, state in
        actions.write(action)
        if case .part(let value) = action { state.part += value } else { state.other += 1 }
      }, middleware: middleware)
    store.dispatch(.part(5))
    store.dispatch(.other(1))
    #expect(actions.entries == [.part(5), .other(7), .other(1)])
    let liftsInput = [0, 1, 2, 4].contains(subset)
    let liftsState = [0, 2, 3, 6].contains(subset)
    func text(_ state: State) -> String { liftsState ? "\(state.part)" : "\(state)" }
    let part = liftsInput ? "5" : "\(Action.part(5))"
    var expected = ["\(part) \(text(State()))", "after \(text(State(part: 15)))"]
    if !liftsInput {
      expected += [
        "\(Action.other(7)) \(text(State(part: 15)))", "\(Action.other(1)) \(text(State(part: 15, other: 1)))",
      ]
    }
    #expect(seen.entries == expected)
  }

  @Test(.conformance(43)) func aPrismLiftEmbedsWhatIsSentAndReadsLiveState() async {
    let seen = Journal<String>()
    let inner = Middleware<Int, Int, Int> { action, _, state in
      seen.write("\(action) at \(state())")
      guard action < 3 else { return .none }
      return .task {
        seen.write("task at \(state())")
        return action + 1
      }
    }
    let store = Store(
      initialState: State(),
      reducer: Reducer<Int, Int> { $1 += $0 }.lift(action: Self.part, state: \State.part),
      middleware: inner.lift(action: Self.part, state: \State.part))
    await store.dispatch(.part(1)).finish()
    store.dispatch(.other(1))
    #expect(
      seen.entries == ["1 at 10", "task at 11", "2 at 11", "task at 13", "3 at 13"])
    #expect(store.state.part == 16)
  }

  @Test(.conformance(44)) func neverAndVoidEndsWork() async {
    struct Beginner: MiddlewareProtocol {
      func handle(action: Never, from source: ActionSource, state: GetState<Void>) -> Effect<Int> {}
      func start(state: GetState<Void>) -> Effect<Int> { .send(1) <> .task { 2 } }
    }
    struct Listener: MiddlewareProtocol {
      let heard: Journal<Int>
      func handle(action: Int, from source: ActionSource, state: GetState<Void>) -> Effect<Never> {
        heard.write(action)
        return .fireAndForget {}
      }
    }
    let heard = Journal<Int>()
    let store = Store<Int, Int>(
      initialState: 0, reducer: Reducer { $1 += $0 },
      middleware: Middleware.compose {
        Middleware(Beginner()).ignoringInput(Int.self).ignoringState()
        Middleware(Listener(heard: heard)).withOutput(Int.self).ignoringState()
        Middleware<Int, Never, Int> { _, _, _ in .none }.withOutput()
      })
    await store.settle()
    #expect(heard.entries == [1, 2])
    #expect(store.state == 3)
  }

  @Test(.conformance(44)) func aMiddlewareBeginsWithTheStoreOnceAndReadsTheInitialState() {
    struct Beginner: MiddlewareProtocol {
      let starts: Journal<Int>
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> { .none }
      func start(state: GetState<Int>) -> Effect<Int> {
        starts.write(state())
        return .send(5)
      }
    }
    let starts = Journal<Int>()
    let prism = Prism(case: Action.part) { if case .part(let it) = $0 { it } else { nil } }
    let store = Store(
      initialState: State(),
      reducer: Reducer<Int, Int> { $1 += $0 }.lift(action: prism, state: \State.part),
      middleware: Middleware(Beginner(starts: starts)).lift(action: prism, state: \State.part))
    #expect(starts.entries == [10])
    #expect(store.state.part == 15)
    store.dispatch(.part(1))
    #expect(starts.count == 1)
  }

  // MARK: Kinds

  @Test(.conformance(47)) func aClassAndAClosureComposeAlike() {
    final class Delegate: MiddlewareProtocol {
      let journal: Journal<String>
      init(_ journal: Journal<String>) { self.journal = journal }
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        journal.write("class \(action) \(state())")
        return action == 1 ? .send(2) : .none
      }
    }
    let journal = Journal<String>()
    let delegate = Delegate(journal)
    let closure = Middleware<Int, Int, Int> { action, _, state in
      journal.write("closure \(action) \(state())")
      return .none
    }
    let store = Store(
      initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 },
      middleware: closure <> Middleware(delegate) <> closure)
    store.dispatch(1)
    #expect(
      journal.entries == [
        "closure 1 0", "class 1 0", "closure 1 0", "closure 2 1", "class 2 1", "closure 2 1",
      ])
  }
}
