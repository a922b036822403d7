/// What a middleware wants done after the current action: nothing, follow-up
/// actions, synchronous work with the new state, tasks, cancellations.
///
/// `none` is free: no allocation, no call. Combining keeps every part as it
/// is, with its own name and timing, in a flat list.
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

  /// Cancels this middleware's running effects of this name; none is no error.
  ///
  /// No action of theirs arrives after this, not even one that waits in the queue.
  @inlinable
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    Effect(.cancel(EffectID(id)))
  }

  /// Gives the effect's tasks a name, to be cancelled or replaced by it.
  ///
  /// - Parameter cancelInFlight: Whether starting it cancels the one of the same name that is
  ///   still running. Otherwise both run.
  @inlinable
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    let name = EffectID(id)
    return mapTasks { $0.traits.rename(name, cancelInFlight: cancelInFlight) }
  }

  /// The same effect with its actions translated; names, timing and sources are kept.
  @inlinable
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    guard let operation else { return .none }
    return Effect<Other>(operation.map(transform))
  }

  @inlinable
  func mapTasks(_ change: (inout EffectTask<Action>) -> Void) -> Effect {
    guard let operation else { return .none }
    return Effect(operation.mapTasks(change))
  }

  /// The same effect inside one element of a collection: its names do not meet other elements'.
  @inlinable
  func scoped(to element: EffectID) -> Effect {
    guard let operation else { return .none }
    return Effect(operation.scoped(to: element))
  }
}
