// Subscriptions, selections, sequences of states, and the policies of emission.
import ReeluxCore
import Synchronization

struct State: Sendable, Equatable {
  var count = 0
  var title = "untitled"
  var guest: String?
}

enum Action: Sendable {
  case add(Int)
  case rename(String)
  case invite(String?)
  case nothing
}

enum CountAction: Sendable {
  case add(Int)
}

extension Prism<Action, Int> {
  static let add = Prism(case: Action.add) { if case .add(let number) = $0 { number } else { nil } }
}

extension Prism<Action, String> {
  static let rename = Prism(case: Action.rename) { if case .rename(let text) = $0 { text } else { nil } }
}

extension Prism<Action, String?> {
  static let invite = Prism(case: Action.invite) { if case .invite(let guest) = $0 { .some(guest) } else { nil } }
}

let reducer = Reducer<Action, State>.compose {
  Reducer<Int, Int> { number, count in count += number }.lift(action: .add, state: \.count)
  Reducer<String, String> { text, title in title = text }.lift(action: .rename, state: \.title)
  Reducer<String?, String?> { new, guest in guest = new }.lift(action: .invite, state: \.guest)
}

let store = Store(initialState: State(), reducer: reducer)
let log = Mutex<[String]>([])

// snippet.subscribe
let whole = store.subscribe { state in log.withLock { $0.append("count \(state.count)") } }  // now: count 0
store.dispatch(.add(2))  // count 2
whole.cancel()
store.dispatch(.add(1))  // no observer is called
// snippet.end
precondition(log.withLock { $0 } == ["count 0", "count 2"])

// snippet.select
let subscriptions = SubscriptionCollection()
let titles = Mutex<[String]>([])
store.select(\.title)
  .subscribe { title in titles.withLock { $0.append(title) } }
  .store(in: subscriptions)
store.dispatch(.add(1))  // costs nothing for the title
store.dispatch(.rename("untitled"))  // touched, compared, equal: no call
store.dispatch(.rename("diary"))  // called
// snippet.end
precondition(titles.withLock { $0 } == ["untitled", "diary"])

// snippet.present
let guests = Mutex<[String]>([])
store.select(present: \.guest)
  .subscribe { guest in guests.withLock { $0.append(guest) } }
  .store(in: subscriptions)
store.dispatch(.invite("Ada"))
store.dispatch(.invite(nil))  // no call
// snippet.end
precondition(guests.withLock { $0 } == ["Ada"])

// snippet.states
let reader = Task {
  for await state in store.states {
    if state.count >= 10 { return state.count }  // leaving the loop unsubscribes
  }
  return 0
}
store.dispatch(.add(10))
let last = await reader.value
// snippet.end
precondition(last == 14)

// snippet.emits
let quiet = Store(initialState: State(), reducer: reducer, emits: .whenDifferent)
let calls = Mutex(0)
let watching = quiet.subscribe { _ in calls.withLock { $0 += 1 } }  // once, with the current state
quiet.dispatch(.add(0))  // accepted, but equal: no call
quiet.dispatch(.add(1))  // called
// snippet.end
precondition(calls.withLock { $0 } == 2)

let always = Store(initialState: State(), reducer: reducer, emits: .always)
let rounds = Mutex(0)
let counting = always.subscribe { _ in rounds.withLock { $0 += 1 } }
always.dispatch(.nothing)
precondition(rounds.withLock { $0 } == 2, "called for an action that no reducer accepted")
print("log \(log.withLock { $0 }), titles \(titles.withLock { $0 }), guests \(guests.withLock { $0 }), last \(last)")
withExtendedLifetime((subscriptions, watching, counting)) {}
