/// The work of a child store's action in the stages of its parent's action.
///
/// Both closures are specialised for the child's types, so generic code calls fast code.
@usableFromInline struct ChildStages {
  @usableFromInline enum Stage {
    /// Reduces the states of the child and of the children that the action came through.
    case reduce
    /// Calls the observers of the states that changed. It is left out if the root called them already.
    case notify
    /// Opens and closes feeds. It is left out if the root did already.
    case updateFeeds
    /// Starts the effects that the middlewares returned.
    case startEffects
  }

  /// The result of `reduce`, of the child and of the children that the action came through.
  @usableFromInline struct Outcome {
    /// Whether a reducer accepted the action.
    @usableFromInline var isAccepted = false
    /// Whether there are observers to call, feeds to update, or effects to start.
    @usableFromInline var isUnfinished = false

    @inlinable init() {}
  }

  /// Runs a stage. Returns the outcome of `reduce`, and nothing for other stages.
  @usableFromInline let run: (Stage) -> Outcome
  /// Names the child's action and its source, for a diagnosis.
  @usableFromInline let describe: () -> String

  @inlinable init(run: @escaping (Stage) -> Outcome, describe: @escaping () -> String) {
    self.run = run
    self.describe = describe
  }
}

/// The parent of a child store: a store or a child store, with closures that are specialised for its types.
///
/// Any thread may call `enter`, and `current` inside a read. Only the thread that runs the pipeline calls the other
/// closures.
@usableFromInline struct ChildParent<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let pipeline: any ParentPipeline
  /// Whether the calling thread now runs the pipeline for an action of this group. If so, it must call `leave`.
  @usableFromInline let enter: @Sendable (UInt, EffectGroup?) -> Bool
  @usableFromInline let leave: @Sendable (UInt) -> ActionTask.Progress
  @usableFromInline let current: @Sendable () -> State
  /// One transaction: a child's action, and the parent's action that it is mapped to, if there is one.
  @usableFromInline let process: @Sendable (Action?, ActionSource, ChildStages) -> Void
  /// Whether a runaway guard drops the action, and reports it.
  @usableFromInline let dropsRunaway: @Sendable (() -> Action?, ActionSource) -> Bool

  @inlinable init(
    _ pipeline: any ParentPipeline, enter: @escaping @Sendable (UInt, EffectGroup?) -> Bool,
    leave: @escaping @Sendable (UInt) -> ActionTask.Progress, current: @escaping @Sendable () -> State,
    process: @escaping @Sendable (Action?, ActionSource, ChildStages) -> Void,
    dropsRunaway: @escaping @Sendable (() -> Action?, ActionSource) -> Bool
  ) {
    self.pipeline = pipeline
    self.enter = enter
    self.leave = leave
    self.current = current
    self.process = process
    self.dropsRunaway = dropsRunaway
  }
}

/// A store, or a child store, without its types.
@usableFromInline protocol ParentPipeline: AnyObject, Sendable {
  var root: any RootPipeline { get }
  /// Adds an observer of a child store, which also reads this state.
  func add(_ observer: ChildObserver)
  func remove(_ observer: ChildObserver)
  /// Adds the feeds of a child store, which also depend on this state.
  func add(_ feeder: Feeder)
  func remove(_ feeder: Feeder)
}

/// A root store's pipeline without the types of its actions and its state, for child stores and ``ActionTask``.
@usableFromInline protocol RootPipeline: AnyObject, Sendable {
  var effects: EffectTable { get }
  /// Whether the calling thread runs the pipeline.
  var isRunByCallingThread: Bool { get }
  /// Runs work on the pipeline's thread in the order of the queue.
  func perform(_ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void)
  /// Stops the program if the calling thread is inside a reducer.
  func diagnoseReducer(_ operation: @autoclosure () -> String)
  func read<Result>(_ body: () -> Result) -> Result
  /// Adds an action of a child store to the queue, as work. If `context.origin` is not `nil`, an effect sent the
  /// action. Its origin then stays live until the work has run, and the result is `finished`.
  func enqueue(
    _ context: ActionContext, _ me: UInt, _ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void
  ) -> ActionTask.Progress
  /// Begins stage 5. Returns the group of the current action's effects.
  func beginStartingEffects() -> EffectGroup
  func execute<Sink: EffectSink>(_ effect: Effect<Sink.Sent>, _ context: EffectContext, sink: Sink)
  func open<Sink: EffectSink>(_ feed: Feed<Sink.Sent>, owner: EffectOwner, sink: Sink) -> EffectRun
  /// Returns when the queue is empty and no effect runs.
  func settle() async
  func newGroup(ticket: UInt64) -> EffectGroup
  /// Ends the effects and feeds of middlewares that are removed.
  func cancel(owners: Set<EffectOwner>)
  /// Moves on from reducing, before the next action of a transaction with several actions.
  func endReducing()
  var generation: Int { get }
  func subscribe(_ observer: ChildObserver, added: @escaping @Sendable () -> Void, snapshot: () -> () -> Void)
    -> Subscription
}
