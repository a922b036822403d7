extension Reducer {
  /// Returns the same reducer for a whole that contains its actions as one case and its state as one property.
  ///
  /// An action of another case does not change the whole. A stored property is changed in place, also after several
  /// lifts. A computed property is read before the reducer runs. It is set, and read again by Swift's key path, only if
  /// the reducer accepted the action.
  ///
  /// - Parameters:
  ///   - action: The case with the reducer's actions, or ``Prism/identity`` to keep the action type.
  ///   - state: The property with the reducer's state. Default: the same state.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, state: any WritableKeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Reducer<GlobalAction, GlobalState> {
    if let stored = StoredProperty(state) {
      return Reducer<GlobalAction, GlobalState>(
        units: units.mapped { $0.lift(action: action, stored: stored, path: state) })
    }
    return liftComputed(action: action, state)
  }

  /// The lift into a computed property. It is compiled once, not for each type of an app, and is therefore slower.
  @usableFromInline func liftComputed<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, _ state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    lift(action: action, get: { $0[keyPath: state] }, set: { $0[keyPath: state] = $1 })
  }

  /// Returns the same reducer for a whole, with closures that read and write the reducer's state.
  ///
  /// `set` is called only if the reducer accepted the action. `get` copies the state, so a collection in it is copied
  /// when it changes. Prefer a key path.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>,
    get: @escaping @Sendable (GlobalState) -> State,
    set: @escaping @Sendable (inout GlobalState, State) -> Void
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState>(
      units: joinedUnits.mapped { unit in
        unit.lift(claims: action.claims(with: unit.claims), action: action.addressing(OnlyValue())) { whole, _, run in
          var local = get(whole)
          let outcome = run(&local)
          if outcome != .rejected { set(&whole, local) }
          return outcome
        }
      })
  }

  /// Returns the same reducer for an optional state. While the state is `nil`, no action is accepted.
  ///
  /// The value changes in place. The setter of a computed optional is called once for each accepted action with the new
  /// value.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    lift(action: action.addressing(EachID()), element: .value(of: state) { _ in OnlyValue() })
  }

  /// Returns the same reducer for the element that the action addresses.
  ///
  /// Only the addressed element changes, in place. If there is no such element, the action is not accepted.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> Reducer<GlobalAction, GlobalState> {
    // Joined units set a computed property once for all of them, and change each element once.
    let isJoined = element.liftPath.span == .whole || element.reachesAll
    return Reducer<GlobalAction, GlobalState>(
      units: (isJoined ? joinedUnits : units).mapped {
        $0.lift(
          claims: action.claims, action: action, liftPath: element.liftPath, update: element.update)
      })
  }

  /// Returns the same reducer for all elements of a collection. Each action reaches each element once, in order. Costs
  /// O(count).
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State {
    lift(action: action.addressing(EachID()), element: .each(each) { offset, _ in offset })
  }
}
