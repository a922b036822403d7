extension MiddlewareUnit where InputAction == OutputAction {
  /// The unit for a whole in which the state is not always there, or is there many times.
  ///
  /// - Parameters:
  ///   - extract: Finds the action and the name of the place that it is for.
  ///   - find: The state at a place, if it is there.
  ///   - all: All places where it is there, for starts and feeds.
  @inlinable
  func partialLift<GlobalAction: Sendable, GlobalState: Sendable, Place: Hashable & Sendable>(
    claims: (@Sendable (GlobalAction) -> Bool)?, span: StateSpan,
    extract: @escaping @Sendable (GlobalAction) -> ElementAction<Place, InputAction>?,
    embed: @escaping @Sendable (Place, OutputAction) -> GlobalAction,
    find: @escaping @Sendable (GlobalState, Place) -> State?,
    all: @escaping @Sendable (GlobalState) -> [(Place, State)]
  ) -> MiddlewareUnit<GlobalAction, GlobalAction, GlobalState> {
    let bind = self.bind
    return MiddlewareUnit<GlobalAction, GlobalAction, GlobalState>(claims: claims, span: span) { whole in
      let bound = { @Sendable (place: Place, present: State) in
        // An effect may still read the state of an element that is gone: it reads the last one it saw.
        bind(GetState { whole.read { find($0, place) } ?? present })
      }
      let adapt = { @Sendable (effect: Effect<OutputAction>, place: Place) in
        if effect.isNone { return Effect<GlobalAction>.none }
        return effect.belonging(
          to: PartPlace(id: EffectID(place)) { whole.read { find($0, place) != nil } }
        ).map { embed(place, $0) }
      }
      return BoundMiddleware(
        handle: { action, source in
          guard let local = extract(action.pointee) else { return .none }
          guard let present = whole.read({ find($0, local.id) }) else { return .none }
          return withUnsafePointer(to: local.action) { action in
            adapt(bound(local.id, present).handle(action, source), local.id)
          }
        },
        start: {
          whole.read(all).map { place, present in adapt(bound(place, present).start(), place) }.joined()
        },
        feeds: { state in
          all(state.pointee).flatMap { place, present in
            withUnsafePointer(to: present) { pointer in
              (bound(place, present).feeds?(pointer) ?? []).map { feed in
                feed.scoped(to: EffectID(place)).map { embed(place, $0) }
              }
            }
          }
        })
    }
  }

  @inlinable
  func optionalLift<GlobalAction: Sendable, GlobalState: Sendable>(
    action prism: Prism<GlobalAction, InputAction>, state: any KeyPath<GlobalState, State?> & Sendable
  ) -> MiddlewareUnit<GlobalAction, GlobalAction, GlobalState> {
    partialLift(
      claims: prism.claims, span: StateSpan(of: state),
      extract: { prism.extract($0).map { ElementAction(0, $0) } },
      embed: { (_: Int, action) in prism.embed(action) },
      find: { whole, _ in whole[keyPath: state] },
      all: { whole in whole[keyPath: state].map { [(0, $0)] } ?? [] })
  }
}

extension Middleware where InputAction == OutputAction {
  /// The same middleware for each element of a collection, found by its id.
  ///
  /// Ids of effects and keys of feeds of different elements never meet.
  /// Effects and feeds of an element end when it leaves the collection. O(count) for each action.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: Collection & Sendable>(
    action: Prism<GlobalAction, ElementAction<State.ID, InputAction>>,
    element: any KeyPath<GlobalState, Elements> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState>
  where Elements.Element == State, State: Identifiable, State.ID: Sendable {
    Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.partialLift(
          claims: action.claims, span: StateSpan(of: element), extract: action.extract,
          embed: { action.embed(ElementAction($0, $1)) },
          find: { whole, id in whole[keyPath: element].first { $0.id == id } },
          all: { whole in whole[keyPath: element].map { ($0.id, $0) } })
      })
  }

  /// The same middleware for each value of a dictionary, found by its key in O(1).
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Key: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<Key, InputAction>>,
    key: any KeyPath<GlobalState, [Key: State]> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> {
    Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.partialLift(
          claims: action.claims, span: StateSpan(of: key), extract: action.extract,
          embed: { action.embed(ElementAction($0, $1)) },
          find: { whole, id in whole[keyPath: key][id] },
          all: { whole in whole[keyPath: key].map { ($0.key, $0.value) } })
      })
  }
}
