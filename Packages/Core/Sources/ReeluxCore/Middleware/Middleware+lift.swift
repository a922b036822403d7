extension MiddlewareUnit {
  /// The unit for wholes. `extract` finds its actions, and `embed` wraps the actions that it sends.
  ///
  /// - Parameter getter: Creates the getter of its state from the getter of the whole.
  @inlinable func lift<GlobalInput: Sendable, GlobalOutput: Sendable, GlobalState: Sendable>(
    claims: (@Sendable (GlobalInput) -> Bool)?,
    extract: @escaping @Sendable (GlobalInput) -> InputAction?,
    embed: @escaping @Sendable (OutputAction) -> GlobalOutput,
    liftPath: LiftPath, getter: @escaping @Sendable (GetState<GlobalState>) -> GetState<State>
  ) -> MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState> {
    let (makeHandle, start, feeds) = (self.makeHandle, self.start, self.feeds)
    return MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState>(
      claims: claims, liftPath: liftPath, hasFeeds: hasFeeds, feeds: { feeds(getter($0)).map { $0.map(embed) } },
      start: { start(getter($0)).map(embed) }
    ) {
      let handle = makeHandle()
      return { action, source, state in
        guard let local = extract(action.value) else { return .none }
        return lend(local) { handle($0, source, getter(state)).map(embed) }
      }
    }
  }
}

extension Middleware {
  /// Returns the same middleware for a whole that contains its actions as one case and its state as one property.
  ///
  /// The actions that it sends are embedded in the same case.
  ///
  /// - Parameters:
  ///   - action: The case with the middleware's actions, or ``Prism/identity`` to keep the action type.
  ///   - state: The property with the middleware's state. Default: the same state.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, InputAction>, state: any KeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> where InputAction == OutputAction {
    Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.mapped { unit in
        unit.lift(
          claims: action.claims(with: unit.claims), extract: action.extract, embed: action.embed,
          liftPath: unit.liftPath.lifted(by: state), getter: GetState.part(state))
      })
  }

  /// Returns the same middleware for other input actions, output actions and states. Use `{ $0 }` for an unchanged
  /// type.
  ///
  /// A store calls `input` for every action, once for each composed middleware. `state` is called at each read, with a
  /// copy of the state.
  ///
  /// - Parameters:
  ///   - input: Extracts the middleware's action from an action of the whole, or returns `nil`.
  ///   - output: Wraps an action that the middleware sends.
  ///   - state: Returns the middleware's state from the state of the whole.
  @inlinable public func lift<GlobalInput: Sendable, GlobalOutput: Sendable, GlobalState: Sendable>(
    input: @escaping @Sendable (GlobalInput) -> InputAction?,
    output: @escaping @Sendable (OutputAction) -> GlobalOutput,
    state: @escaping @Sendable (GlobalState) -> State
  ) -> Middleware<GlobalInput, GlobalOutput, GlobalState> {
    let lift = ClosureLift()
    return Middleware<GlobalInput, GlobalOutput, GlobalState>(
      units: units.mapped { unit in
        unit.lift(
          claims: nil, extract: input, embed: output, liftPath: unit.liftPath.inside(lift), getter: { $0.map(state) })
      })
  }
}

extension Middleware where InputAction == Never {
  /// Returns the same middleware with another input type. It is never called with an action.
  @inlinable public func ignoringInput<GlobalInput: Sendable>(
    _: GlobalInput.Type = GlobalInput.self
  ) -> Middleware<GlobalInput, OutputAction, State> {
    lift(input: { _ in nil }, output: { $0 }, state: { $0 })
  }
}

extension Middleware where OutputAction == Never {
  /// Returns the same middleware with another output type. It sends no actions.
  @inlinable public func withOutput<GlobalOutput: Sendable>(
    _: GlobalOutput.Type = GlobalOutput.self
  ) -> Middleware<InputAction, GlobalOutput, State> {
    lift(input: { $0 }, output: absurd, state: { $0 })
  }
}

extension Middleware where State == Void {
  /// Returns the same middleware with another state type. It reads no state.
  @inlinable public func ignoringState<GlobalState: Sendable>(
    _: GlobalState.Type = GlobalState.self
  ) -> Middleware<InputAction, OutputAction, GlobalState> {
    lift(input: { $0 }, output: { $0 }, state: { _ in () })
  }
}
