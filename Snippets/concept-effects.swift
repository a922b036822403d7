// Effects and feeds: ids, replacement, debounce on your own clock, and feeds that the state opens and closes.
import ReeluxCore
import Synchronization

enum SearchAction: Sendable, Equatable {
  case typed(String)
  case found([String])
  case failed
  case clear
}

struct SearchState: Sendable, Equatable {
  var text = ""
  var hits: [String] = []
  var failures = 0
}

let reducer = Reducer<SearchAction, SearchState> { action, state in
  switch action {
  case .typed(let text): state.text = text
  case .found(let hits): state.hits = hits
  case .failed: state.failures += 1
  case .clear: state = SearchState()
  }
}

struct Index: Sendable {
  var find: @Sendable (String) async throws -> [String]
}

let films = ["metropolis", "nosferatu", "safety last"]
let index = Index { text in films.filter { $0.contains(text) } }

// snippet.search
func search(in index: Index, clock: any Clock<Duration>) -> Middleware<SearchAction, SearchAction, SearchState> {
  Middleware { action, source, state in
    switch action {
    case .typed(let text):
      return .task(catch: { error in .failed }) { .found(try await index.find(text)) }
        .debounce(id: "typing", for: .milliseconds(300), clock: clock)
    case .clear: return .cancel(id: "typing")
    case .found, .failed: return .none
    }
  }
}
// snippet.end

let store = Store(
  initialState: SearchState(), reducer: reducer, middleware: search(in: index, clock: QuickClock()))
store.dispatch(.typed("n"))
store.dispatch(.typed("no"))
await store.dispatch(.typed("nos")).finish()
await store.settle()
print(store.state)
precondition(store.state.hits == ["nosferatu"])

await store.dispatch(.clear).finish()
precondition(store.state == SearchState())

// snippet.combined
func announce(_ hits: [String]) -> Effect<SearchAction> {
  .merge(
    .afterReducer { send in print("\(hits.count) hits, on the pipeline's thread") },
    .fireAndForget { await remember(hits) },
    .send(.clear))
}
// snippet.end

let remembered = Mutex<[String]>([])
func remember(_ hits: [String]) async {
  remembered.withLock { $0 = hits }
}

// snippet.detached
let saving = Middleware<SearchAction, SearchAction, SearchState> { action, source, state in
  guard action == .clear else { return .none }
  return .fireAndForget { [text = state().text] in await remember([text]) }.detached()
}
// snippet.end

let sheet = Store(
  initialState: SearchState(text: "nos") as SearchState?,
  feature: Feature(reducer: reducer, middleware: saving).lift(action: .identity, optional: \SearchState?.self)
    <> Feature(reducer: Reducer { action, state in if action == .clear { state = nil } }))
await sheet.dispatch(.clear).finish()
precondition(sheet.state == nil && remembered.withLock { $0 } == ["nos"])

let announcing = Store(
  initialState: SearchState(), reducer: reducer,
  middleware: Middleware { action, source, state in
    if case .found(let hits) = action { announce(hits) } else { .none }
  })
await announcing.dispatch(.found(["metropolis"])).finish()
precondition(announcing.state == SearchState() && remembered.withLock { $0 } == ["metropolis"])

// snippet.retry
let attempts = Mutex(0)
let answer = try await Backoff(first: .milliseconds(100)).retry(attempts: 3, clock: QuickClock()) {
  let number = attempts.withLock { count in
    count += 1
    return count
  }
  if number < 3 { throw Offline() }
  return number
}
// snippet.end
precondition(answer == 3)
print("answered at attempt \(answer)")

// snippet.feed
enum TrackAction: Sendable {
  case follow(Bool)
  case moved(Int)
}

struct TrackState: Sendable {
  var isFollowing = false
  var places: [Int] = []
}

struct TrackMiddleware: FeedingMiddleware {
  let places: @Sendable () -> AsyncStream<Int>

  func handle(
    action: TrackAction, from source: ActionSource, state: GetState<TrackState>
  ) -> Effect<TrackAction> { .none }

  func feeds(for state: TrackState) -> [Feed<TrackAction>] {
    guard state.isFollowing else { return [] }
    return [Feed(key: "places") { send in for await place in places() { send(.moved(place)) } }]
  }
}
// snippet.end

let (places, gps) = AsyncStream.makeStream(of: Int.self)
let closed = Mutex(false)
gps.onTermination = { _ in closed.withLock { $0 = true } }
let track = Store(
  initialState: TrackState(),
  reducer: Reducer<TrackAction, TrackState> { action, state in
    switch action {
    case .follow(let isOn): state.isFollowing = isOn
    case .moved(let place): state.places.append(place)
    }
  },
  middleware: Middleware(TrackMiddleware(places: { places })))
track.dispatch(.follow(true))
gps.yield(1)
gps.yield(2)
for await state in track.states where state.places.count == 2 { break }
track.dispatch(.follow(false))
await Task { for await _ in places {} }.value  // ends, because closing the feed ended the stream
precondition(track.state.places == [1, 2] && closed.withLock { $0 })
print("places \(track.state.places), then closed")

struct Offline: Error {}

/// A clock on which every delay ends at once.
struct QuickClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
