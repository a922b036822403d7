extension Reducer {
  /// A reducer for open sets of action and state types. It runs if both casts succeed.
  ///
  /// ```swift
  /// let reducer = Reducer<any Action, any State>.typed { (action: SetUsername, state: inout UserState) in
  ///   state.username = action.username
  /// }
  /// ```
  ///
  /// If several reducers match, all of them run, in their order.
  @inlinable
  public static func typed<SomeAction, SomeState>(
    _ reduce: @escaping @Sendable (SomeAction, inout SomeState) -> Void
  ) -> Reducer {
    .partial { action, state in
      guard let action = action as? SomeAction, var local = state as? SomeState else { return false }
      reduce(action, &local)
      guard let whole = local as? State else { return false }
      state = whole
      return true
    }
  }
}
