/// A pure function that changes a state in place for an action.
///
/// Reducers compose: `first <> second` runs the first reducer and then the
/// second one. ``identity`` changes nothing. ``lift(action:state:)`` makes an
/// app's reducer out of a feature's. A composition is a flat list.
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

  @inlinable
  init(units: [ReducerUnit<Action, State>]) {
    self.units = units
  }

  /// A reducer that accepts every action it is given.
  ///
  /// Use it for a feature, because a feature's actions are all its own. An
  /// app's reducer is called with the actions of all features. There, write one
  /// reducer for each case, by `init(_:_:)`. Otherwise the app's observers are
  /// called for every action.
  @inlinable
  public init(_ reduce: @escaping @Sendable (Action, inout State) -> Void) {
    units = [
      ReducerUnit { action, state in
        reduce(action.pointee, &state.pointee)
        return true
      }
    ]
  }

  /// A reducer for one case of an action enum, which accepts no other action.
  ///
  /// ```swift
  /// Reducer(.rename) { title, state in state.title = title }
  /// ```
  @inlinable
  public init<Part>(_ prism: Prism<Action, Part>, _ reduce: @escaping @Sendable (Part, inout State) -> Void) {
    self = Reducer<Part, State>(reduce).lift(action: prism)
  }

  /// A reducer for a case without payload, which accepts no other action.
  @inlinable
  public init(_ prism: Prism<Action, Void>, _ reduce: @escaping @Sendable (inout State) -> Void) {
    self.init(prism) { (_: Void, state: inout State) in reduce(&state) }
  }

  /// A reducer for some of the actions: `reduce` returns whether the action was one of them.
  ///
  /// If no reducer accepts an action, no observer is called. A reducer that
  /// returns false must leave the state as it was.
  @inlinable
  public static func partial(_ reduce: @escaping @Sendable (Action, inout State) -> Bool) -> Reducer {
    Reducer(units: [ReducerUnit { action, state in reduce(action.pointee, &state.pointee) }])
  }

  /// The reducer that accepts nothing and changes nothing.
  @inlinable
  public static var identity: Reducer { Reducer(units: []) }

  /// Both reducers, the left one first.
  @inlinable
  public static func <> (lhs: Reducer, rhs: Reducer) -> Reducer {
    Reducer(units: lhs.units + rhs.units)
  }

  /// All reducers of the block, in their order; ``identity`` for an empty
  /// block.
  @inlinable
  public static func compose(@CompositionBuilder<Reducer> _ build: () -> Reducer) -> Reducer {
    build()
  }

  /// Runs the reducer on a state of your own, as a store would.
  ///
  /// - Returns: Whether it accepted the action.
  @inlinable
  @discardableResult
  public func reduce(_ action: Action, _ state: inout State) -> Bool {
    var accepted = false
    withUnsafePointer(to: action) { action in
      withUnsafeMutablePointer(to: &state) { state in
        for unit in units where unit.run(action, state) { accepted = true }
      }
    }
    return accepted
  }
}

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
