// The two middlewares of an earlier SwiftRex README, with this package: a logger of every action with the states
// before and after it, and a middleware that sends a favourite to a server.
import ReeluxCore
import Synchronization

struct Movie: Identifiable, Sendable, Equatable {
  let id: Int
  let title: String
}

enum FavoritesAction: Sendable, Equatable {
  case toggle(Int)
  case changed(Int, isFavorite: Bool)
  case failed(Int, reason: String)
}

enum AppAction: Sendable, Equatable {
  case favorites(FavoritesAction)
  case opened
}

struct AppState: Sendable, Equatable {
  var favorites: Set<Int> = []
  var lastFailure: String?
}

extension Prism<AppAction, FavoritesAction> {
  static let favorites = Prism(case: AppAction.favorites) { whole in
    if case .favorites(let action) = whole { action } else { nil }
  }
}

// snippet.logger
struct LogRecord: Sendable {
  let action: AppAction
  let source: ActionSource
  let before: AppState
  let after: AppState
}

final class LoggerMiddleware: MiddlewareProtocol {
  let log: @Sendable (LogRecord) -> Void

  init(log: @escaping @Sendable (LogRecord) -> Void) {
    self.log = log
  }

  // Takes every action of the app, sends none (Never), reads the whole state.
  func handle(action: AppAction, from source: ActionSource, state: GetState<AppState>) -> Effect<Never> {
    let before = state()
    return .afterReducer { [log] send in
      log(LogRecord(action: action, source: source, before: before, after: state()))
    }
  }
}
// snippet.end

// snippet.favorites
struct API: Sendable {
  var changeFavorite: @Sendable (_ id: Int, _ isFavorite: Bool) async throws -> Void
}

final class FavoritesAPIMiddleware: MiddlewareProtocol {
  let api: API

  init(api: API) {
    self.api = api
  }

  // Takes and sends the feature's actions, reads the feature's state.
  func handle(
    action: FavoritesAction, from source: ActionSource, state: GetState<Set<Int>>
  ) -> Effect<FavoritesAction> {
    guard case .toggle(let id) = action else { return .none }
    let makeFavorite = !state().contains(id)  // the state before the reducers
    return .task(catch: { error in .failed(id, reason: "\(error)") }) { [api] in
      try await api.changeFavorite(id, makeFavorite)
      return .changed(id, isFavorite: makeFavorite)
    }
  }
}
// snippet.end

let favorites = Reducer<FavoritesAction, Set<Int>>.partial { action, favorites in
  guard case .changed(let id, let isFavorite) = action else { return false }
  if isFavorite { favorites.insert(id) } else { favorites.remove(id) }
  return true
}

let failures = Reducer<AppAction, AppState>.partial { action, state in
  guard case .favorites(.failed(_, let reason)) = action else { return false }
  state.lastFailure = reason
  return true
}

struct NotFound: Error, CustomStringConvertible {
  var description: String { "not found" }
}

let movies = [Movie(id: 1, title: "Metropolis"), Movie(id: 2, title: "Nosferatu")]
let records = Mutex<[LogRecord]>([])

let api = API { id, isFavorite in
  guard movies.contains(where: { $0.id == id }) else { throw NotFound() }
}

let app = Feature<AppAction, AppState>(
  reducer: .compose {
    favorites.lift(action: .favorites, state: \.favorites)
    failures
  },
  middleware: .compose {
    Middleware(LoggerMiddleware { record in records.withLock { $0.append(record) } }).withOutput(AppAction.self)
    Middleware(FavoritesAPIMiddleware(api: api)).lift(action: .favorites, state: \.favorites)
  })

let store = Store(initialState: AppState(), feature: app)
let line: UInt = #line + 1
await store.dispatch(.favorites(.toggle(1)), info: "heart tapped").finish()
await store.dispatch(.favorites(.toggle(9))).finish()

let log = records.withLock { $0 }
for record in log {
  print("\(record.action) | \(record.source) | \(record.before.favorites) → \(record.after.favorites)")
}

precondition(store.state == AppState(favorites: [1], lastFailure: "not found"))
precondition(
  log.map(\.action) == [
    .favorites(.toggle(1)), .favorites(.changed(1, isFavorite: true)),
    .favorites(.toggle(9)), .favorites(.failed(9, reason: "not found")),
  ])
precondition(log[0].source.line == line && log[0].source.info == "heart tapped", "the caller's place, unchanged")
precondition(log[1].source.function.hasPrefix("handle"), "an answer's source is where the effect was made")
precondition(log[1].before.favorites.isEmpty && log[1].after.favorites == [1])
