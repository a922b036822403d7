/// A pure function that changes a state in place for an action.
///
/// Reducers compose: `first <> second` runs the first reducer and then the second one. ``identity`` changes nothing.
/// ``lift(action:state:)`` creates an app's reducer from a feature's reducer. A composition is a flat list.
///
/// ```swift
/// let counter = Reducer<CounterAction, Int> { action, count in
///   switch action {
///   case .increment: count += 1
///   case .decrement: count -= 1
///   }
/// }
/// ```
public struct Reducer<Action: Sendable, State: Sendable>: Monoid, Sendable {
  @usableFromInline let units: [ReducerUnit<Action, State>]

  @inlinable init(units: [ReducerUnit<Action, State>]) {
    self.units = units
  }

  /// Creates a reducer that accepts every action.
  ///
  /// Use it for a feature, because all actions of a feature are its own. An app's reducer is called with the actions of
  /// all features. For an app, write one reducer for each case with `init(_:_:)`. Otherwise, the app's observers are
  /// called for every action.
  @inlinable public init(_ reduce: @escaping @Sendable (Action, inout State) -> Void) {
    units = [
      ReducerUnit { action, state in
        reduce(action.value, &state)
        return .accepted
      }
    ]
  }

  /// Creates a reducer for one case of an action enum. It accepts no other action.
  ///
  /// ```swift
  /// Reducer(.rename) { title, state in state.title = title }
  /// ```
  @inlinable
  public init<Part>(_ prism: Prism<Action, Part>, _ reduce: @escaping @Sendable (Part, inout State) -> Void) {
    self = Reducer<Part, State>(reduce).lift(action: prism)
  }

  /// Creates a reducer for a case without payload. It accepts no other action.
  @inlinable public init(_ prism: Prism<Action, Void>, _ reduce: @escaping @Sendable (inout State) -> Void) {
    self.init(prism) { (_: Void, state: inout State) in reduce(&state) }
  }

  /// Creates a reducer for some of the actions. `reduce` returns whether the reducer accepts the action.
  ///
  /// If no reducer accepts an action, no observer is called. A reducer that returns false must not change the state.
  @inlinable public static func partial(_ reduce: @escaping @Sendable (Action, inout State) -> Bool) -> Reducer {
    Reducer(units: [ReducerUnit { reduce($0.value, &$1) ? .accepted : .rejected }])
  }

  /// The reducer that accepts no action and changes nothing.
  @inlinable public static var identity: Reducer { Reducer(units: []) }

  /// Composes two reducers, the left one first.
  @inlinable public static func <> (lhs: Reducer, rhs: Reducer) -> Reducer {
    Reducer(units: lhs.units + rhs.units)
  }

  /// Creates a reducer of all reducers of the block, in their order. An empty block gives ``identity``.
  @inlinable public static func compose(@CompositionBuilder<Reducer> _ build: () -> Reducer) -> Reducer {
    build()
  }

  /// Runs the reducer on a state of your own in the same way as a store.
  ///
  /// - Returns: Whether the reducer accepted the action.
  @inlinable @discardableResult public func reduce(_ action: Action, _ state: inout State) -> Bool {
    lend(action) { run($0, &state) } != .rejected
  }

  @inlinable func run(_ action: Lent<Action>, _ state: inout State) -> ReducerOutcome {
    var outcome = ReducerOutcome.rejected
    for unit in units { outcome = max(outcome, unit.run(action, &state)) }
    return outcome
  }

  /// The reducer as at most one unit. A lift into a computed property reads and sets this property once for each unit.
  @usableFromInline var joinedUnits: [ReducerUnit<Action, State>] {
    if units.count < 2 { return units }
    func any(_ tests: [(@Sendable (Action) -> Bool)?]) -> (@Sendable (Action) -> Bool)? {
      let known = tests.compactMap(\.self)
      if known.count < tests.count { return nil }
      return { action in known.contains { $0(action) } }
    }
    return [
      ReducerUnit(claims: any(units.map(\.claims)), matches: any(units.map(\.matches)), run: run)
    ]
  }

  /// Creates a reducer for open sets of action and state types. It runs if both casts succeed.
  ///
  /// ```swift
  /// let reducer = Reducer<any Action, any State>.typed { (action: SetUsername, state: inout UserState) in
  ///   state.username = action.username
  /// }
  /// ```
  ///
  /// If several reducers match, all of them run in order. Each works on a copy of the state. So the first change of
  /// each collection copies this collection.
  @inlinable public static func typed<SomeAction, SomeState>(
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
