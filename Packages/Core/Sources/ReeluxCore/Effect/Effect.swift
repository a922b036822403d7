/// The work of a middleware after the current action: follow-up actions,
/// synchronous work with the new state, tasks, cancellations.
///
/// `none` is free: no allocation, no call. Combining keeps every part as it
/// is, with its own id and timing, in a flat list.
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

  @inlinable
  init(_ operation: EffectOperation<Action>?) {
    self.operation = operation
  }

  @inlinable
  init(operations: [EffectOperation<Action>]) {
    self.init(operations.count < 2 ? operations.first : .several(operations))
  }

  /// The parts one by one.
  @inlinable
  var operations: [EffectOperation<Action>] {
    switch operation {
    case nil: []
    case .several(let operations): operations
    case let operation?: [operation]
    }
  }

  /// Nothing to do.
  @inlinable
  public static var none: Effect { Effect(nil) }

  /// Nothing to do; the neutral element of `<>`.
  @inlinable
  public static var identity: Effect { .none }

  /// Whether there is nothing to do.
  @inlinable
  public var isNone: Bool {
    if case nil = operation { true } else { false }
  }

  /// Both effects; the left one's parts come first.
  @inlinable
  public static func <> (lhs: Effect, rhs: Effect) -> Effect {
    if lhs.isNone { return rhs }
    if rhs.isNone { return lhs }
    return Effect(operations: lhs.operations + rhs.operations)
  }

  /// All of these effects.
  @inlinable
  public static func merge(_ effects: Effect...) -> Effect {
    Effect(operations: effects.flatMap(\.operations))
  }

  /// A follow-up action: it joins the end of the queue when the current action is done.
  ///
  /// Its source is the place of this call.
  @inlinable
  public static func send(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> Effect {
    let source = ActionSource(info: info, file: file, function: function, line: line)
    return Effect(.send(FollowUp(action, from: source)))
  }

  /// Follow-up actions, in this order.
  @inlinable
  public static func send(
    _ actions: [Action], info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> Effect {
    let source = ActionSource(info: info, file: file, function: function, line: line)
    return Effect(operations: actions.map { .send(FollowUp($0, from: source)) })
  }

  /// Synchronous work after the reducers and the observers, on the thread of the pipeline.
  ///
  /// It reads the new state through the `state` that `handle` was given. The
  /// work of several middlewares runs in reverse order: the last one's first.
  @inlinable
  public static func afterReducer(_ work: @escaping @Sendable (Send<Action>) -> Void) -> Effect {
    Effect(.afterReducer(work))
  }

  /// Cancels this middleware's running effects with this id; none is no error.
  ///
  /// No action of theirs arrives after this, not even one that waits in the queue.
  @inlinable
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Cancels all running effects of the middlewares that were lifted to a part of this middleware's state.
  ///
  /// It reaches the parts of features that are composed beside this middleware,
  /// without knowledge of their effect ids: lifted by this key path, or by a
  /// longer one. Feeds are not cancelled, they follow the state; neither are detached effects.
  ///
  /// ```swift
  /// case .signOut: .cancel(everythingIn: \AppState.session) <> .cancel(everythingIn: \AppState.tabs)
  /// ```
  @inlinable
  public static func cancel<State, Part>(everythingIn path: any KeyPath<State, Part> & Sendable) -> Effect {
    Effect(.cancelAll(PartSelection(path: path, element: nil)))
  }

  /// Cancels all running effects of one element of a collection in this middleware's state.
  ///
  /// - Parameters:
  ///   - path: The collection, as in the lift by `element`.
  ///   - id: The element's id, index or key.
  @inlinable
  public static func cancel<State, Elements>(
    everythingIn path: any KeyPath<State, Elements> & Sendable, element id: some Hashable & Sendable
  ) -> Effect {
    Effect(.cancelAll(PartSelection(path: path, element: EffectID(id))))
  }

  /// Gives the effect's tasks an id, to be cancelled or replaced by it.
  ///
  /// An effect can have several ids: a debounced effect that is given another
  /// id stays debounced, and is cancelled by either.
  ///
  /// - Parameter cancelInFlight: Whether starting it cancels the one with the same id that is
  ///   still running. Otherwise both run.
  @inlinable
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    guard let operation else { return .none }
    return Effect(operation.named(EffectName(EffectID(id), cancelsInFlight: cancelInFlight)))
  }

  /// The same effect, which does not end with the part of the state that its middleware belongs to.
  ///
  /// The effect of a lifted middleware usually ends when its element leaves the
  /// collection or its optional becomes `nil`. Detach what must run to its end,
  /// such as saving a sheet that closes. Its actions are still actions of the
  /// part: what receives them is the part that is there then, if there is one.
  /// It ends with the store or the installed feature.
  @inlinable
  public func detached() -> Effect {
    guard let operation else { return .none }
    return Effect(.detached(operation))
  }

  /// The same effect with its actions translated; ids, timing and sources are kept.
  @inlinable
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    guard let operation else { return .none }
    return Effect<Other>(operation.map(transform))
  }

  /// The same effect as one of a part of the state.
  @inlinable
  func belonging(to place: PartPlace) -> Effect {
    guard let operation else { return .none }
    return Effect(.part(place, operation))
  }
}
