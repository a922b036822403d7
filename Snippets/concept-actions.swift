// Actions carry the place that dispatched them; prisms find a feature's actions in the app's.
import ReeluxCore
import Synchronization

enum PlayerAction: Sendable {
  case play
  case pause
}

enum SearchAction: Sendable {
  case typed(String)
}

enum AppAction: Sendable {
  case player(PlayerAction)
  case search(SearchAction)
}

// snippet.prism
extension Prism<AppAction, PlayerAction> {
  static let player = Prism(case: AppAction.player) { if case .player(let action) = $0 { action } else { nil } }
}

let player: Prism<AppAction, PlayerAction> = .player
let found = player.extract(.player(.pause))  // .pause
let other = player.extract(.search(.typed("metro")))  // nil
// snippet.end
if case .pause = found, other == nil {} else { preconditionFailure("a prism finds its own case and no other") }

// snippet.cast
protocol OpenAction: Sendable {}
struct SignedIn: OpenAction { var name: String }
struct SignedOut: OpenAction {}

let signedIn = Prism<any OpenAction, SignedIn>.cast { $0 }
let name = signedIn.extract(SignedIn(name: "Ada"))?.name  // "Ada"
let missing = signedIn.extract(SignedOut())?.name  // nil
// snippet.end
precondition(name == "Ada" && missing == nil)

// snippet.source
let sources = Mutex<[ActionSource]>([])
let store = Store(
  initialState: 0,
  reducer: Reducer<PlayerAction, Int> { action, count in count += 1 },
  middleware: Middleware { action, source, state in
    sources.withLock { $0.append(source) }
    return .none
  })

store.dispatch(.play, info: "space bar")
// snippet.end
let source = sources.withLock { $0[0] }
print(source)
precondition(source.file.hasSuffix("concept-actions.swift"), "the file is the caller's")
precondition(source.info == "space bar")

// snippet.contramap
let pauseButton: AnyActionHandler<Void> = store.contramap { .pause }
pauseButton.dispatch(())
// snippet.end
precondition(store.state == 2)
print("\(store.state) actions")
