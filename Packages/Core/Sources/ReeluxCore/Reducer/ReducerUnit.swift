/// What a reducer did with an action. If several reducers run, the greatest outcome counts.
@usableFromInline enum ReducerOutcome: Comparable, Sendable {
  /// It did not accept the action, and changed nothing.
  case rejected
  case accepted
  /// It accepted the action, and an element that is found by its id has another id now.
  case changedID
}

/// One reducer of a composition, as the store runs it.
@usableFromInline struct ReducerUnit<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Run = @Sendable (Lent<Action>, inout State) -> ReducerOutcome

  /// Decides by the action's enum case whether this unit handles it; `nil` if only running the unit can decide.
  @usableFromInline let claims: (@Sendable (Action) -> Bool)?
  /// Decides without the state whether this unit handles the action; `nil` if it handles every action.
  @usableFromInline let matches: (@Sendable (Action) -> Bool)?
  /// The bytes that this unit may write. If the unit changes one element in place and removes none, also the path to
  /// the elements.
  @usableFromInline let liftPath: LiftPath
  /// Reduces the state in place.
  @usableFromInline let run: Run

  @inlinable init(
    claims: (@Sendable (Action) -> Bool)? = nil, matches: (@Sendable (Action) -> Bool)? = nil,
    liftPath: LiftPath = .unknown, run: @escaping Run
  ) {
    self.claims = claims
    self.matches = matches
    self.liftPath = liftPath
    self.run = run
  }

  /// Returns the same unit for a whole that has the local state as a stored property.
  @inlinable func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, Action>, stored property: StoredProperty<GlobalState, State>, path: AnyKeyPath
  ) -> ReducerUnit<GlobalAction, GlobalState> {
    ReducerUnit<GlobalAction, GlobalState>(
      claims: prism.claims(with: claims), matches: matches(under: prism.extract), liftPath: liftPath.lifted(by: path)
    ) { [run, extract = prism.extract] action, state in
      guard let local = extract(action.value) else { return .rejected }
      return lend(local) { local in property.update(&state) { run(local, &$0) } }
    }
  }

  /// Returns `matches` for actions of the whole. It is compiled once, not for each type of an app.
  @usableFromInline func matches<GlobalAction>(
    under extract: @escaping @Sendable (GlobalAction) -> Action?
  ) -> @Sendable (GlobalAction) -> Bool {
    let matches = matches ?? { _ in true }
    return { extract($0).map(matches) ?? false }
  }

  /// Returns the same unit for a whole that contains any number of local states, or none.
  ///
  /// - Parameter update: Calls its third argument with the local state in place, if it is present.
  @inlinable func lift<GlobalAction: Sendable, GlobalState: Sendable, ID>(
    claims: (@Sendable (GlobalAction) -> Bool)?, action prism: Prism<GlobalAction, ElementAction<ID, Action>>,
    liftPath: LiftPath = .unknown,
    update: @escaping @Sendable (inout GlobalState, ID, (inout State) -> ReducerOutcome) -> ReducerOutcome
  ) -> ReducerUnit<GlobalAction, GlobalState> {
    let extract = prism.extract
    return ReducerUnit<GlobalAction, GlobalState>(
      claims: claims, matches: matches(under: { extract($0)?.action }), liftPath: liftPath
    ) { [run, matches] action, state in
      // An action that does not match does not reach `update`, so no getter or setter is called for it.
      guard let local = extract(action.value), matches?(local.action) ?? true else { return .rejected }
      return lend(local.action) { action in update(&state, local.id) { run(action, &$0) } }
    }
  }
}
