extension Feature {
  /// Returns the same feature for an app that contains its actions as one case and its state as one property.
  ///
  /// - Parameters:
  ///   - action: The case with the feature's actions, or ``Prism/identity`` to keep the action type.
  ///   - state: The property with the feature's state. Default: the same state.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, state: any WritableKeyPath<GlobalState, State> & Sendable = \State.self
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, state: state),
      middleware: middleware.lift(action: action, state: state),
      interceptor: interceptor.lift(action: action, getter: GetState.part(state)))
  }

  /// Returns the same feature for an app, with closures that read and write the feature's state.
  ///
  /// `set` is called only if the reducer accepted the action. Prefer a key path, because the closures copy the state.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>,
    get: @escaping @Sendable (GlobalState) -> State,
    set: @escaping @Sendable (inout GlobalState, State) -> Void
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, get: get, set: set),
      middleware: middleware.lift(input: action.extract, output: action.embed, state: get),
      interceptor: interceptor.lift(action: action) { $0.map(get) })
  }

  /// Returns the same feature for a state that may be absent.
  ///
  /// While the state is `nil`, the feature accepts no actions. Its effects and feeds end when the state becomes `nil`.
  /// If another value replaces the value, they go on. To end them, specify an id;
  /// see ``lift(action:optional:id:)``.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Feature<GlobalAction, GlobalState> {
    lift(action: action.addressing(EachID()), element: .value(of: state) { _ in OnlyValue() })
  }

  /// Returns the same feature for a state that may be absent, and that has an id.
  ///
  /// Its effects and feeds also end when the value has another id, for example because another user has signed in.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action: Prism<GlobalAction, Action>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable,
    id: any KeyPath<State, ID> & Sendable
  ) -> Feature<GlobalAction, GlobalState> {
    lift(action: action.addressing(EachID()), element: .value(of: state, by: id) { $0[keyPath: id] })
  }

  /// Returns the same feature for the element that the action addresses.
  ///
  /// Effect ids and feed keys of different elements are never equal. The effects and feeds of an element end when it
  /// leaves the collection.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> Feature<GlobalAction, GlobalState> {
    Feature<GlobalAction, GlobalState>(
      reducer: reducer.lift(action: action, element: element),
      middleware: Middleware(units: middleware.units.mapped { $0.lift(action: action, element: element) }),
      interceptor: interceptor.lift(action: action, element: element))
  }

  /// Returns the same feature for all elements of a collection. Each element handles each action.
  ///
  /// An action that an element's middleware sends reaches all elements. If the elements' interceptors decide
  /// differently, the store uses the first decision other than ``Interception/pass``. Costs O(count) for each action of
  /// the case.
  ///
  /// The elements have no ids, so the effects and feeds belong to positions. When an element leaves the collection,
  /// those of the last position end.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Feature<GlobalAction, GlobalState> where Elements.Element == State {
    lift(action: action.addressing(EachID()), element: .each(each) { offset, _ in offset })
  }

  /// Returns the same feature for all elements of a collection with ids, which must be unique.
  ///
  /// The effects and feeds of an element end when it leaves the collection.
  @inlinable public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Feature<GlobalAction, GlobalState> where Elements.Element == State, State: Identifiable, State.ID: Sendable {
    lift(action: action.addressing(EachID()), element: .each(each, by: \State.id) { $1.id })
  }
}

extension Interceptor {
  /// Returns the same interceptor for a whole. It is called only for actions of its case.
  @usableFromInline func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, Action>, getter: @escaping @Sendable (GetState<GlobalState>) -> GetState<State>
  ) -> Interceptor<GlobalAction, GlobalState> {
    Interceptor<GlobalAction, GlobalState>(
      units: units.map { decide in
        { action, source, state in
          guard let local = prism.extract(action.value) else { return nil }
          return lend(local) { decide($0, source, getter(state)) }?.map(prism.embed)
        }
      })
  }

  @usableFromInline func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action prism: Prism<GlobalAction, ElementAction<ID, Action>>, element: ElementPath<GlobalState, ID, State>
  ) -> Interceptor<GlobalAction, GlobalState> {
    Interceptor<GlobalAction, GlobalState>(
      units: units.map { decide in
        { action, source, whole in
          guard let local = prism.extract(action.value) else { return nil }
          let elements = whole.visit {
            element.reachesAll ? element.all($0) : element.find($0, local.id).map { [(local.id, $0)] } ?? []
          }
          for (id, present) in elements {
            let state = GetState { whole.visit { element.find($0, id) } ?? present }
            if let actions = lend(local.action, to: { decide($0, source, state) }) {
              return actions.map { prism.embed(ElementAction(id, $0)) }
            }
          }
          return nil
        }
      })
  }
}
