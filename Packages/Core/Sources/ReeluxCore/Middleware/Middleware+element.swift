extension MiddlewareUnit where InputAction == OutputAction {
  /// The unit for a whole that contains any number of its states, or none.
  @inlinable func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Hashable & Sendable>(
    action prism: Prism<GlobalAction, ElementAction<ID, InputAction>>, element: ElementPath<GlobalState, ID, State>
  ) -> MiddlewareUnit<GlobalAction, GlobalAction, GlobalState> {
    let (makeHandle, start, feeds, embed) = (self.makeHandle, self.start, self.feeds, prism.embed)
    return MiddlewareUnit<GlobalAction, GlobalAction, GlobalState>(
      claims: prism.claims, liftPath: liftPath.inside(elementOf: element.path, by: element.id), hasFeeds: hasFeeds,
      feeds: { whole in
        whole.visit(element.all).flatMap { id, present in
          feeds(GetState { present }).map { feed in feed.scoped(to: EffectID(id)).map { embed(ElementAction(id, $0)) } }
        }
      },
      start: { whole in
        whole.visit(element.all).map { id, present in
          let state = ElementState(element, .init(whole, id))
          state.storeCopy(of: present)
          return state.adapt(start(state.getter), embed, keepsCopy: true)
        }.joined()
      }
    ) {
      let handler = ElementHandler(element, prism, handle: makeHandle())
      return { handler.handle($0, from: $1, in: $2) }
    }
  }
}

/// Handles the actions of elements in one store. Only the thread that runs the pipeline uses it.
@usableFromInline
final class ElementHandler<
  WholeAction: Sendable, Whole: Sendable, ID: Hashable & Sendable, Action: Sendable, Element: Sendable
>: Sendable {
  @usableFromInline let element: ElementPath<Whole, ID, Element>
  @usableFromInline let prism: Prism<WholeAction, ElementAction<ID, Action>>
  @usableFromInline let localHandle: MiddlewareUnit<Action, Action, Element>.Handle
  /// An object that nothing else references. The next action of an element uses it, so the action allocates nothing.
  @usableFromInline let reusable = MemoryCell<ElementState<Whole, ID, Element>?>(nil)

  @inlinable init(
    _ element: ElementPath<Whole, ID, Element>, _ prism: Prism<WholeAction, ElementAction<ID, Action>>,
    handle: @escaping MiddlewareUnit<Action, Action, Element>.Handle
  ) {
    self.element = element
    self.prism = prism
    localHandle = handle
  }

  @inlinable @inline(__always) func handle(
    _ action: Lent<WholeAction>, from source: Lent<ActionSource>, in whole: GetState<Whole>
  ) -> Effect<WholeAction> {
    guard let local = prism.extract(action.value) else { return .none }
    if element.reachesAll {
      return whole.visit(element.all).map { handle(local.action, of: $0, known: $1, from: source, in: whole) }.joined()
    }
    var hint = 0
    guard whole.visit({ element.has($0, local.id, &hint) }) else { return .none }
    var id = local.id
    // To pass the closure itself to `visit` would allocate.
    if let presentID = element.presentID { id = whole.visit { presentID($0) } ?? id }
    return handle(local.action, of: id, from: source, in: whole)
  }

  /// Handles an action of an element that is present.
  ///
  /// - Parameter known: The element, in a lift over each element. It is needed if its id is not stable or not equal to
  ///   itself, because the search then fails.
  @inlinable @inline(__always) func handle(
    _ action: Action, of id: ID, known: Element? = nil, from source: Lent<ActionSource>, in whole: GetState<Whole>
  ) -> Effect<WholeAction> {
    let reusable = reusable.storage.address
    if case nil = reusable.value { reusable.value = ElementState(element, .init(whole, id)) }
    let effect = reusable.visit { state in
      state.select(id, in: whole)
      if let known, !state.isPresent() { state.storeCopy(of: known) }
      return lend(action) { localHandle($0, source, state.getter) }
    }
    let isKept = !isKnownUniquelyReferenced(&reusable.value)
    if effect.isNone && !isKept {
      reusable.visit { state in
        state.releaseWhole()
        // Only an element that cannot be found by its id has a copy here.
        if known != nil { _ = state.copy.withLock { $0.take() } }
      }
      return .none
    }
    // The middleware or its effect keeps the object, so the next action gets another one.
    guard let state = reusable.value.take() else { return .none }
    // If nothing keeps the getter, there is no copy. With a copy, the next reducer would copy the element's collections.
    if isKept { state.storeCopy() }
    return state.adapt(effect, prism.embed, keepsCopy: isKept)
  }
}

