@testable import ReeluxCore
import ReeluxTestSupport
import Testing

extension MiddlewareTests {
  // MARK: Interceptors

  static func intercepted(
    _ interceptor: Interceptor<Int, Int>, _ actions: Int...
  ) -> (handled: [Int], reduced: [Int]) {
    let handled = Journal<Int>()
    let reduced = Journal<Int>()
    let store = Store(
      initialState: 0,
      feature: Feature(
        reducer: Reducer<Int, Int> { action, state in
          reduced.write(action)
          state += action
        },
        middleware: Middleware { action, _, _ in
          handled.write(action)
          return .none
        }, interceptor: interceptor))
    for action in actions { store.dispatch(action) }
    return (handled.entries, reduced.entries)
  }

  @Test(.conformance(45)) func anInterceptorPassesReplacesDropsOrMultiplies() {
    let interceptor = Interceptor<Int, Int> { action, _, _ in
      switch action {
      case 1: .pass
      case 2: .replace(20)
      case 3: .drop
      default: .multiply([action, action * 10, action * 100])
      }
    }
    let (handled, reduced) = Self.intercepted(interceptor, 1, 2, 3, 4)
    #expect(handled == [1, 20, 4, 40, 400])
    #expect(reduced == handled)
  }

  @Test(.conformance(45)) func theLastRewriteCountsAndEachPassesEachOnce() {
    let visits = Journal<String>()
    func visitor(_ name: String, _ change: @escaping @Sendable (Int) -> Interception<Int>) -> Interceptor<Int, Int> {
      Interceptor { action, _, _ in
        visits.write("\(name) \(action)")
        return change(action)
      }
    }
    let all =
      visitor("a") { .multiply([$0, $0 + 1]) } <> visitor("b") { $0 == 1 ? .replace(5) : .pass }
      <> .identity <> visitor("c") { $0 == 5 ? .replace(6) : .pass }
    let (handled, _) = Self.intercepted(all, 1)
    #expect(handled == [6, 2])
    #expect(visits.entries == ["a 1", "b 1", "b 2", "c 5", "c 2"])
  }

  @Test(.conformance(45)) func whatALaterInterceptorMultipliesKeepsItsOrder() {
    let all =
      Interceptor<Int, Int> { action, _, _ in .replace(action + 1) }
      <> Interceptor<Int, Int> { action, _, _ in .multiply([action, action * 10]) }
    #expect(Self.intercepted(all, 1).handled == [2, 20])
  }

