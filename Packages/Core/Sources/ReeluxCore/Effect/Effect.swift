/// The work of a middleware after the current action: follow-up actions,
/// synchronous work with the new state, tasks, cancellations.
///
/// `none` is free: no allocation, no call. A combination is a flat list, in
/// which every part keeps its own id and timing.
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

  /// No work.
  @inlinable
  public static var none: Effect { Effect(nil) }

  /// No work; the neutral element of `<>`.
  @inlinable
  public static var identity: Effect { .none }

  /// Whether there is no work.
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

  /// A follow-up action. It joins the end of the queue after the current action's
  /// observers.
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

  /// Synchronous work after the reducers and the observers, on the thread that runs the
  /// pipeline.
  ///
  /// It reads the new state through the `state` that `handle` was given. The
  /// work of several middlewares runs in reverse order: the last one's first.
  @inlinable
  public static func afterReducer(_ work: @escaping @Sendable (Send<Action>) -> Void) -> Effect {
    Effect(.afterReducer(work))
  }

  /// Cancels this middleware's running effects with this id. An unknown id is
  /// not an error.
  ///
  /// No action of theirs arrives after this, also if the action was already in the
  /// queue.
  @inlinable
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Cancels all running effects of the middlewares that were lifted to a part of this middleware's state.
  ///
  /// It cancels effects of features that are composed beside this middleware and lifted by
  /// this key path or by a longer one. Their effect ids need not be known. Feeds and detached
  /// effects are not cancelled.
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
  /// An effect can have several ids. A debounced effect with another id stays
  /// debounced, and either id cancels it.
  ///
  /// - Parameter cancelInFlight: Whether starting it cancels a running effect with the same
  ///   id. Otherwise both run.
  @inlinable
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    guard let operation else { return .none }
    return Effect(operation.named(EffectName(EffectID(id), cancelsInFlight: cancelInFlight)))
  }

  /// The same effect, which does not end with the part of the state that its middleware belongs to.
  ///
  /// The effect of a lifted middleware usually ends when its element leaves the
  /// collection or its optional becomes `nil`. Detach an effect that must run
  /// to its end, for example one that saves the text of a sheet that closes.
  /// Its actions still go to the part, if there is one then. A detached effect
  /// ends with the store or the installed feature.
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
