// The cookbook's program about effects. It checks its own results.
import ReeluxCore
import Synchronization

// snippet.client
/// The functions that the feature needs.
struct FilmClient: Sendable {
  var titles: @Sendable (_ page: Int) async throws -> [String]
  var download: @Sendable (_ title: String) -> AsyncStream<Double>
}

extension FilmClient {
  /// For previews and programs without a network.
  static let fixed = FilmClient(
    titles: { page in page < 3 ? ["Film \(2 * page - 1)", "Film \(2 * page)"] : [] },
    download: { title in
      AsyncStream { progress in
        for part in [0.5, 1] { progress.yield(part) }
        progress.finish()
      }
    })
}
// snippet.end

// snippet.errors
/// A failure as text for the user, and whether another attempt makes sense.
struct Problem: Equatable, Error {
  var text: String
  var canRetry: Bool
}

extension Problem {
  init(_ error: any Error) {
    self = error as? Problem ?? Problem(text: "The films could not be loaded.", canRetry: true)
  }
}
// snippet.end

// snippet.pages
struct FilmsState: Equatable {
  var titles: [String] = []
  var nextPage: Int? = 1  // nil: there is no other page
  var isLoading = false
  var problem: Problem?
  var progress: [String: Double] = [:]
}

enum FilmsAction {
  case loadMore
  case stop
  case loaded([String], page: Int)
  case failed(Problem)
  case download(String)
  case downloaded(String, Double)
}

let films = Reducer<FilmsAction, FilmsState> { action, state in
  switch action {
  case .loadMore:
    guard state.nextPage != nil else { return }
    (state.isLoading, state.problem) = (true, nil)
  case .stop: state.isLoading = false
  case .loaded(let titles, let page):
    state.titles += titles
    state.nextPage = titles.isEmpty ? nil : page + 1
    state.isLoading = false
  case .failed(let problem): (state.isLoading, state.problem) = (false, problem)
  case .download(let title): state.progress[title] = 0
  case .downloaded(let title, let part): state.progress[title] = part
  }
}

struct FilmsMiddleware: MiddlewareProtocol {
  let client: FilmClient

  func handle(action: FilmsAction, from source: ActionSource, state: GetState<FilmsState>) -> Effect<FilmsAction> {
    switch action {
    case .loadMore:
      // The state before the reducer: a second `loadMore` during a request finds `isLoading`.
      guard let page = state().nextPage, !state().isLoading else { return .none }
      return .task(catch: { error in .failed(Problem(error)) }) {
        .loaded(try await client.titles(page), page: page)
      }
      .cancellable(id: "page")
    case .stop:
      return .cancel(id: "page")
    case .download(let title):
      return .sequence(client.download(title)) { part in .downloaded(title, part) }
        .cancellable(id: ["download", title], cancelInFlight: true)
    case .loaded, .failed, .downloaded:
      return .none
    }
  }
}
// snippet.end

// snippet.run
let store = Store(
  initialState: FilmsState(), reducer: films, middleware: Middleware(FilmsMiddleware(client: .fixed)))
while store.state.nextPage != nil {
  await store.dispatch(.loadMore).finish()
}
print(store.state.titles)
// snippet.end
precondition(store.state.titles == ["Film 1", "Film 2", "Film 3", "Film 4"] && !store.state.isLoading)

await store.dispatch(.download("Film 1")).finish()
precondition(store.state.progress["Film 1"] == 1)

// snippet.failing
var broken = FilmClient.fixed
broken.titles = { page in throw Problem(text: "You are offline.", canRetry: true) }
let failing = Store(
  initialState: FilmsState(), reducer: films, middleware: Middleware(FilmsMiddleware(client: broken)))
await failing.dispatch(.loadMore).finish()
print(failing.state.problem?.text ?? "loaded")  // You are offline.
// snippet.end
precondition(failing.state.problem?.canRetry == true && !failing.state.isLoading)

// snippet.cancel
let (never, continuation) = AsyncStream<Void>.makeStream()
var slow = FilmClient.fixed
slow.titles = { page in
  for await _ in never {}  // answers when the stream ends, or throws when it is cancelled
  try Task.checkCancellation()
  return ["too late"]
}
let cancelled = Store(
  initialState: FilmsState(), reducer: films, middleware: Middleware(FilmsMiddleware(client: slow)))
