// The cookbook's program about signing in and out. It checks its own results.
import ReeluxCore

enum SessionAction {
  case load
  case loaded([String])
}

struct Session: Equatable {
  let user: Int
  var mail: [String] = []
}

enum AppAction {
  case signedIn(user: Int)
  case signedOut
  case session(SessionAction)
}

struct AppState: Equatable {
  /// Everything that belongs to the user; `nil` if no user is signed in.
  var session: Session?
}

extension Prism<AppAction, SessionAction> {
  static let session = Prism(case: AppAction.session) { if case .session(let action) = $0 { action } else { nil } }
}

func makeSession(mail: @escaping @Sendable (_ user: Int) async -> [String]) -> Feature<SessionAction, Session> {
  Feature(
    reducer: Reducer { action, session in
      if case .loaded(let mail) = action { session.mail = mail }
    },
    middleware: Middleware { action, source, state in
      guard case .load = action else { return .none }
      let user = state().user
      return .task { .loaded(await mail(user)) }
    })
}

// snippet.login
func makeApp(session: Feature<SessionAction, Session>) -> Feature<AppAction, AppState> {
  Feature {
    session.lift(action: .session, optional: \.session, id: \.user)
    Reducer.partial { action, state in
      switch action {
      case .signedIn(let user): state.session = Session(user: user)  // ends the effects and feeds of another user
      case .signedOut: state.session = nil  // ends the effects and feeds of this user
      case .session: return false
      }
      return true
    }
    Middleware { action, source, state in
      if case .signedIn = action { .send(.session(.load)) } else { .none }
    }
  }
}
// snippet.end

// The server responds to the first user when the second one is signed in.
let (responses, response) = AsyncStream.makeStream(of: Void.self)
let session = makeSession { user in
  if user == 1 { for await _ in responses { break } }
  return ["mail of user \(user)"]
}
let store = Store(initialState: AppState(), feature: makeApp(session: session))
store.dispatch(.signedIn(user: 1))
await store.dispatch(.signedIn(user: 2)).finish()
response.yield()
await store.settle()
precondition(store.state.session == Session(user: 2, mail: ["mail of user 2"]))
await store.dispatch(.signedOut).reduced()
precondition(store.state.session == nil)
print("login: as the cookbook shows")
