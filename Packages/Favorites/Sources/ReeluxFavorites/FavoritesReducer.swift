public import ReeluxCore

extension Reducer {
  /// The reducer of the favourites: optimistic intents, confirmed or rolled back by the answers.
  ///
  /// It is pure, and takes constant time for an action about one item. Some
  /// actions change nothing: an answer to an older request, or an intent that
  /// equals the current one. They are not accepted, so no observer is called.
  ///
  /// The resulting state lists the work to do. ``FavoritesAPIMiddleware`` does
  /// it. Without this middleware, an intent stays pending.
  ///
  /// - Parameter policy: How many requests at once, how many items in one, how many attempts, and how much can be undone.
  public static func favorites<ID: Hashable & Sendable>(
    policy: FavoritesPolicy = FavoritesPolicy()
  ) -> Reducer where Action == FavoritesAction<ID>, State == FavoritesState<ID> {
    .partial { action, state in state.reduce(action, policy: policy) }
  }
}
