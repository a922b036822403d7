// A list with rows that download: each row has effects of its own, and the parent adds and removes rows.
import ReeluxCore

// snippet.row
struct Episode: Identifiable, Equatable, Sendable {
  enum Download: Equatable, Sendable { case none, running(Double), finished, failed(String) }

  let id: String
  var download = Download.none
}

enum EpisodeAction: Sendable {
  case download
  case changed(Episode.Download)
}

/// Downloads an episode, and reports the progress from 0 to 1.
typealias Fetch = @Sendable (_ id: String, _ progress: @Sendable (Double) -> Void) async throws -> Void

extension Feature where Action == EpisodeAction, State == Episode {
  static func episode(fetch: @escaping Fetch, clock: any Clock<Duration> = ContinuousClock()) -> Feature {
    Feature(
      reducer: Reducer { action, episode in
        switch action {
        case .download: episode.download = .running(0)
        case .changed(let download): episode.download = download
        }
      },
      middleware: Middleware { action, source, state in
        guard case .download = action else { return .none }
        return .run { [id = state().id] send in
          do {
            try await Backoff(first: .seconds(1)).retry(attempts: 3, clock: clock) {
              try await fetch(id) { send(.changed(.running($0))) }
            }
            send(.changed(.finished))
          } catch {
            send(.changed(.failed("\(error)")))  // ignored if the effect was cancelled
          }
        }
        .cancellable(id: "download", cancelInFlight: true)
      })
  }
}
// snippet.end

// snippet.list
struct QueueState: Sendable {
  var episodes: [Episode] = []
}

enum QueueAction: Sendable {
  case add(String)
  case remove(String)
  case episode(ElementAction<String, EpisodeAction>)
}

extension Prism<QueueAction, ElementAction<String, EpisodeAction>> {
  static let episode = Prism(case: QueueAction.episode) { if case .episode(let action) = $0 { action } else { nil } }
}

func queue(fetch: @escaping Fetch) -> Feature<QueueAction, QueueState> {
  Feature<QueueAction, QueueState> {
    Reducer<QueueAction, QueueState>.partial { action, state in
      switch action {
      case .add(let id): state.episodes.append(Episode(id: id))
      case .remove(let id): state.episodes.removeAll { $0.id == id }  // a running download ends
      case .episode: return false  // an action of a row
      }
      return true
    }
    Feature<EpisodeAction, Episode>.episode(fetch: fetch).lift(action: .episode, element: .byID(\.episodes))
  }
}
// snippet.end

let store = Store(
  initialState: QueueState(),
  feature: queue { id, progress in
    progress(0.5)
    if id == "b" { try await Task.sleep(for: .seconds(3600)) }
  })
for id in ["a", "b"] { store.dispatch(.add(id)) }
let running = store.dispatch(.episode(ElementAction("b", .download)))
await store.dispatch(.episode(ElementAction("a", .download))).finish()
precondition(store.state.episodes[0].download == .finished)
store.dispatch(.remove("b"))
await running.finish()
precondition(store.state.episodes.map(\.id) == ["a"])
