import ReeluxCore
import Testing

enum SmokeAction: Sendable { case counter(CounterAction), log(String) }
enum CounterAction: Sendable { case increment, add(Int), later(Int) }
struct SmokeState: Sendable, Equatable { var count = 0; var log: [String] = [] }
extension Prism<SmokeAction, CounterAction> {
  static let counter = Prism(case: SmokeAction.counter) { if case .counter(let it) = $0 { it } else { nil } }
}
extension Prism<SmokeAction, String> {
  static let log = Prism(case: SmokeAction.log) { if case .log(let it) = $0 { it } else { nil } }
}

@Test(.timeLimit(.minutes(15))) func smoke() async {
  let counter = Feature<CounterAction, Int>(
    reducer: Reducer { action, count in
      switch action {
      case .increment: count += 1
      case .add(let n): count += n
      case .later: break
      }
    },
    middleware: Middleware { action, _, _ in
      guard case .later(let n) = action else { return .none }
      return .task { .add(n) }
    })
  let log = Feature<String, [String]>(reducer: Reducer { $1.append($0) })
  let app = Feature<SmokeAction, SmokeState> {
    counter.lift(action: .counter, state: \.count)
    log.lift(action: .log, state: \.log)
  }
  let store = Store(initialState: SmokeState(), feature: app)
  let seen = Locked<[Int]>([])
  let s = store.select(\.count).subscribe { n in seen.withLock { $0.append(n) } }
  store.dispatch(.counter(.increment))
  #expect(store.state.count == 1)
  store.dispatch(.log("a"))
  #expect(store.state.log == ["a"])
  await store.dispatch(.counter(.later(5))).finish()
  #expect(store.state.count == 6)
  await store.settle()
  s.cancel()
  store.dispatch(.counter(.increment))
  #expect(seen.withLock { $0 } == [0, 1, 6])
}
