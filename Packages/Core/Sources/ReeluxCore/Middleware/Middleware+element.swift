extension MiddlewareUnit where InputAction == OutputAction {
  /// The unit for a whole that has the state not always, or many times.
  ///
  /// - Parameters:
  ///   - element: Where the states are.
  ///   - embed: Wraps the actions that an element's unit sends.
  ///   - answer: Finds the inner action and the elements that it is for, and calls its last argument for each element.
  @inlinable
  func partialLift<GlobalAction: Sendable, GlobalState: Sendable, Place: Hashable & Sendable>(
    claims: (@Sendable (GlobalAction) -> Bool)?, element: ElementPath<GlobalState, Place, State>,
    embed: @escaping @Sendable (Place, OutputAction) -> GlobalAction,
    answer:
      @escaping @Sendable (
        GlobalAction, GetState<GlobalState>, (UnsafePointer<InputAction>, Place, State) -> Effect<GlobalAction>
      ) -> Effect<GlobalAction>
  ) -> MiddlewareUnit<GlobalAction, GlobalAction, GlobalState> {
    let bind = self.bind
    var wholeFeeds: MiddlewareUnit<GlobalAction, GlobalAction, GlobalState>.Feeds?
    if let feeds {
      wholeFeeds = { state in
        element.all(state).flatMap { place, present in
          withUnsafePointer(to: present) { pointer in
            feeds(pointer).map { feed in feed.scoped(to: EffectID(place)).map { embed(place, $0) } }
          }
        }
      }
    }
    return MiddlewareUnit<GlobalAction, GlobalAction, GlobalState>(
      claims: claims, span: element.span, places: places.inside(elementOf: element.path), feeds: wholeFeeds
    ) { whole in
      let bound = { @Sendable (place: Place, present: State) in
        // An effect may read the state of an element that was removed. Then it reads the last state
        // that it has seen.
        bind(GetState { whole.visiting { element.element($0, place) } ?? present })
      }
      let adapt = { @Sendable (effect: Effect<OutputAction>, place: Place) in
        if effect.isNone { return Effect<GlobalAction>.none }
        let hint = LastPlace()
        return effect.belonging(
          to: PartPlace(id: EffectID(place)) { whole.visiting { element.isPresent($0, place, &hint.offset) } }
        ).map { embed(place, $0) }
      }
      return BoundMiddleware(
        handle: { action, source in
          answer(action.pointee, whole) { local, place, present in
            adapt(bound(place, present).handle(local, source), place)
          }
        },
        start: {
          whole.visiting(element.all).map { place, present in adapt(bound(place, present).start(), place) }.joined()
        })
    }
  }
}

/// The position at which an element was found last.
///
/// `@unchecked Sendable`: only the thread that runs the pipeline uses it.
@usableFromInline
final class LastPlace: @unchecked Sendable {
  @usableFromInline var offset = 0
  @usableFromInline init() {}
}

extension Middleware where InputAction == OutputAction {
  /// The same middleware for the element that the action addresses.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<ID, InputAction>>, element: ElementPath<GlobalState, ID, State>
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> {
    Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.partialLift(
          claims: action.claims, element: element, embed: { action.embed(ElementAction($0, $1)) },
          answer: { whole, state, handle in
            guard let local = action.extract(whole) else { return .none }
            guard let present = state.visiting({ element.element($0, local.id) }) else { return .none }
            return withUnsafePointer(to: local.action) { handle($0, local.id, present) }
          })
      })
  }

  /// The same middleware for a state that may be absent.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, InputAction>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> {
    lift(action: action.addressingOnlyValue, element: .value(of: state))
  }

  /// The same middleware for all elements of a collection: each handles each action.
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, InputAction>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> where Elements.Element == State {
    let element = ElementPath<GlobalState, Int, State>.byOffset(each)
    return Middleware<GlobalAction, GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.partialLift(
          claims: action.claims, element: element, embed: { action.embed($1) },
          answer: { whole, state, handle in
            guard let local = action.extract(whole) else { return .none }
            return withUnsafePointer(to: local) { local in
              state.visiting(element.all).map { handle(local, $0.id, $0.element) }.joined()
            }
          })
      })
  }
}

extension ElementPath where ID == Int {
  /// The elements of a collection, found by their offset.
  @inlinable
  static func byOffset<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    ElementPath(
      path,
      find: { elements, offset in
        let index = elements.index(elements.startIndex, offsetBy: offset, limitedBy: elements.endIndex)
        return index == elements.endIndex ? nil : index
      },
      has: { elements, offset, _ in offset < elements.count },
      all: { elements in elements.enumerated().map { ($0.offset, $0.element) } })
  }
}

extension GetState {
  /// Reads the state in place, with code of the app.
  @inlinable
  func visiting<Result>(_ look: (UnsafePointer<State>) -> Result) -> Result {
    var result: Result?
    visit(true) { result = look($0) }
    guard let result else { preconditionFailure("A getter did not call its reader.") }
    return result
  }
}
