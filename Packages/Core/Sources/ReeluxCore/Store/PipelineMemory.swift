public import Synchronization

/// A reducer in a store, with the observers that are to be called after it.
@usableFromInline final class ReducerBox<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let unit: ReducerUnit<Action, State>
  @usableFromInline let installation: Int
  @usableFromInline let watchersStorage = Memory(Watchers())
  @inlinable @inline(__always) var watchers: MemoryAddress<Watchers> { watchersStorage.address }

  @usableFromInline init(_ unit: ReducerUnit<Action, State>, installation: Int) {
    self.unit = unit
    self.installation = installation
  }
}

/// A middleware in a store.
@usableFromInline final class MiddlewareBox<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let handle: MiddlewareUnit<Action, Action, State>.Handle
  @usableFromInline let unit: MiddlewareUnit<Action, Action, State>
  @usableFromInline let owner: EffectOwner
  @usableFromInline let installation: Int

  /// - Parameter span: The bytes of the root's state whose change may remove a part of the middleware.
  @usableFromInline init(_ unit: MiddlewareUnit<Action, Action, State>, span: StateSpan, installation: Int) {
    handle = unit.makeHandle()
    owner = EffectOwner(span: span, liftPath: unit.liftPath)
    self.unit = unit
    self.installation = installation
  }
}

/// The reducers and middlewares for the actions of one enum case, looked up once.
@usableFromInline final class Route<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline let reducers: Members<ReducerBox<Action, State>>
  @usableFromInline let middlewares: Members<MiddlewareBox<Action, State>>

  @usableFromInline
  init(reducers: ContiguousArray<ReducerBox<Action, State>>, middlewares: ContiguousArray<MiddlewareBox<Action, State>>)
  {
    self.reducers = Members(reducers)
    self.middlewares = Members(middlewares)
  }
}

/// The observers that read the bytes of one reducer, and whether feeds or parts depend on these bytes.
@usableFromInline struct Watchers: ~Copyable {
  @usableFromInline let observers: Members<Observer>
  /// Whether there are no observers and no feeds, and no part of the state with effects that the reducer may remove.
  @usableFromInline let isEmpty: Bool
  /// The version of the observer table at the time of the look-up.
  @usableFromInline let version: UInt64

  /// The value before the first look-up: no observers.
  @usableFromInline init() {
    observers = Members()
    isEmpty = true
    version = 0
  }

  /// Looks up the observers of these bytes, in their order.
  @inlinable init(of span: StateSpan, in table: ObserverTable, hasFeedsOrParts: Bool) {
    observers = Members(table.observers) { $0.span.overlaps(span) }
    isEmpty = observers.count == 0 && !hasFeedsOrParts
    version = table.version
  }
}

/// What the reducers did with an action. `last` is the index of the last reducer that accepted it.
///
/// The weight is 0 if no reducer accepted the action. It is 1 if only `last` accepted it and has changed no id. It is
/// larger if several reducers accepted it, or if one has changed an id, which adds 2. `touched` then contains the spans
/// of the reducers that accepted it.
@usableFromInline typealias Reduction = (weight: Int, last: Int)

/// The effects of the current action, with their middlewares.
@usableFromInline
typealias PendingEffects<Action: Sendable> = ContiguousArray<(effect: Effect<Action>, owner: EffectOwner)>

/// Everything that only the thread that runs the pipeline uses.
@usableFromInline struct PipelineMemory<Action: Sendable, State: Sendable>: ~Copyable {
  @usableFromInline var reducers: ContiguousArray<ReducerBox<Action, State>> = []
  @usableFromInline var middlewares: ContiguousArray<MiddlewareBox<Action, State>> = []
  @usableFromInline var interceptors: ContiguousArray<(decide: Interceptor<Action, State>.Decide, installation: Int)> =
    []
  /// All interceptors, composed.
  @usableFromInline var interceptor = Interceptor<Action, State>.identity
  /// The middlewares of the store and of its child stores that keep feeds open, in the order of their start.
  @usableFromInline var feeders: ContiguousArray<EffectOwner> = []
  @usableFromInline var observers = ObserverTable()
  /// The number of changes at the last emission, for policies other than `whenReduced`.
  @usableFromInline var emittedChange: UInt64 = 0
  /// The routes by enum case. Index 0 is used for all actions if cases cannot be read.
  @usableFromInline var routes = Members<Route<Action, State>>()

