import Foundation
import ReeluxCore
import ReeluxTestSupport
import Testing

/// All operations at the same time from many threads, with many seeds.
///
/// `REELUX_STRESS_ACTIONS` is the number of actions of each of the eight producers. Use a large number together with
/// `--sanitize=thread`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct StressTests {
  static let actions =
    ProcessInfo.processInfo.environment["REELUX_STRESS_ACTIONS"].flatMap { Int($0) } ?? (isThorough ? 5_000 : 250)
  static let producers = 8

  enum Action: Sendable {
    case from(Int, Int)
    case byObserver
    case byChild
    case byPlugin
    case start
  }

  struct State: Sendable {
    var version = 0
    /// The next number of each producer.
    ///
    /// It is not an array. A release build reads an array's elements in code that ThreadSanitizer instruments. The
    /// sanitizer does not recognise that the reference count orders the end of a reader's copy before the next change
    /// in place. It reports this even for a copy taken under a mutex.
    var next = SIMD8<Int>()
    var disorder = 0
    var byObserver = 0
    var byChild = 0
    var byPlugin = 0
  }

  /// The sent actions, for a comparison with the received ones.
  final class Account: Sendable {
    let byObserver = Locked(0)
    let byChild = Locked(0)
    let pluginWork = Locked(0)
    let disorder = Locked(0)
    let tokens = Locked(0)
    let ends = Journal<Void>()

    func token() -> Token {
      tokens.withLock { $0 += 1 }
      return Token(ends)
    }
  }

  static let reducer = Reducer<Action, State> { action, state in
    state.version += 1
    switch action {
    case .from(let producer, let number):
      if state.next[producer] != number { state.disorder += 1 }
      state.next[producer] = number + 1
    case .byObserver: state.byObserver += 1
    case .byChild: state.byChild += 1
    case .byPlugin: state.byPlugin += 1
    case .start: break
    }
  }

  /// The objects that a producer holds at one time.
  struct Holdings {
    var subscriptions: [Subscription] = []
    var children: [ChildStore<Int, Action, State, Int>] = []
    var installations: [Installation] = []
  }

  /// An observer that checks that states never become older, and that dispatches sometimes.
  static func observe(_ store: Store<Action, State>, _ account: Account, chatty: Bool) -> Subscription {
    let last = Locked(-1)
    let token = account.token()
    return store.subscribe { [weak store] state in
      withExtendedLifetime(token) {}
      let isNewer = last.withLock { last in
        defer { last = state.version }
        return state.version > last
      }
      if !isNewer { account.disorder.withLock { $0 += 1 } }
      if chatty, state.version % 61 == 0, let store {
        account.byObserver.withLock { $0 += 1 }
        store.dispatch(.byObserver)
        // Subscribes and cancels in the middle of a round.
        store.select(\.byObserver).subscribe { _ in }.cancel()
      }
    }
  }

  static func child(_ store: Store<Action, State>, _ account: Account) -> ChildStore<Int, Action, State, Int> {
    let token = account.token()
    return store.child(
      initialState: 0, reducer: Reducer { $1 += $0 },
      middleware: Middleware { action, _, state in
        withExtendedLifetime(token) {}
        if state().local < 0 { return .none }
        return action == 1 ? .task { 2 } <> .send(3) : .none
      },
      toRoot: { $0 == 1 ? .byChild : nil })
  }

  static func plugin(_ account: Account) -> Feature<Action, State> {
    let token = account.token()
    struct Plugin: FeedingMiddleware {
      let account: Account
      let token: Token
      func handle(action: Action, from source: ActionSource, state: GetState<State>) -> Effect<Action> {
        guard case .from(_, let number) = action, number % 97 == 0 else { return .none }
        account.pluginWork.withLock { $0 += 1 }
        return .task { .byPlugin }.cancellable(id: number % 3, cancelInFlight: true)
      }
      func feeds(for state: State) -> [Feed<Action>] {
        guard state.version % 200 < 100 else { return [] }
        return [
          Feed(key: 1) { _ in
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in stream {}
            withExtendedLifetime((token, continuation)) {}
          }
        ]
      }
    }
    return Feature(middleware: Middleware(Plugin(account: account, token: token)))
  }

  static func step(
    _ number: Int, _ producer: Int, _ store: Store<Action, State>, _ account: Account,
    _ generator: inout SplitMix64, _ holdings: inout Holdings
  ) {
    store.dispatch(.from(producer, number))
    switch Int.random(in: 0..<64, using: &generator) {
    case 0: holdings.subscriptions.append(observe(store, account, chatty: true))
    case 1: holdings.subscriptions.append(observe(store, account, chatty: false))
    case 2: if !holdings.subscriptions.isEmpty { holdings.subscriptions.removeFirst().cancel() }
    case 3: holdings.subscriptions.removeAll()
    case 4: holdings.children.append(child(store, account))
    case 5, 6:
      for child in holdings.children {
        account.byChild.withLock { $0 += 1 }
        child.dispatch(1)
        let last = Locked(-1)
        let subscription = child.subscribe { state in
          let isOlder = last.withLock { last in
            defer { last = state.root.version }
            return state.root.version < last
          }
          if isOlder { account.disorder.withLock { $0 += 1 } }
        }
        if number % 2 == 0 { subscription.cancel() }
      }
    case 7: holdings.children.removeAll()
    case 8: holdings.installations.append(store.install(plugin(account)))
    case 9: if !holdings.installations.isEmpty { holdings.installations.removeFirst().remove() }
    case 10: if store.state.next[producer] > number + 1 { account.disorder.withLock { $0 += 1 } }
    case 11:
      let task = store.dispatch(.start)
      if number % 2 == 0 { task.cancel() }
    default: break
    }
    if holdings.subscriptions.count > 4 { holdings.subscriptions.removeFirst() }
    if holdings.children.count > 2 { holdings.children.removeFirst() }
    if holdings.installations.count > 1 { holdings.installations.removeFirst().remove() }
  }

  @Test(.conformance(8, 9, 11, 12, 26, 56, 61, 63, 64), arguments: 0..<20)
  func nothingIsLostDoubledOldOrLeakedUnderLoad(seed: Int) async {
    let account = Account()
    let actions = Self.actions
    var store: Store<Action, State>? = Store(initialState: State(), reducer: Self.reducer)
    let weakStore = store.map { Weak($0) }
    if let store {
      await withTaskGroup(of: Void.self) { group in
        for producer in 0..<Self.producers {
          let seed = UInt64(seed * Self.producers + producer)
          if producer % 2 == 0 {
            group.addTask {
              await onThread {
                var generator = SplitMix64(seed: seed)
                var holdings = Holdings()
                for number in 0..<actions {
                  Self.step(number, producer, store, account, &generator, &holdings)
                }
                for installation in holdings.installations { installation.remove() }
              }
            }
          } else {
            group.addTask {
              var generator = SplitMix64(seed: seed)
              var holdings = Holdings()
              for number in 0..<actions {
                Self.step(number, producer, store, account, &generator, &holdings)
                if number % 50 == 0 { await Task.yield() }
              }
              for installation in holdings.installations { installation.remove() }
            }
          }
        }
      }
      await store.settle()
      let state = store.state
      #expect(state.next == SIMD8(repeating: actions))
      #expect(state.disorder == 0)
      #expect(account.disorder.withLock { $0 } == 0)
      #expect(state.byObserver == account.byObserver.withLock { $0 })
      #expect(state.byChild == account.byChild.withLock { $0 })
      #expect(state.byPlugin <= account.pluginWork.withLock { $0 })
      #expect(store.observerCount == 0)
    }
    store = nil
    await account.ends.reaches(count: account.tokens.withLock { $0 })
    #expect(weakStore?.object == nil)
  }
}
