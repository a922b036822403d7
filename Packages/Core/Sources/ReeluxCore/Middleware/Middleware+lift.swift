extension MiddlewareUnit {
  /// The unit for wholes: `extract` finds its actions, `embed` wraps what it sends.
  ///
  /// - Parameters:
  ///   - getter: Makes its state's getter from the whole's.
  ///   - part: Visits its state inside the whole, if it is there.
  @inlinable
  func lift<GlobalInput: Sendable, GlobalOutput: Sendable, GlobalState: Sendable>(
    claims: (@Sendable (GlobalInput) -> Bool)?,
    extract: @escaping @Sendable (GlobalInput) -> InputAction?,
    embed: @escaping @Sendable (OutputAction) -> GlobalOutput,
    span property: StateSpan, places: StatePlaces,
    getter: @escaping @Sendable (GetState<GlobalState>) -> GetState<State>,
    part: @escaping @Sendable (UnsafePointer<GlobalState>, (UnsafePointer<State>) -> Void) -> Void
  ) -> MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState> {
    let bind = self.bind
    var feeds: MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState>.Feeds?
    if let local = self.feeds {
      feeds = { whole in
        var wanted: [Feed<GlobalOutput>] = []
        part(whole) { wanted = local($0).map { $0.map(embed) } }
        return wanted
      }
    }
    return MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState>(
      claims: claims, span: span.inside(property), places: places, feeds: feeds
    ) { state in
      let inner = bind(getter(state))
      return BoundMiddleware(
        handle: { action, source in
          guard let local = extract(action.pointee) else { return .none }
          return withUnsafePointer(to: local) { inner.handle($0, source) }.map(embed)
        },
        start: { inner.start().map(embed) })
    }
  }
}

extension Middleware {
  /// The same middleware for a whole that holds its actions as one case and its state as one property.
  ///
  /// The actions that it sends are embedded as the same case.
  ///
  /// - Parameters:
  ///   - action: The case that holds its actions; ``Prism/identity`` to keep the
  ///     action type.
  ///   - state: The property that holds its state; by default the same state.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, InputAction>, state: any KeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> where InputAction == OutputAction {
    Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.lift(
          claims: action.claims ?? (action.isIdentity ? unit.claims as? @Sendable (GlobalAction) -> Bool : nil),
          extract: action.extract, embed: action.embed, span: StateSpan(of: state),
          places: unit.places.lifted(by: state),
          getter: { $0.map(state) },
          part: { whole, body in withUnsafePointer(to: whole.pointee[keyPath: state]) { body($0) } })
      })
  }

  /// The same middleware for other inputs, outputs and states; `{ $0 }` for what stays the same.
  ///
  /// - Parameters:
  ///   - input: Extracts its action from the whole's, or returns `nil`.
  ///   - output: Wraps an action that it sends.
  ///   - state: Its state inside the whole's.
  @inlinable
  public func lift<GlobalInput: Sendable, GlobalOutput: Sendable, GlobalState: Sendable>(
    input: @escaping @Sendable (GlobalInput) -> InputAction?,
    output: @escaping @Sendable (OutputAction) -> GlobalOutput,
    state: @escaping @Sendable (GlobalState) -> State
  ) -> Middleware<GlobalInput, GlobalOutput, GlobalState> {
    Middleware<GlobalInput, GlobalOutput, GlobalState>(
      units: units.map { unit in
        unit.lift(
          claims: nil, extract: input, embed: output, span: .whole, places: .unknown, getter: { $0.map(state) },
          part: { whole, body in withUnsafePointer(to: state(whole.pointee)) { body($0) } })
      })
  }
}

extension Middleware where InputAction == Never {
  /// The same middleware with another input type; it is never called with an
  /// action.
  @inlinable
  public func ignoringInput<GlobalInput: Sendable>(
    _: GlobalInput.Type = GlobalInput.self
  ) -> Middleware<GlobalInput, OutputAction, State> {
    lift(input: { _ in nil }, output: { $0 }, state: { $0 })
  }
}

extension Middleware where OutputAction == Never {
  /// The same middleware with another output type; it sends no actions.
  @inlinable
  public func withOutput<GlobalOutput: Sendable>(
    _: GlobalOutput.Type = GlobalOutput.self
  ) -> Middleware<InputAction, GlobalOutput, State> {
    lift(input: { $0 }, output: absurd, state: { $0 })
  }
}

extension Middleware where State == Void {
  /// The same middleware with another state type; it reads no state.
  @inlinable
  public func ignoringState<GlobalState: Sendable>(
    _: GlobalState.Type = GlobalState.self
  ) -> Middleware<InputAction, OutputAction, GlobalState> {
    lift(input: { $0 }, output: { $0 }, state: { _ in () })
  }
}
