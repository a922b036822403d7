import ReeluxCore
import ReeluxTesting
import ReeluxFavorites

/// An API whose every call waits until the test answers it.
struct ScriptedAPI {
  /// The calls that set a favourite.
  let sets = ScriptedCalls<SetCall, Void>()
  /// The calls that fetch the favourites.
  let fetches = ScriptedCalls<String, FavoritesSnapshot<Int>>()

  var api: FavoritesAPI<Int> {
    FavoritesAPI(
      fetch: { [fetches] in try await fetches("fetch") },
      set: { [sets] id, isFavorite in try await sets(SetCall(id: id, value: isFavorite)) })
  }
}

/// A call as a test names it: `.add(1)`, `.remove(1)`.
struct SetCall: Hashable, Sendable {
  var id: Int
  var value: Bool

  static func add(_ id: Int) -> Self { Self(id: id, value: true) }
  static func remove(_ id: Int) -> Self { Self(id: id, value: false) }
}
