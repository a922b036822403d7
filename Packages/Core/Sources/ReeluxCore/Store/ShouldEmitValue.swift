/// Decides when a store calls its observers.
///
/// A policy decides about notifications only: the store keeps the reduced state under
/// every policy.
public enum ShouldEmitValue<State: Sendable>: Sendable {
  /// After every action in which a reducer accepted the action: the default.
  ///
  /// Only observers of the parts that those reducers may have changed are called. Costs nothing.
  case whenReduced
  /// After every action.
  case always
  /// Never; for stores whose state is only read.
  case never
  /// After an accepted action for which the predicate of the old and the new state holds.
  ///
  /// The store keeps the old state during the reduction, so the first change of
  /// each collection copies this collection.
  case when(@Sendable (_ old: State, _ new: State) -> Bool)
}

extension ShouldEmitValue where State: Equatable {
  /// After an accepted action that made the state different.
  ///
  /// Costs a copy and a comparison, as ``when(_:)``.
  @inlinable
  public static var whenDifferent: ShouldEmitValue { .when { $0 != $1 } }
}
