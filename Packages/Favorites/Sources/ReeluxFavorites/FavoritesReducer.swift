public import ReeluxCore

extension Reducer {
  /// The reducer of the favourites: optimistic wishes, confirmed or rolled back by the answers.
  ///
  /// It is pure, and takes constant time for an action about one item. An
  /// action that means nothing in the present state (an answer to an older
  /// request, a wish that is already there) is not accepted and notifies nobody.
  ///
  /// Without ``FavoritesAPIMiddleware`` a wish stays under way for ever; give
  /// both the same policy, or use `Feature.favorites(api:)`,
  /// which does.
  ///
  /// - Parameter policy: How many requests at once, and how many attempts for each.
  @inlinable
  public static func favorites<ID: Hashable & Sendable>(
    policy: FavoritesPolicy = FavoritesPolicy()
  ) -> Reducer where Action == FavoritesAction<ID>, State == FavoritesState<ID> {
    .partial { action, state in
      guard let plan = state.plan(for: action, policy: policy) else { return false }
      state.apply(plan, undoDepth: policy.undoDepth)
      return true
    }
  }
}
