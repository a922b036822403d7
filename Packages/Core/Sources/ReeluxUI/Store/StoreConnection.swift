import ReeluxCore
import Synchronization

/// The connection between a store, which belongs to no actor, and the stores that show it on the main actor.
///
/// - Down: the store's observer requests a turn. In this turn the main actor reads the store's newest state. All reads
///   are on the main actor, so an older state never replaces a newer one.
/// - Up: an action is dispatched, and the main actor waits until it is reduced; see ``deliver(_:from:shown:)``.
@MainActor
final class StoreConnection<Action: Sendable, State: Sendable> {
  /// An action that was not reduced when its call returned, and the closure to call when its change is shown.
  private struct Late {
    let latch: ReductionLatch
    let shown: @MainActor () -> Void
  }

  private let dispatch: @MainActor (Action, ActionSource) -> ActionTask
  private let read: @MainActor () -> State
  private let waitLimit: Duration
  private let turn = MainActorTurn()
  private var late: [Late] = []
  private var subscription: Subscription?
  private let watches = Watches<State>()
  weak var view: MainActorStore<Action, State>?

  /// The trackers whose closures sent actions since the last turn; see ``deliver(_:from:shown:)``.
  private(set) var sendingTrackers: Registration?

  init(_ store: some StoreType<Action, State>, waitLimit: Duration) {
    if let provider = store as? any ActionTaskProvider<Action> {
      dispatch = { provider.send($0, from: $1) }
    } else {
      dispatch = { action, source in
        store.dispatch(action, from: source)
        return .complete
      }
    }
    read = { store.state }
    self.waitLimit = waitLimit
    turn.work = { [weak self] in self?.takeTurn() }
    subscription = store.subscribe(observer)
  }

  /// Creates a connection to a provider without actions.
  init(observing provider: some StateProvider<State>) {
    dispatch = { _, _ in .complete }
    read = { provider.state }
    waitLimit = .zero
    turn.work = { [weak self] in self?.takeTurn() }
    subscription = provider.subscribe(observer)
  }

  private var observer: @Sendable (State) -> Void {
    { [turn, watches, count = watches.count] state in
      // The order matters. A part that is read before the request is checked below. A part that is read after it is
      // checked by `watch`, because `newest` is then not `nil`.
      turn.request(isChanged: true)
      if count.value.load(ordering: .relaxed) > 0 { watches.look(at: state) }
    }
  }

  /// The newest state, if it is not displayed yet.
  var newest: State? { turn.isChanged ? read() : nil }

  /// See ``MainActorStore/watch(_:)``.
  func watch(_ look: @escaping Watches<State>.Look) {
    watches.add(look)
    if let newest { _ = look(newest) }
  }

  /// Sends an action and shows its change.
  ///
  /// Three cases:
  /// - The store is idle: this thread has reduced the action when `dispatch` returns.
  /// - Another thread runs the pipeline: this thread waits until that thread has reduced the action, at most for
  ///   `waitLimit`. It does not wait while an earlier action of this store is still in the queue.
  /// - This thread runs the pipeline, because the call comes from an observer or a middleware. It cannot wait.
  ///
  /// `shown` is called when the displayed state includes the action: before this function returns, or in a later turn.
  ///
  /// If a tracked closure sends an action, it is registered only after it has returned and would miss the change. It is
  /// called in the next turn instead.
  func deliver(_ action: Action, from source: ActionSource, shown: @escaping @MainActor () -> Void) -> MainActorTask {
    let task = dispatch(action, source)
    let latch = ReductionLatch()
    let isReduced =
      switch task.whenReduced(Self.opener(latch)) {
      case .complete: true
      case .queued: late.allSatisfy(\.latch.isOpen) && latch.wait(atMost: waitLimit)
      case .queuedByPipeline: false
      }
    if !isReduced {
      late.append(Late(latch: latch, shown: shown))
      latch.follow(with: turn)
    }
    if refresh() {
      let trackers = sendingTrackers ?? Registration()
      sendingTrackers = trackers
      trackers.access()
      turn.request()
    }
    if isReduced { shown() }
    return MainActorTask(task) { [weak self] in _ = self?.refresh() }
  }

  /// Only the closure refers to the key. If the queue discards the closure, the latch opens.
  private static func opener(_ latch: ReductionLatch) -> @Sendable () -> Void {
    let key = LatchKey(latch)
    return { key.use() }
  }

  private func takeTurn() {
    refresh()
    sendingTrackers.take()?.notify()
  }

  /// Shows the store's newest state.
  ///
  /// - Returns: Whether a tracker was called, or an action that waited in the queue was reduced.
  @discardableResult func refresh() -> Bool {
    // Actions that are reduced before the state is read are part of this state.
    // Each latch is read once, because another thread may open it meanwhile.
    var reduced: [Late] = []
    var waiting: [Late] = []
    for action in late {
      if action.latch.isOpen { reduced.append(action) } else { waiting.append(action) }
    }
    late = waiting
    var hasNotified = false
    if turn.takeChange(), let view { hasNotified = view.show(read()) }
    for action in reduced { action.shown() }
    return hasNotified || !reduced.isEmpty
  }
}
