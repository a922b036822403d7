/// One reducer of a composition, as the store runs it.
///
/// The closure takes pointers instead of values, so it costs one indirect call
/// for all types. The caller has exclusive access to both during the call.
@usableFromInline
struct ReducerUnit<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Run = @Sendable (UnsafePointer<Action>, UnsafeMutablePointer<State>) -> Bool

  /// Decides by the action's enum case whether this unit handles it; `nil` if only running the
  /// unit can decide.
  @usableFromInline let claims: (@Sendable (Action) -> Bool)?
  /// Decides without the state whether this unit handles the action; `nil` if it handles every
  /// action.
  @usableFromInline let matches: (@Sendable (UnsafePointer<Action>) -> Bool)?
  /// The bytes that it may write.
  @usableFromInline let span: StateSpan
  /// Reduces in place; returns whether it accepted the action.
  @usableFromInline let run: Run

  @inlinable
  init(
    claims: (@Sendable (Action) -> Bool)? = nil,
    matches: (@Sendable (UnsafePointer<Action>) -> Bool)? = nil,
    span: StateSpan = .whole, run: @escaping Run
  ) {
    self.claims = claims
    self.matches = matches
    self.span = span
    self.run = run
  }

  /// The unit for wholes that hold this unit's action and state.
  ///
  /// - Parameter visit: Calls its second argument with the local state in place, if it is there.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, Action>, span property: StateSpan,
    visit: @escaping @Sendable (UnsafeMutablePointer<GlobalState>, (UnsafeMutablePointer<State>) -> Bool) -> Bool
  ) -> ReducerUnit<GlobalAction, GlobalState> {
    let run = self.run
    let matches = self.matches
    let extract = prism.extract
    return ReducerUnit<GlobalAction, GlobalState>(
      claims: claims(under: prism),
      matches: { action in
        guard let local = extract(action.pointee) else { return false }
        guard let matches else { return true }
        return withUnsafePointer(to: local) { matches($0) }
      },
      span: span.inside(property)
    ) { action, state in
      guard let local = extract(action.pointee) else { return false }
      return withUnsafePointer(to: local) { local in
        // The setter of a computed property is called only if the value changes.
        if let matches, !matches(local) { return false }
        return visit(state) { run(local, $0) }
      }
    }
  }

  /// The unit for wholes that hold the local state at a fixed place.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, Action>, offset: Int, in _: GlobalState.Type
  ) -> ReducerUnit<GlobalAction, GlobalState> {
    let run = self.run
    let matches = self.matches
    let extract = prism.extract
    let property = StateSpan(offset: offset, of: State.self)
    return ReducerUnit<GlobalAction, GlobalState>(
      claims: claims(under: prism),
      matches: { action in
        guard let local = extract(action.pointee) else { return false }
        guard let matches else { return true }
        return withUnsafePointer(to: local) { matches($0) }
      },
      span: span.inside(property)
    ) { action, state in
      guard let local = extract(action.pointee) else { return false }
      // The place of a stored property, as `MemoryLayout.offset(of:)` documents it.
      let part = UnsafeMutableRawPointer(state).advanced(by: offset).assumingMemoryBound(to: State.self)
      return withUnsafePointer(to: local) { run($0, part) }
    }
  }

  /// The unit for a whole that holds many states of its kind.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action prism: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> ReducerUnit<GlobalAction, GlobalState> {
    let run = self.run
    let matches = self.matches
    let extract = prism.extract
    let update = element.update
    return ReducerUnit<GlobalAction, GlobalState>(
      claims: prism.claims,
      matches: { action in
        guard let local = extract(action.pointee) else { return false }
        guard let matches else { return true }
        return withUnsafePointer(to: local.action) { matches($0) }
      },
      span: element.span
    ) { action, state in
      guard let local = extract(action.pointee) else { return false }
      return withUnsafePointer(to: local.action) { action in
        if let matches, !matches(action) { return false }
        return update(state, local.id) { run(action, $0) }
      }
    }
  }

  /// The cases for which it is called; under the identity, its own cases.
  @inlinable
  func claims<GlobalAction: Sendable>(
    under prism: Prism<GlobalAction, Action>
  ) -> (@Sendable (GlobalAction) -> Bool)? {
    prism.claims ?? (prism.isIdentity ? claims as? @Sendable (GlobalAction) -> Bool : nil)
  }
}
