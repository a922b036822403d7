/// The decision of an interceptor about an action.
public enum Interception<Action: Sendable>: Sendable {
  /// The action passes.
  case pass
  /// Another action takes its place.
  case replace(Action)
  /// The action is dropped.
  case drop
  /// Several actions take its place. Each passes all stages before the next one
  /// begins.
  case multiply([Action])
}

/// Decides about actions before any middleware or reducer sees them.
///
/// Interceptors run in their order, and each action passes each of them once. A
/// replacing action has the source of the original one.
///
/// ```swift
/// let onlyWhenOnline = Interceptor<AppAction, AppState> { action, source, state in
///   state().isOnline ? .pass : .drop
/// }
/// ```
public struct Interceptor<Action: Sendable, State: Sendable>: Monoid, Sendable {
  @usableFromInline typealias Decide =
    @Sendable (UnsafePointer<Action>, ActionSource, GetState<State>) -> Interception<Action>
  @usableFromInline let units: [Decide]

  @inlinable
  init(units: [Decide]) {
    self.units = units
  }

  /// An interceptor made of a closure.
  @inlinable
  public init(
    _ decide: @escaping @Sendable (Action, ActionSource, GetState<State>) -> Interception<Action>
  ) {
    units = [{ action, source, state in decide(action.pointee, source, state) }]
  }

  /// The interceptor that passes everything.
  @inlinable
  public static var identity: Interceptor { Interceptor(units: []) }

  /// Both interceptors, the left one first.
  @inlinable
  public static func <> (lhs: Interceptor, rhs: Interceptor) -> Interceptor {
    Interceptor(units: lhs.units + rhs.units)
  }

  /// Runs all members on one action.
  ///
  /// - Returns: The actions that go on, in their order.
  @inlinable
  public func intercept(_ action: Action, from source: ActionSource, state: GetState<State>) -> [Action] {
    withUnsafePointer(to: action) { changes(of: $0, source, state) } ?? [action]
  }

  /// The same; `nil` if all members pass the action, for which no list is made.
  @inlinable
  func changes(of action: UnsafePointer<Action>, _ source: ActionSource, _ state: GetState<State>) -> [Action]? {
    for index in units.indices {
      switch units[index](action, source, state) {
      case .pass: continue
      case .drop: return []
      case .replace(let other): return apply(units[(index + 1)...], to: [other], source, state)
      case .multiply(let others): return apply(units[(index + 1)...], to: others, source, state)
      }
    }
    return nil
  }

  @inlinable
  func apply(
    _ rest: ArraySlice<Decide>, to actions: [Action], _ source: ActionSource, _ state: GetState<State>
  ) -> [Action] {
    var actions = actions
    for decide in rest {
      var next: [Action] = []
      for action in actions {
        let decision = withUnsafePointer(to: action) { action in
          decide(action, source, state)
        }
        switch decision {
        case .pass: next.append(action)
        case .drop: break
        case .replace(let other): next.append(other)
        case .multiply(let others): next += others
        }
      }
      actions = next
    }
    return actions
  }
}
