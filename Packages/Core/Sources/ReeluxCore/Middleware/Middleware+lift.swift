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
    span property: StateSpan,
    getter: @escaping @Sendable (GetState<GlobalState>) -> GetState<State>,
    part: @escaping @Sendable (UnsafePointer<GlobalState>, (UnsafePointer<State>) -> Void) -> Void
  ) -> MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState> {
    let bind = self.bind
    return MiddlewareUnit<GlobalInput, GlobalOutput, GlobalState>(
      claims: claims, span: span.inside(property)
    ) { state in
      let inner = bind(getter(state))
      var feeds: BoundMiddleware<GlobalInput, GlobalOutput, GlobalState>.Feeds?
      if let local = inner.feeds {
        feeds = { whole in
          var wanted: [Feed<GlobalOutput>] = []
          part(whole) { wanted = local($0).map { $0.map(embed) } }
          return wanted
        }
      }
      return BoundMiddleware(
        handle: { action, source in
          guard let local = extract(action.pointee) else { return .none }
          return withUnsafePointer(to: local) { inner.handle($0, source) }.map(embed)
        },
        start: { inner.start().map(embed) },
        feeds: feeds)
    }
  }
}

extension Middleware {
  /// The same middleware for a whole that holds its actions as one case and its state as one property.
  ///
  /// What it sends is embedded as the same case.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, InputAction>, state: any KeyPath<GlobalState, State> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> where InputAction == OutputAction {
    lift(claims: action.claims, extract: action.extract, embed: action.embed, path: state)
  }

  /// The same middleware for a state that may be absent.
  ///
  /// While it is absent, no action reaches the middleware. Its effects and feeds end when it becomes `nil`.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, InputAction>, optional state: any KeyPath<GlobalState, State?> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> where InputAction == OutputAction {
    Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.map { $0.optionalLift(action: action, state: state) })
  }

  /// The same middleware for other inputs, outputs and states.
  ///
  /// - Parameters:
  ///   - input: Finds its action in a whole one, or `nil` if that is none of its.
  ///   - output: Wraps an action that it sends.
  ///   - state: Its state inside the whole one.
  @inlinable
  public func lift<GlobalInput: Sendable, GlobalOutput: Sendable, GlobalState: Sendable>(
    input: @escaping @Sendable (GlobalInput) -> InputAction?,
    output: @escaping @Sendable (OutputAction) -> GlobalOutput,
    state: @escaping @Sendable (GlobalState) -> State
  ) -> Middleware<GlobalInput, GlobalOutput, GlobalState> {
    Middleware<GlobalInput, GlobalOutput, GlobalState>(
      units: units.map { unit in
        unit.lift(
          claims: nil, extract: input, embed: output, span: .whole, getter: { $0.map(state) },
          part: { whole, body in withUnsafePointer(to: state(whole.pointee)) { body($0) } })
      })
  }

  /// The same middleware for other inputs and outputs.
  @inlinable
  public func lift<GlobalInput: Sendable, GlobalOutput: Sendable>(
    input: @escaping @Sendable (GlobalInput) -> InputAction?,
    output: @escaping @Sendable (OutputAction) -> GlobalOutput
  ) -> Middleware<GlobalInput, GlobalOutput, State> {
    lift(claims: nil, extract: input, embed: output, path: \State.self)
  }

  /// The same middleware for other inputs and states.
  @inlinable
  public func lift<GlobalInput: Sendable, GlobalState: Sendable>(
    input: @escaping @Sendable (GlobalInput) -> InputAction?,
    state: @escaping @Sendable (GlobalState) -> State
  ) -> Middleware<GlobalInput, OutputAction, GlobalState> {
    lift(input: input, output: { $0 }, state: state)
  }

  /// The same middleware for other outputs and states.
  @inlinable
  public func lift<GlobalOutput: Sendable, GlobalState: Sendable>(
    output: @escaping @Sendable (OutputAction) -> GlobalOutput,
    state: @escaping @Sendable (GlobalState) -> State
  ) -> Middleware<InputAction, GlobalOutput, GlobalState> {
    Middleware<InputAction, GlobalOutput, GlobalState>(
      units: units.map { unit in
        unit.lift(
          claims: unit.claims, extract: { $0 }, embed: output, span: .whole, getter: { $0.map(state) },
          part: { whole, body in withUnsafePointer(to: state(whole.pointee)) { body($0) } })
      })
  }

  /// The same middleware for other inputs.
  @inlinable
  public func lift<GlobalInput: Sendable>(
    input: @escaping @Sendable (GlobalInput) -> InputAction?
  ) -> Middleware<GlobalInput, OutputAction, State> {
    lift(input: input, output: { $0 })
  }

  /// The same middleware for other outputs.
  @inlinable
  public func lift<GlobalOutput: Sendable>(
    output: @escaping @Sendable (OutputAction) -> GlobalOutput
  ) -> Middleware<InputAction, GlobalOutput, State> {
    lift(output: output, state: { $0 })
  }

  /// The same middleware for other states.
  @inlinable
  public func lift<GlobalState: Sendable>(
    state: @escaping @Sendable (GlobalState) -> State
  ) -> Middleware<InputAction, OutputAction, GlobalState> {
    lift(output: { $0 }, state: state)
  }

  @inlinable
  func lift<GlobalInput: Sendable, GlobalOutput: Sendable, GlobalState: Sendable>(
    claims: (@Sendable (GlobalInput) -> Bool)?,
    extract: @escaping @Sendable (GlobalInput) -> InputAction?,
    embed: @escaping @Sendable (OutputAction) -> GlobalOutput,
    path: any KeyPath<GlobalState, State> & Sendable
  ) -> Middleware<GlobalInput, GlobalOutput, GlobalState> {
    Middleware<GlobalInput, GlobalOutput, GlobalState>(
      units: units.map { unit in
        unit.lift(
          claims: claims, extract: extract, embed: embed, span: StateSpan(of: path),
          getter: { $0.map(path) },
          part: { whole, body in withUnsafePointer(to: whole.pointee[keyPath: path]) { body($0) } })
      })
  }
}

extension Middleware where InputAction == Never {
  /// The same middleware among others that take actions; it gets none.
  @inlinable
  public func ignoringInput<GlobalInput: Sendable>(
    _: GlobalInput.Type = GlobalInput.self
  ) -> Middleware<GlobalInput, OutputAction, State> {
    lift(input: { _ in nil })
  }
}

extension Middleware where OutputAction == Never {
  /// The same middleware among others that send actions; it sends none.
  @inlinable
  public func withOutput<GlobalOutput: Sendable>(
    _: GlobalOutput.Type = GlobalOutput.self
  ) -> Middleware<InputAction, GlobalOutput, State> {
    lift(output: absurd)
  }
}

extension Middleware where State == Void {
  /// The same middleware among others that read a state; it reads none.
  @inlinable
  public func ignoringState<GlobalState: Sendable>(
    _: GlobalState.Type = GlobalState.self
  ) -> Middleware<InputAction, OutputAction, GlobalState> {
    lift(state: { _ in () })
  }
}
