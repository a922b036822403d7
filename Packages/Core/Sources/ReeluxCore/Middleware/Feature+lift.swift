extension Feature {
  /// The same feature for an app that holds its actions as one case and its state as one property.
  ///
  /// - Parameters:
  ///   - action: The case that holds the feature's actions; ``Prism/identity`` to keep
  ///     the action type.
  ///   - state: The property that holds the feature's state; by default the
  ///     same state.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, state: any WritableKeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, state: state),
      middleware: middleware.lift(action: action, state: state),
      interceptor: interceptor.lift(action: action, state: state))
  }

  /// The same feature for an app, with the case in place of a prism.
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

  /// The same feature for an app, with closures that read and write the feature's state.
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
  /// While the state is `nil`, the feature takes no actions. Its effects and feeds end when the state becomes
  /// `nil`.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Feature<GlobalAction, GlobalState> {
    lift(action: action.addressingOnlyValue, element: .value(of: state))
  }

  /// The same feature for the element that the action addresses.
  ///
  /// Effect ids and feed keys of different elements are never equal. The
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
  /// An action that an element's middleware sends reaches all elements. Of the elements'
  /// interceptors, the first decision other than ``Interception/pass`` is used. O(count) for each
  /// action of the case.
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
  /// The same interceptor for a whole; it is called for the actions of its own case
  /// only.
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
