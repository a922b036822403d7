public import ReeluxCore

extension Reducer {
  /// The reducer of the favourites. Intents are shown optimistically, and responses confirm them or roll them back.
  ///
  /// The reducer is pure and takes constant time for an action about one item. Some actions change nothing, for example
  /// a response to an older request, or an intent that equals the current one. The reducer does not accept these, so no
  /// observer is called.
  ///
  /// The resulting state lists the pending work. ``FavoritesAPIMiddleware`` does this work. Without it, intents stay
  /// pending.
  ///
  /// - Parameter policy: The numbers of concurrent requests, of items in one request, of attempts, and of undo steps.
  public static func favorites<ID: Hashable & Sendable>(
    policy: FavoritesPolicy = FavoritesPolicy()
  ) -> Reducer where Action == FavoritesAction<ID>, State == FavoritesState<ID> {
    .partial { action, state in state.reduce(action, policy: policy) }
  }
}