  @Test(.conformance(45)) func multipliedActionsAreEachWhollyDoneAndSeeEachOthersState() {
    let journal = Journal<String>()
    let store = Store(
      initialState: 0,
      feature: Feature(
        reducer: Reducer<Int, Int> { $1 += $0 },
        middleware: Middleware { action, _, state in
          journal.write("handle \(action) at \(state())")
          return .afterReducer { _ in journal.write("after \(action) at \(state())") }
        }, interceptor: Interceptor { action, _, _ in action == 3 ? .multiply([1, 2]) : .pass }))
    let subscription = store.subscribe { journal.write("observe \($0)") }
    journal.clear()
    store.dispatch(3)
    #expect(
      journal.entries == [
        "handle 1 at 0", "observe 1", "after 1 at 1", "handle 2 at 1", "observe 3", "after 2 at 3",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(45)) func aLiftedInterceptorIsAskedAboutItsOwnCaseOnly() {
    let asked = Journal<Int>()
    let interceptor = Interceptor<Int, Int> { action, _, state in
      asked.write(action)
      return state() > 100 ? .drop : .replace(action * 2)
    }
    let feature = Feature<Int, Int>(reducer: Reducer { $1 += $0 }, interceptor: interceptor)
    let store = Store(
      initialState: State(), feature: feature.lift(action: Self.part, state: \State.part))
    store.dispatch(.other(1))
    store.dispatch(.part(1))
    store.dispatch(.part(50))
    store.dispatch(.part(1))
    #expect(asked.entries == [1, 50, 1])
    #expect(store.state.part == 112)
  }

  // MARK: Readers

  typealias Reader = MiddlewareReader<Int, Middleware<Int, Int, Int>>

  static func reader(_ base: Int, _ journal: Journal<String>) -> Reader {
    MiddlewareReader { dependency in named(base + dependency, journal) }
  }

  @Test(.conformance(46), arguments: 0..<20) func readersObeyTheirLaws(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let journal = Journal<String>()
    let world = Int.random(in: 1...9, using: &generator)
    let a = Self.reader(100, journal)
    let b = Self.reader(200, journal)
    let c = Self.reader(300, journal)
    func observed(_ reader: Reader) -> [String] { Self.observed(reader.inject(world), journal) }
    // Monoid.
    #expect(observed(.identity <> a) == observed(a))
    #expect(observed(a <> .identity) == observed(a))
    #expect(observed((a <> b) <> c) == observed(a <> (b <> c)))
    #expect(observed(a <> b) == Self.observed(a.inject(world) <> b.inject(world), journal))
    // Functor.
    #expect(observed(a.map { $0 }) == observed(a))
    let number = MiddlewareReader<Int, Int> { $0 * 7 }
    let f = { @Sendable (value: Int) in value + 3 }
    let g = { @Sendable (value: Int) in value * 5 }
    #expect(number.map(f).map(g).inject(world) == number.map { g(f($0)) }.inject(world))
    // Contravariant functor.
    #expect(number.contramap { $0 }.inject(world) == number.inject(world))
    #expect(
      number.contramap(f).contramap(g).inject(world) == number.contramap { f(g($0)) }.inject(world))
    // Monad.
    let h = { @Sendable (value: Int) in MiddlewareReader<Int, Int> { $0 + value } }
    let k = { @Sendable (value: Int) in MiddlewareReader<Int, Int> { $0 * value } }
    #expect(MiddlewareReader.pure(4).flatMap(h).inject(world) == h(4).inject(world))
    #expect(number.flatMap { MiddlewareReader.pure($0) }.inject(world) == number.inject(world))
    #expect(
      number.flatMap(h).flatMap(k).inject(world) == number.flatMap { h($0).flatMap(k) }.inject(world))
    // Zip.
    let pair = MiddlewareReader<Int, (Int, Int)>.zip(number, number.map(f)).inject(world)
    #expect(pair == (number.inject(world), f(number.inject(world))))
  }

  @Test(.conformance(46)) func injectingTwiceGivesTwoIndependentMiddlewares() {
    final class Counting: MiddlewareProtocol {
      let count = Locked(0)
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        count.withLock { $0 += 1 }
        return .none
      }
    }
    let made = Journal<Counting>()
    let reader = MiddlewareReader<Void, Middleware<Int, Int, Int>> { _ in
      let new = Counting()
      made.write(new)
      return Middleware(new)
    }
    let first = Store<Int, Int>(initialState: 0, reducer: .identity, middleware: reader.inject(()))
    let second = Store<Int, Int>(initialState: 0, reducer: .identity, middleware: reader.inject(()))
    first.dispatch(1)
    first.dispatch(1)
    second.dispatch(1)
    #expect(made.entries.map { $0.count.withLock { $0 } } == [2, 1])
  }

  @Test(.conformance(36)) func anObserverThatAnInterceptorCancelsIsReleasedAlthoughTheActionIsDropped() {
    let cancels = Journal<Subscription>()
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        interceptor: Interceptor { _, _, _ in
          for subscription in cancels.entries { subscription.cancel() }
          return .drop
        }))
    weak var held: Journal<Int>?
    do {
      let object = Journal<Int>()
      held = object
      cancels.write(store.subscribe { _ in object.write(1) })
    }
    #expect(held != nil)
    store.dispatch(1)
    #expect(held == nil)
  }

  @Test(.conformance(45)) func anInterceptorIsTestedWithoutAStore() {
    let doubled = Interceptor<Int, Int> { action, _, state in action < state() ? .multiply([action, action]) : .pass }
    let small = Interceptor<Int, Int> { action, _, _ in action > 5 ? .drop : .pass }
    let both = doubled <> small
    let here = ActionSource()
    #expect(both.intercept(1, from: here, state: GetState { 3 }) == [1, 1])
    #expect(both.intercept(4, from: here, state: GetState { 3 }) == [4])
    #expect(both.intercept(6, from: here, state: GetState { 3 }).isEmpty)
  }
}
