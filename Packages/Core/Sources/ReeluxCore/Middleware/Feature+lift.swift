extension Feature {
  /// The same feature for an app that holds its actions as one case and its state as one property.
  ///
  /// - Parameters:
  ///   - action: Where its actions are; ``Prism/identity`` if they stay what they are.
  ///   - state: Where its state is; by default the state stays what it is.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, state: any WritableKeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, state: state),
      middleware: middleware.lift(action: action, state: state),
      interceptor: interceptor.lift(action: action, state: state))
  }

  /// The same feature, its case written in place, without a prism.
  ///
  /// ```swift
  /// Feature.favorites(api: api).lift(case: AppAction.favorites, state: \.favorites) {
  ///   if case .favorites(let it) = $0 { it } else { nil }
  /// }
  /// ```
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    case embed: @escaping @Sendable (Action) -> GlobalAction,
    state: any WritableKeyPath<GlobalState, State> & Sendable,
    extract: @escaping @Sendable (GlobalAction) -> Action?
  ) -> Feature<GlobalAction, GlobalState> {
    lift(action: Prism(case: embed, extract: extract), state: state)
  }

  /// The same feature for an app from which its state is taken, and put back, by closures.
  ///
  /// `set` is called only if the reducer accepted the action. The state is copied; prefer a key path.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>,
    get: @escaping @Sendable (GlobalState) -> State,
    set: @escaping @Sendable (inout GlobalState, State) -> Void
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, get: get, set: set),
      middleware: middleware.lift(input: action.extract, output: action.embed, state: get),
      interceptor: interceptor.partialLift(action: action) { $0.map(get) })
  }

  /// The same feature for a state that may be absent.
  ///
  /// While it is absent, the feature takes no actions. Its effects and feeds end when the state becomes `nil`.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Feature<GlobalAction, GlobalState> {
    lift(action: action.addressingOnlyValue, element: .value(of: state))
  }

  /// The same feature for one of many states, which the action addresses.
  ///
  /// Ids of effects and keys of feeds of different elements never meet. The
  /// effects and feeds of an element end when it leaves the collection.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, element: element),
      middleware: middleware.lift(action: action, element: element),
      interceptor: interceptor.lift(action: action, element: element))
  }

  /// The same feature for all elements of a collection: each of them handles each action.
  ///
  /// What an element's middleware sends reaches all elements. The first decision of the elements'
  /// interceptors that is not ``Interception/pass`` counts. O(count) for each action of the case.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Feature<GlobalAction, GlobalState> where Elements.Element == State {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, each: each),
      middleware: middleware.lift(action: action, each: each),
      interceptor: interceptor.lift(action: action, each: each))
  }
}

extension Interceptor {
  /// The same interceptor for a whole; it is asked about its own case's actions only.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, Action>, state: any KeyPath<GlobalState, State> & Sendable
  ) -> Interceptor<GlobalAction, GlobalState> {
    partialLift(action: prism) { $0.map(state) }
  }

  @inlinable
  func partialLift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, Action>, getter: @escaping @Sendable (GetState<GlobalState>) -> GetState<State>
  ) -> Interceptor<GlobalAction, GlobalState> {
    Interceptor<GlobalAction, GlobalState>(
      units: units.map { decide in
        { action, source, state in
          guard let local = prism.extract(action.pointee) else { return .pass }
          return withUnsafePointer(to: local) { decide($0, source, getter(state)) }.map(prism.embed)
        }
      })
  }

  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action prism: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> Interceptor<GlobalAction, GlobalState> {
    Interceptor<GlobalAction, GlobalState>(
      units: units.map { decide in
        { action, source, whole in
          guard let local = prism.extract(action.pointee) else { return .pass }
          guard let present = whole.visiting({ element.element($0, local.id) }) else { return .pass }
          let state = GetState { whole.visiting { element.element($0, local.id) } ?? present }
          return withUnsafePointer(to: local.action) { decide($0, source, state) }
            .map { prism.embed(ElementAction(local.id, $0)) }
        }
      })
  }

  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action prism: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Interceptor<GlobalAction, GlobalState> where Elements.Element == State {
    let element = ElementPath<GlobalState, Int, State>.byOffset(each)
    return Interceptor<GlobalAction, GlobalState>(
      units: units.map { decide in
        { action, source, whole in
          guard let local = prism.extract(action.pointee) else { return .pass }
          for (offset, present) in whole.visiting(element.all) {
            let state = GetState { whole.visiting { element.element($0, offset) } ?? present }
            let decision = withUnsafePointer(to: local) { decide($0, source, state) }
            if case .pass = decision { continue }
            return decision.map(prism.embed)
          }
          return .pass
        }
      })
  }
}

extension Interception {
  /// The same decision with its actions translated.
  @inlinable
  func map<Other>(_ transform: (Action) -> Other) -> Interception<Other> {
    switch self {
    case .pass: .pass
    case .drop: .drop
    case .replace(let other): .replace(transform(other))
    case .multiply(let others): .multiply(others.map(transform))
    }
  }
}