let loading = cancelled.dispatch(.loadMore)
cancelled.dispatch(.stop)  // by its id; `loading.cancel()` would end it too
await loading.finish()
print(cancelled.state.titles)  // []
// snippet.end
precondition(cancelled.state.titles == [] && cancelled.state.problem == nil)
withExtendedLifetime(continuation) {}

// snippet.debounce
enum SearchAction { case typed(String), found(String) }

let search = Middleware<SearchAction, SearchAction, [String]> { action, source, state in
  guard case .typed(let query) = action else { return .none }
  return .task { .found("results for \(query)") }.debounce(id: "search", for: .milliseconds(300))
}
// snippet.end
let typing = Store(
  initialState: [String](),
  reducer: Reducer { action, results in if case .found(let text) = action { results.append(text) } },
  middleware: search)
for query in ["m", "me", "metro"] { typing.dispatch(.typed(query)) }
await typing.settle()
precondition(typing.state == ["results for metro"])

// snippet.feed
struct Ticker: FeedingMiddleware {
  let seconds: @Sendable () -> AsyncStream<Int>

  func handle(action: TickerAction, from source: ActionSource, state: GetState<TickerState>) -> Effect<TickerAction> {
    .none
  }

  func feeds(for state: TickerState) -> [Feed<TickerAction>] {
    guard state.isOnScreen else { return [] }
    return [Feed(key: "seconds") { send in for await second in seconds() { send(.second(second)) } }]
  }
}
// snippet.end

struct TickerState: Equatable {
  var isOnScreen = false
  var second = 0
}

enum TickerAction {
  case appeared, disappeared
  case second(Int)
}

let (seconds, feeding) = AsyncStream<Int>.makeStream()
let ticking = Store(
  initialState: TickerState(),
  reducer: Reducer<TickerAction, TickerState> { action, state in
    switch action {
    case .appeared: state.isOnScreen = true
    case .disappeared: state.isOnScreen = false
    case .second(let second): state.second = second
    }
  },
  middleware: Middleware(Ticker(seconds: { seconds })))
ticking.dispatch(.appeared)
feeding.yield(7)
for await state in ticking.states where state.second == 7 { break }
ticking.dispatch(.disappeared)
// snippet.limit
struct Download: Equatable, Identifiable {
  let id: String
  var progress = 0.0
  var hasEnded = false
}

enum DownloadsAction {
  case add(String)
  case remove(String)
  case progress(String, Double)
  case ended(String)
}

struct TwoDownloads: FeedingMiddleware {
  let client: FilmClient

  func handle(
    action: DownloadsAction, from source: ActionSource, state: GetState<[Download]>
  ) -> Effect<DownloadsAction> {
    .none
  }

  func feeds(for downloads: [Download]) -> [Feed<DownloadsAction>] {
    downloads.filter { !$0.hasEnded }.prefix(2).map { download in
      Feed(key: download.id) { send in
        for await part in client.download(download.id) { send(.progress(download.id, part)) }
        send(.ended(download.id))
      }
    }
  }
}
// snippet.end

let downloads = Store(
  initialState: [],
  reducer: Reducer<DownloadsAction, [Download]> { action, downloads in
    switch action {
    case .add(let id): downloads.append(Download(id: id))
    case .remove(let id): downloads.removeAll { $0.id == id }
    case .progress(let id, let part):
      for index in downloads.indices where downloads[index].id == id { downloads[index].progress = part }
    case .ended(let id):
      for index in downloads.indices where downloads[index].id == id { downloads[index].hasEnded = true }
    }
  },
  middleware: Middleware(TwoDownloads(client: .fixed)))
for number in 1...5 { downloads.dispatch(.add("Film \(number)")) }
downloads.dispatch(.remove("Film 2"))
// Another thread may process these actions after their dispatch has returned. So this waits for all of them.
let kept = [1, 3, 4, 5].map { "Film \($0)" }
for await list in downloads.states where list.map(\.id) == kept && list.allSatisfy(\.hasEnded) { break }
precondition(downloads.state.map(\.progress) == [1, 1, 1, 1])
print("effects: as the cookbook shows")
