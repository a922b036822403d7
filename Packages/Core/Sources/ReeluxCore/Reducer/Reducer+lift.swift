extension Reducer {
  /// The same reducer for a whole that holds its actions as one case and its state as one property.
  ///
  /// An action of another case does not change the whole. A stored property is
  /// reduced in place, at its offset; lifting again adds the offsets. A
  /// computed property is read, and set once if the reducer accepted the
  /// action.
  ///
  /// - Parameters:
  ///   - action: The case that holds the reducer's actions; ``Prism/identity`` to keep
  ///     the action type.
  ///   - state: The property that holds the reducer's state; by default the
  ///     same state.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, state: any WritableKeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Reducer<GlobalAction, GlobalState> {
    let place = StatePath(state)
    if let offset = place.offset {
      return Reducer<GlobalAction, GlobalState>(
        units: units.map { $0.lift(action: action, offset: offset, in: GlobalState.self) })
    }
    return Reducer<GlobalAction, GlobalState>(
      units: units.map { $0.lift(action: action, span: .whole, visit: place.update) })
  }

  /// The same reducer for a whole, with closures that read and write the reducer's state.
  ///
  /// `set` is called only if the reducer accepted the action. `get` copies the
  /// state, so a collection in it is copied when it changes. Prefer a key path.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>,
    get: @escaping @Sendable (GlobalState) -> State,
    set: @escaping @Sendable (inout GlobalState, State) -> Void
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.lift(action: action, span: .whole) { (whole: UnsafeMutablePointer<GlobalState>, run) in
          var local = get(whole.pointee)
          guard withUnsafeMutablePointer(to: &local, { run($0) }) else { return false }
          set(&whole.pointee, local)
          return true
        }
      })
  }

  /// The same reducer for an optional state. While the state is `nil`, no action is
  /// accepted.
  ///
  /// The value changes in place. The setter of a computed optional is called
  /// once for each accepted action, with the new value.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    lift(action: action.addressingOnlyValue, element: .value(of: state))
  }

  /// The same reducer for the element that the action addresses.
  ///
  /// Only the addressed element changes, in place. If there is no such element, the
  /// action is not accepted.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState>(units: units.map { $0.lift(action: action, element: element) })
  }

  /// The same reducer for all elements of a collection: each action reaches each element once, in order; O(count).
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State {
    let place = StatePath(each)
    return Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.lift(action: action, span: place.span) { (whole: UnsafeMutablePointer<GlobalState>, run) in
          place.update(whole) { elements in
            var accepted = false
            let isContiguous: Void? = elements.pointee.withContiguousMutableStorageIfAvailable { buffer in
              guard let first = buffer.baseAddress else { return }
              for offset in 0..<buffer.count where run(first + offset) { accepted = true }
            }
            if isContiguous != nil { return accepted }
            var index = elements.pointee.startIndex
            while index != elements.pointee.endIndex {
              if withUnsafeMutablePointer(to: &elements.pointee[index], { run($0) }) { accepted = true }
              elements.pointee.formIndex(after: &index)
            }
            return accepted
          }
        }
      })
  }

  /// The same reducer for one case of an action enum, written in place.
  ///
  /// ```swift
  /// favorites.lift(case: AppAction.favorites, state: \.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
  /// ```
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    case embed: @escaping @Sendable (Action) -> GlobalAction,
    state: any WritableKeyPath<GlobalState, State> & Sendable,
    extract: @escaping @Sendable (GlobalAction) -> Action?
  ) -> Reducer<GlobalAction, GlobalState> {
    lift(action: Prism(case: embed, extract: extract), state: state)
  }
}
