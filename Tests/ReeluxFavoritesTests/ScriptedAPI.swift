import ReeluxCore
import ReeluxTesting
import ReeluxFavorites

/// An API whose calls all wait until the test responds.
final class ScriptedAPI: Sendable {
  /// The calls that set a favourite.
  let sets: ScriptedCalls<SetCall, Void>
  /// The calls that fetch the favourites.
  let fetches: ScriptedCalls<String, FavoritesSnapshot<Int>>
  /// The changes that the server reports.
  let changes = ScriptedSequence<FavoritesChange<Int>>()
  /// The requests of the calls, with their numbers.
  let requests = Locked<[FavoritesRequest<Int>]>([])

  /// - Parameter ignoresCancellation: Whether a call continues after its task was cancelled.
  init(ignoresCancellation: Bool = false) {
    sets = ScriptedCalls(ignoresCancellation: ignoresCancellation)
    fetches = ScriptedCalls(ignoresCancellation: ignoresCancellation)
  }

  var api: FavoritesAPI<Int> {
    FavoritesAPI(
      fetch: { [fetches] in try await fetches("fetch") },
      set: { [self] request in
        requests.withLock { $0.append(request) }
        try await sets(SetCall(id: request.id, value: request.isFavorite))
      },
      changes: { [changes] in changes.stream })
  }
}

/// A call in the notation of tests: `.add(1)`, `.remove(1)`.
struct SetCall: Hashable, Sendable {
  var id: Int
  var value: Bool

  static func add(_ id: Int) -> Self { Self(id: id, value: true) }
  static func remove(_ id: Int) -> Self { Self(id: id, value: false) }
}

/// The responses in the notation of tests.
extension FavoritesAction {
  static func confirmed(_ request: FavoritesRequest<ID>) -> Self { .response(.confirmed(request)) }
  static func failed(_ request: FavoritesRequest<ID>, _ failure: FavoritesFailure) -> Self {
    .response(.failed(request, failure))
  }
  static func due(_ id: ID, number: Int, attempt: Int) -> Self { .response(.due(id, number: number, attempt: attempt)) }
  static func loaded(_ snapshot: FavoritesSnapshot<ID>, number: Int) -> Self {
    .response(.loaded(snapshot, number: number))
  }
  static func loadFailed(_ failure: FavoritesFailure, number: Int) -> Self {
    .response(.loadFailed(failure, number: number))
  }
  static func loadDue(number: Int) -> Self { .response(.loadDue(number: number)) }
}
