public import ReeluxCore

extension Reducer {
  /// The reducer of the favourites: optimistic intents, confirmed or rolled back by the answers.
  ///
  /// It is pure, and takes constant time for an action about one item. An
  /// action that means nothing in the present state (an answer to an older
  /// request, an intent that is there already) is not accepted and notifies no
  /// observer.
  ///
  /// The state that it leaves says what the outside should do:
  /// ``FavoritesAPIMiddleware`` does it. Without one, an intent stays under way.
  ///
  /// - Parameter policy: How many requests at once, how many items in one, how many attempts, and how much can be undone.
  public static func favorites<ID: Hashable & Sendable>(
    policy: FavoritesPolicy = FavoritesPolicy()
  ) -> Reducer where Action == FavoritesAction<ID>, State == FavoritesState<ID> {
    .partial { action, state in state.reduce(action, policy: policy) }
  }
}
