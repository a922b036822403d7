/// A child store without its types, for the root's pipeline.
///
/// An action of a child passes to the root, and each child on the way stores the previous one in `below`. The root then
/// goes back from the outermost child to the one that the action was sent to:
///
/// ```
/// root ── passed.outermost ──▶ child ── below ──▶ child of the child
/// root ◀────── ChildParent ─── child ◀─ ChildParent ─ child of the child
/// ```
///
/// Only the thread that runs the root's pipeline uses it. The closures are specialised for the child's types, so
/// generic code calls fast code.
@usableFromInline struct ChildLink {
  /// The observers of this child and of its children, in the order of their subscription.
  @usableFromInline var observers: ContiguousArray<Observer> = []
  /// The middlewares of this child and of its children that keep feeds open.
  @usableFromInline var feeders: ContiguousArray<EffectOwner> = []
  @usableFromInline var hasEnded = false
  /// The child of this child that the current action came through; `nil` if the action was sent to this child.
  @usableFromInline var below: Lent<ChildLink>?
  /// Reduces the child's own state. Returns whether a reducer accepted the action.
  @usableFromInline var reduce: () -> Bool = { false }
  /// Starts the effects that the middlewares returned.
  @usableFromInline var startEffects: () -> Void = {}
  /// Names the child's action and its source, for a diagnosis.
  @usableFromInline var describe: () -> String = { "an action" }

  @inlinable init() {}

  @inlinable var hasWatchers: Bool { !observers.isEmpty || !feeders.isEmpty }
}

/// The child stores that the current action came through.
@usableFromInline struct PassedChildren {
  @usableFromInline var outermost: Lent<ChildLink>?
  /// The child store whose reducers run now.
  @usableFromInline var reducing: Lent<ChildLink>?
  /// Whether the middlewares of one of them returned effects.
  @usableFromInline var hasEffects = false

  @inlinable init() {}
}

/// The parent of a child store: a store or a child store, with closures that are specialised for its types.
///
/// Any thread may call `runIfIdle`. Any thread may call `copyState`, but only inside a read. Only the thread that runs
/// the pipeline calls the other closures.
@usableFromInline struct ChildParent<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let root: any RootPipeline
  /// This parent and its parents, as far as they are child stores.
  @usableFromInline let links: [MemoryCell<ChildLink>]
  /// Runs an action of a child if the root is idle. Otherwise returns `nil`.
  @usableFromInline let runIfIdle: @Sendable (SendOrigin?, UInt, () -> Void) -> ActionTask.Progress?
  /// Returns a copy of the state.
  @usableFromInline let copyState: @Sendable () -> State
  /// Continues with the action that a child's action is mapped to, if there is one.
  @usableFromInline let process: @Sendable (Action?, ActionSource) -> Void
  /// Reports the action if a runaway guard drops it. Returns whether it did.
  @usableFromInline let reportRunaway: @Sendable (() -> Action?, ActionSource) -> Bool

  @inlinable init(
    root: any RootPipeline, links: [MemoryCell<ChildLink>],
    runIfIdle: @escaping @Sendable (SendOrigin?, UInt, () -> Void) -> ActionTask.Progress?,
    copyState: @escaping @Sendable () -> State,
    process: @escaping @Sendable (Action?, ActionSource) -> Void,
    reportRunaway: @escaping @Sendable (() -> Action?, ActionSource) -> Bool
  ) {
    self.root = root
    self.links = links
    self.runIfIdle = runIfIdle
    self.copyState = copyState
    self.process = process
    self.reportRunaway = reportRunaway
  }
}

/// A root store's pipeline without the types of its actions and its state, for child stores and ``ActionTask``.
///
/// The functions without a comment are described in ``StoreCore``.
@usableFromInline protocol RootPipeline: AnyObject, Sendable {
  var effects: EffectTable { get }
  var passed: MemoryCell<PassedChildren> { get }
  /// Whether the calling thread runs the pipeline.
  var isRunByCallingThread: Bool { get }
  func perform(_ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void)
  func diagnoseReducer(_ operation: @autoclosure () -> String)
  /// Calls `body` while no reducer runs.
  func read<Result>(_ body: () -> Result) -> Result
  /// Adds work to the queue, such as an action of a child store. If `context.origin` is not `nil`, an effect sent the
  /// action. Its origin then stays live until the work has run.
  func enqueueWork(
    from origin: SendOrigin?, _ me: UInt, _ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void
  ) -> ActionTask.Progress
  func startEffects<Sink: EffectSink>(_ pending: inout PendingEffects<Sink.Sent>, sink: Sink)
  func start<Sink: EffectSink, Part: Sendable>(
    _ middlewares: ContiguousArray<MiddlewareBox<Sink.Sent, Part>>, _ state: GetState<Part>,
    in links: [MemoryCell<ChildLink>], sink: Sink)
  func settle() async
  func cancel(owners: Set<EffectOwner>)
  /// Ends the phase `reducing`, if the pipeline is in it, between two actions of a transaction.
  func endReducing()
  /// The number of actions that led to the current one without a task in between.
  var generation: Int { get set }
  /// Adds an observer, and calls it.
  ///
  /// - Parameters:
  ///   - links: The child store that the observer reads, and the parents of this child that are child stores.
  ///   - snapshot: Copies the state for the observer's first call. Returns a closure that makes this call.
  func subscribe(
    _ observer: Observer, in links: [MemoryCell<ChildLink>], snapshot: () -> () -> Void
  ) -> Subscription
  /// Removes an observer, which has ended.
  func forget(_ observer: Observer, in links: [MemoryCell<ChildLink>])
}
