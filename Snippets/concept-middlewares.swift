// Middlewares as a closure, as a type and as a reader, and interceptors, which decide before them.
import ReeluxCore
import Synchronization

enum DownloadAction: Sendable, Equatable {
  case start(String)
  case finished(String, Int)
  case failed(String)
}

struct DownloadState: Sendable, Equatable {
  var running: Set<String> = []
  var sizes: [String: Int] = [:]
  var isOnline = true
}

let downloads = Reducer<DownloadAction, DownloadState> { action, state in
  switch action {
  case .start(let name): state.running.insert(name)
  case .finished(let name, let size):
    state.running.remove(name)
    state.sizes[name] = size
  case .failed(let name): state.running.remove(name)
  }
}

// snippet.type
struct DownloadMiddleware: MiddlewareProtocol {
  let load: @Sendable (String) async throws -> Int

  func handle(
    action: DownloadAction, from source: ActionSource, state: GetState<DownloadState>
  ) -> Effect<DownloadAction> {
    guard case .start(let name) = action, !state().running.contains(name) else { return .none }
    return .task(catch: { error in .failed(name) }) { .finished(name, try await load(name)) }
      .cancellable(id: name)
  }
}
// snippet.end

// snippet.closure
let count = Mutex(0)
let counting = Middleware<DownloadAction, DownloadAction, DownloadState> { action, source, state in
  count.withLock { $0 += 1 }
  return .none
}
// snippet.end

// snippet.interceptor
let offline = Interceptor<DownloadAction, DownloadState> { action, source, state in
  guard case .start(let name) = action, !state().isOnline else { return .pass }
  return .replace(.failed(name))
}
// snippet.end

// snippet.reader
struct World: Sendable {
  var load: @Sendable (String) async throws -> Int
}

let reader = MiddlewareReader<World, Middleware<DownloadAction, DownloadAction, DownloadState>> { world in
  Middleware(DownloadMiddleware(load: world.load))
}
let middleware = reader.inject(World(load: { name in name.count })) <> counting
// snippet.end

let store = Store(
  initialState: DownloadState(),
  feature: Feature(reducer: downloads, middleware: middleware, interceptor: offline))
await store.dispatch(.start("nosferatu")).finish()
print(store.state.sizes)
precondition(store.state.sizes == ["nosferatu": 9] && store.state.running.isEmpty)
precondition(count.withLock { $0 } == 2, "the start and the answer")

let unplugged = Store(
  initialState: DownloadState(isOnline: false),
  feature: Feature(reducer: downloads, middleware: middleware, interceptor: offline))
await unplugged.dispatch(.start("nosferatu")).finish()
precondition(unplugged.state.sizes.isEmpty, "rewritten before the middleware saw it")
print("offline: \(unplugged.state.sizes)")

// snippet.never
let heartbeat = Middleware<Never, DownloadAction, Void>(Heartbeat())

struct Heartbeat: MiddlewareProtocol {
  func handle(action: Never, from source: ActionSource, state: GetState<Void>) -> Effect<DownloadAction> {}
  func start(state: GetState<Void>) -> Effect<DownloadAction> { .send(.start("trailer")) }
}

let beating: Middleware<DownloadAction, DownloadAction, DownloadState> =
  heartbeat.ignoringInput(DownloadAction.self).ignoringState(DownloadState.self)
// snippet.end
let begun = Store(initialState: DownloadState(), reducer: downloads, middleware: beating)
precondition(begun.state.running == ["trailer"], "work without any action")
print("at start: \(begun.state.running)")
