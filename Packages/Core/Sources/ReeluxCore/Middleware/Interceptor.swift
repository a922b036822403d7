/// The decision of an interceptor about an action.
public enum Interception<Action: Sendable>: Sendable {
  /// The action continues unchanged.
  case pass
  /// Another action replaces it.
  case replace(Action)
  /// The action is dropped.
  case drop
  /// Several actions replace it. Each passes all stages before the next one starts.
  case multiply([Action])
}

/// A function that decides about actions before any middleware or reducer handles them.
///
/// Interceptors run in their order. A replacement passes only the interceptors after the one that returned it. It has
/// the source of the original action.
///
/// ```swift
/// let onlyWhenOnline = Interceptor<AppAction, AppState> { action, source, state in
///   state().isOnline ? .pass : .drop
/// }
/// ```
public struct Interceptor<Action: Sendable, State: Sendable>: Monoid, Sendable {
  /// Returns the actions that replace an action; `nil` to pass it.
  @usableFromInline typealias Decide = @Sendable (Lent<Action>, Lent<ActionSource>, GetState<State>) -> [Action]?
  @usableFromInline let units: [Decide]

  @inlinable init(units: [Decide]) {
    self.units = units
  }

  /// Creates an interceptor from a closure.
  @inlinable public init(
    _ decide: @escaping @Sendable (Action, ActionSource, GetState<State>) -> Interception<Action>
  ) {
    units = [
      { action, source, state in
        switch decide(action.value, source.value, state) {
        case .pass: nil
        case .drop: []
        case .replace(let other): [other]
        case .multiply(let others): others
        }
      }
    ]
  }

  /// The interceptor that passes every action.
  @inlinable public static var identity: Interceptor { Interceptor(units: []) }

  /// Composes two interceptors, the left one first.
  @inlinable public static func <> (lhs: Interceptor, rhs: Interceptor) -> Interceptor {
    Interceptor(units: lhs.units + rhs.units)
  }

  /// Runs all members on one action.
  ///
  /// - Returns: The resulting actions in their order.
  @inlinable public func intercept(_ action: Action, from source: ActionSource, state: GetState<State>) -> [Action] {
    lend(action, source) { replacements(of: $0, $1, state) } ?? [action]
  }

  /// Runs all members on one action. Returns `nil` if all of them pass the action, so that no list is created.
  @inlinable func replacements(
    of action: Lent<Action>, _ source: Lent<ActionSource>, _ state: GetState<State>
  ) -> [Action]? {
    var changed: [Action]?
    for index in units.indices {
      let decide = units[index]
      if let actions = changed {
        changed = actions.flatMap { action in lend(action) { decide($0, source, state) } ?? [action] }
      } else {
        changed = decide(action, source, state)
      }
    }
    return changed
  }
}