  /// The effects of the current action, with their middlewares.
  @usableFromInline var pending: PendingEffects<Action> = []
  /// The spans that the accepting reducers of the current action may have changed.
  @usableFromInline var touched: ContiguousArray<StateSpan> = []
  /// ``StoreCore/deliver(_:from:_:)`` for the types of this store. The code that creates the store specialises it.
  @usableFromInline var delivery: Send<Action>.Deliver?
  /// A registered effect that starts when the pipeline is left or continues.
  @usableFromInline var deferred: EffectRun?
  /// An effect that has sent its last action and has not ended yet. It ends when the thread has left the pipeline, so
  /// that a task that waits for it finds an idle store. The deferred effect reuses its task.
  @usableFromInline var ending: EffectRun?
  @usableFromInline var parts = PartTable()

  /// The items that this thread has taken from the queue, and their follow-up actions.
  @usableFromInline var taken = TakenItems<Action>()
  @usableFromInline var current = CurrentAction<Action>()
  /// Whether the store was released and this memory was emptied.
  @usableFromInline var isEmptied = false

  @usableFromInline var nextInstallation = 0
  /// The number of merged effects so far.
  @usableFromInline var merges: UInt64 = 0
}

/// The action that the pipeline is processing.
@usableFromInline struct CurrentAction<Action: Sendable> {
  @usableFromInline var action: Lent<Action>?
  @usableFromInline var source: Lent<ActionSource>?
  /// The context of its queue item; `nil` if the action did not pass the queue.
  @usableFromInline var inherited: ActionContext?
  /// The group of its effects. It is the group of the effect that sent the action, or a new one when the action starts
  /// an effect.
  @usableFromInline var group: EffectGroup?
  @usableFromInline var ticket: UInt64 = 0
}

/// An observer: the bytes that it reads, and the closure to call.
@usableFromInline final class Observer: Sendable {
  @usableFromInline let span: StateSpan
  @usableFromInline let notify: @Sendable () -> Void
  /// Called once when the store, or the observed child store, is released, unless the observer was cancelled before.
  @usableFromInline let end: @Sendable () -> Void
  @usableFromInline let isAlive = Atomic<Bool>(true)
  /// A number that grows with each observer of the table; 0 before the observer is added.
  @usableFromInline let position = Atomic<UInt64>(0)

  @inlinable init(
    span: StateSpan, end: @escaping @Sendable () -> Void, notify: @escaping @Sendable () -> Void
  ) {
    self.span = span
    self.end = end
    self.notify = notify
  }

  /// Calls the observer, unless it was cancelled or has ended.
  @inlinable @inline(__always) func callIfAlive() {
    if isAlive.load(ordering: .relaxed) { notify() }
  }

  /// An observer that is discarded with the queue ends here.
  deinit { finish() }

  /// Calls `end`, unless the observer was cancelled or has ended before.
  @usableFromInline func finish() {
    if isAlive.exchange(false, ordering: .acquiringAndReleasing) { end() }
  }
}

/// The observers of a store, in the order of their subscription.
///
/// Only the thread that runs the pipeline uses it. Cancelled observers stay in the table until `removeCancelled`. This
/// function is never called during a notification, so a notification iterates over its list without retaining the
/// members.
@usableFromInline struct ObserverTable {
  @usableFromInline var observers: ContiguousArray<Observer> = []
  /// Changes whenever a reducer must look up its observers, feeds and parts again.
  @usableFromInline var version: UInt64 = 1
  /// The cancelled observers that are still in the list.
  private var cancelled: ContiguousArray<Observer> = []
  @usableFromInline var hasCancelled = false

  @inlinable mutating func append(_ observer: Observer) {
    observer.position.store(version, ordering: .relaxed)
    observers.append(observer)
    version += 1
  }

  /// Adds an observer to those that `removeCancelled` removes.
  mutating func cancel(_ observer: Observer) {
    cancelled.append(observer)
    hasCancelled = true
  }

  /// Removes the cancelled observers. The caller releases them when this is safe.
  mutating func removeCancelled() -> ContiguousArray<Observer> {
    if !hasCancelled { return [] }
    let removed = cancelled
    cancelled = []
    hasCancelled = false
    for observer in removed {
      if let index = index(of: observer) { observers.remove(at: index) }
    }
    version += 1
    return removed
  }

  /// Finds an observer in O(log n); `nil` if it was never added.
  private func index(of observer: Observer) -> Int? {
    let position = observer.position.load(ordering: .relaxed)
    var (low, high) = (0, observers.count)
    while low < high {
      let middle = (low + high) / 2
      if observers[middle].position.load(ordering: .relaxed) < position { low = middle + 1 } else { high = middle }
    }
    return low < observers.count && observers[low] === observer ? low : nil
  }
}