/// Reads the state of one element, for a middleware that was lifted to it.
@usableFromInline final class ElementState<Whole: Sendable, ID: Hashable & Sendable, Element: Sendable>: StateReader {
  @usableFromInline struct Target: Sendable {
    @usableFromInline var whole: GetState<Whole>
    @usableFromInline var id: ID
    @usableFromInline let isLasting: Bool

    @inlinable init(_ whole: GetState<Whole>, _ id: ID) {
      self.whole = whole
      self.id = id
      isLasting = whole.reader.isLasting
    }
  }

  @usableFromInline let path: ElementPath<Whole, ID, Element>
  /// It changes only while nothing else refers to this object.
  @usableFromInline let targetStorage: Memory<Target>
  @inlinable @inline(__always) var target: MemoryAddress<Target> { targetStorage.address }
  /// The position at which the element was found last.
  @usableFromInline let hintStorage = Memory(0)
  @inlinable @inline(__always) var hint: MemoryAddress<Int> { hintStorage.address }
  /// A copy of the element for reads after its removal. It exists only if something keeps the getter. It is made after
  /// the middleware has handled the action, and again when an effect starts, because the reducers may have changed the
  /// element. An element that cannot be found by its id is copied before the middleware handles the action.
  @usableFromInline let copy = Locked<Element?>(nil)
  /// Lends the element. The code that creates the object specialises it.
  @usableFromInline let read: @Sendable (ElementState, (Lent<Void>) -> Void) -> Void

  @inlinable init(_ path: ElementPath<Whole, ID, Element>, _ target: Target) {
    self.path = path
    targetStorage = Memory(target)
    read = { state, body in lend(state.present ?? state.copiedElement) { body($0.part(at: 0)) } }
  }

  /// Selects another element. Call it only while nothing else references this object.
  @inlinable @inline(__always) func select(_ id: ID, in whole: GetState<Whole>) {
    // The whole is usually the same, and an assignment would retain and release it.
    if target.value.whole.reader === whole.reader && target.value.whole.offset == whole.offset {
      target.value.id = id
    } else {
      target.value = Target(whole, id)
    }
  }

  /// Releases the reader of the whole after an action. In a nested lift, this reader is the object of the outer
  /// element. The outer lift reuses it for the next action.
  @inlinable func releaseWhole() {
    if !target.value.isLasting { target.value.whole = GetState(reader: noState) }
  }

  /// Reads the element. An effect may do so after the element was removed. Then it reads the element as it was when the
  /// effect began, or, if the action itself removed it, when the action was handled.
  @inlinable var getter: GetState<Element> { GetState(reader: self) }

  @usableFromInline func visit(callsApp: Bool, _ body: (Lent<Void>) -> Void) {
    read(self, body)
  }

  @inlinable var present: Element? {
    target.value.whole.visit { path.find($0, target.value.id) }
  }

  @usableFromInline var copiedElement: Element {
    guard let element = copy.withLock({ $0 }) else {
      preconditionFailure("An absent element was read.")
    }
    return element
  }

  @inlinable func isPresent() -> Bool {
    target.value.whole.visit { path.has($0, target.value.id, &hint.value) }
  }

  /// Keeps this element, or the present one, for readers that do not find the element in the state.
  @usableFromInline func storeCopy(of known: Element? = nil) {
    var element = known ?? present
    if element == nil { return }
    // The old element is released after the lock, because its end may call code of the app.
    copy.withLock { swap(&$0, &element) }
  }

  /// Returns an effect of the element as an effect of the whole.
  ///
  /// - Parameter keepsCopy: Whether something keeps the getter, so that it may be read after the end of the element.
  @inlinable func adapt<Action, WholeAction>(
    _ effect: Effect<Action>, _ embed: @escaping @Sendable (ElementAction<ID, Action>) -> WholeAction, keepsCopy: Bool
  ) -> Effect<WholeAction> {
    guard let operation = effect.operation else { return .none }
    let id = target.value.id
    let part = PartReference(id: EffectID(id)) { self.isPresent() }
    let kept = keepsCopy ? .inContext(operation) { _ in self.storeCopy() } : operation
    return Effect(.part(part, kept)).map { embed(ElementAction(id, $0)) }
  }
}
