extension Reducer {
  /// The same reducer for a whole that holds its actions as one case and its state as one property.
  ///
  /// An action of another case leaves the whole untouched. A stored property
  /// is reduced in place, at its offset; lifting again adds the offsets.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    if let offset = MemoryLayout<GlobalState>.offset(of: state) {
      return Reducer<GlobalAction, GlobalState>(
        units: units.map { $0.lift(action: action, offset: offset, in: GlobalState.self) })
    }
    return Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.lift(action: action, span: .whole) { (whole: UnsafeMutablePointer<GlobalState>, run) in
          withUnsafeMutablePointer(to: &whole.pointee[keyPath: state]) { run($0) }
        }
      })
  }

  /// The same reducer for a whole action; the state stays what it is.
  @inlinable
  public func lift<GlobalAction: Sendable>(
    action: Prism<GlobalAction, Action>
  ) -> Reducer<GlobalAction, State> {
    Reducer<GlobalAction, State>(units: units.map { $0.lift(action: action, offset: 0, in: State.self) })
  }

  /// The same reducer for a whole state; the action stays what it is.
  @inlinable
  public func lift<GlobalState: Sendable>(
    state: any WritableKeyPath<GlobalState, State> & Sendable
  ) -> Reducer<Action, GlobalState> {
    if let offset = MemoryLayout<GlobalState>.offset(of: state) {
      return Reducer<Action, GlobalState>(
        units: units.map { unit in
          unit.lift(span: StateSpan(offset: offset, of: State.self)) {
            (whole: UnsafeMutablePointer<GlobalState>, run) in
            run(UnsafeMutableRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: State.self))
          }
        })
    }
    return Reducer<Action, GlobalState>(
      units: units.map { unit in
        unit.lift(span: .whole) { (whole: UnsafeMutablePointer<GlobalState>, run) in
          withUnsafeMutablePointer(to: &whole.pointee[keyPath: state]) { run($0) }
        }
      })
  }

  /// The same reducer for a whole from which the state is taken, and put back, by closures.
  ///
  /// `set` is called only when the reducer accepted the action. The state is
  /// copied out and in, so that a collection in it is copied when it changes;
  /// prefer a key path.
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

  /// The same reducer for a state that may be absent; then its actions are not accepted.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.lift(action: action, span: StateSpan(of: state)) { (whole: UnsafeMutablePointer<GlobalState>, run) in
          // Taken out and put back, so that there is never a second reference that would force a copy.
          guard var local = whole.pointee[keyPath: state].take() else { return false }
          defer { whole.pointee[keyPath: state] = local }
          return withUnsafeMutablePointer(to: &local) { run($0) }
        }
      })
  }
}
