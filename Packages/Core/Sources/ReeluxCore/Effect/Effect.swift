/// The work that a middleware requests: follow-up actions, synchronous work with the new state, tasks, and
/// cancellations. The store starts this work after the observers of the current action.
///
/// `none` costs no allocation and no call. A composition is a flat list in which every member keeps its own id and
/// timing.
///
/// ```swift
/// func handle(action: Search, from source: ActionSource, state: GetState<Results>) -> Effect<Search> {
///   guard case .typed(let text) = action else { return .none }
///   return .task { .found(await index.find(text)) }
///     .debounce(id: "typing", for: .milliseconds(300), clock: clock)
/// }
/// ```
public struct Effect<Action: Sendable>: Monoid, Sendable {
  @usableFromInline let operation: EffectOperation<Action>?

  @inlinable init(_ operation: EffectOperation<Action>?) {
    self.operation = operation
  }

  @inlinable init(operations: [EffectOperation<Action>]) {
    self.init(operations.count < 2 ? operations.first : .several(operations))
  }

  /// The members of the effect.
  @inlinable var operations: [EffectOperation<Action>] {
    switch operation {
    case nil: []
    case .several(let operations): operations
    case let operation?: [operation]
    }
  }

  /// No work.
  @inlinable public static var none: Effect { Effect(nil) }

  /// No work. It is the neutral element of `<>`.
  @inlinable public static var identity: Effect { .none }

  /// Whether there is no work.
  @inlinable public var isNone: Bool {
    if case nil = operation { true } else { false }
  }

  /// Composes two effects. The members of the left effect come first.
  @inlinable public static func <> (lhs: Effect, rhs: Effect) -> Effect {
    if lhs.isNone { return rhs }
    if rhs.isNone { return lhs }
    return Effect(operations: lhs.operations + rhs.operations)
  }

  /// Returns all of these effects as one.
  @inlinable public static func merge(_ effects: Effect...) -> Effect {
    effects.joined()
  }

  /// Returns an effect that sends a follow-up action. The store adds it to the end of the queue after it has called the
  /// observers of the current action.
  ///
  /// Its source is the place of this call.
  @inlinable public static func send(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> Effect {
    let source = ActionSource(info: info, file: file, function: function, line: line)
    return Effect(.send(action, source))
  }

  /// Returns an effect that sends follow-up actions in this order.
  @inlinable public static func send(
    _ actions: [Action], info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> Effect {
    let source = ActionSource(info: info, file: file, function: function, line: line)
    return Effect(operations: actions.map { .send($0, source) })
  }

  /// Returns an effect of synchronous work after the reducers and the observers. It runs on the thread that runs the
  /// pipeline.
  ///
  /// The work reads the new state with the `state` argument of `handle`. The work of several middlewares runs in
  /// reverse order, starting with the last middleware.
  @inlinable public static func afterReducer(_ work: @escaping @Sendable (Send<Action>) -> Void) -> Effect {
    Effect(.afterReducer { send, context in if !context.hasEnded { work(send) } })
  }

  /// Returns an effect of synchronous work after the reducers and the observers that sends nothing. The work runs even
  /// if the action removed the part of the state to which the middleware is lifted.
  @inlinable package static func afterReducerAlways(_ work: @escaping @Sendable () -> Void) -> Effect {
    Effect(.afterReducer { _, _ in work() })
  }

  /// Returns an effect that cancels this middleware's running effects with this id. If there is none, nothing happens.
  ///
  /// None of the actions of their tasks arrives afterwards, not even an action that is already in the queue. An action
  /// of `send` or of after-reducer work that is already in the queue is still processed.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Returns an effect that cancels all running effects of the middlewares that are lifted to a part of this
  /// middleware's state.
  ///
  /// These are the middlewares that are composed beside this one and lifted by this key path or by a longer one. The
  /// caller does not need to know their effect ids. Feeds and detached effects are not cancelled. <doc:Effects> has the
  /// exceptions for computed properties, states without stored properties and structs with one property. The cost grows
  /// with the number of middlewares, running effects and open feeds of the store.
  ///
  /// ```swift
  /// case .signedIn: .cancel(everythingIn: \AppState.session) <> .cancel(everythingIn: \AppState.tabs)
  /// ```
  public static func cancel<State, Part>(everythingIn path: any KeyPath<State, Part> & Sendable) -> Effect {
    Effect(.cancelAll(path, element: nil))
  }

  /// Returns an effect that cancels all running effects of one element of a collection in this middleware's state. It
  /// costs as much as ``cancel(everythingIn:)``.
  ///
  /// - Parameters:
  ///   - path: The collection, as in the lift by `element`.
  ///   - id: The element's id, index or key. An id of another type is the id of no element.
  public static func cancel<State, Elements>(
    everythingIn path: any KeyPath<State, Elements> & Sendable, element id: some Hashable & Sendable
  ) -> Effect {
    Effect(.cancelAll(path, element: EffectID(id)))
  }

  /// Returns the same effect with an id for its tasks. With the id, they can be cancelled or replaced.
  ///
  /// An effect may have several ids, and each of them cancels it. A debounced effect with a further id is still
  /// debounced.
  ///
  /// - Parameter cancelInFlight: Whether starting this effect cancels a running effect with the same id. Otherwise both
  ///   run. An effect without a task also cancels it, for example a follow-up action with an answer from a cache. If
  ///   this effect is itself a `.cancel(id:)`, the parameter has no influence. The members of a merged effect do not
  ///   cancel each other.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    guard let operation else { return .none }
    let id = EffectID(id)
    return Effect(
      .inContext(operation) { $0.add(id, replaces: cancelInFlight) })
  }

  /// Returns the same effect without its binding to the part of the state that its middleware is lifted to.
  ///
  /// An effect of a lifted middleware usually ends when its element leaves the collection or its optional becomes
  /// `nil`. Detach an effect that must run to its end, for example one that saves the text of a closing sheet. If the
  /// part still exists, it receives the effect's actions. A detached effect ends with the store or the installed
  /// feature.
  public func detached() -> Effect {
    guard let operation else { return .none }
    return Effect(.inContext(operation) { $0.isDetached = true })
  }

  /// Returns the same effect with mapped actions. Ids, timing and sources are kept.
  @inlinable public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    guard let operation else { return .none }
    return Effect<Other>(operation.map(transform))
  }
}

extension Sequence {
  /// Composes all effects in their order. Costs O(number of their members).
  @inlinable public func joined<Action>() -> Effect<Action> where Element == Effect<Action> {
    Effect(operations: flatMap(\.operations))
  }
}
