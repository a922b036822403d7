import Synchronization

/// A task that does an effect's work, and then that of the effect which the work's last action led to, and so on.
///
/// If an effect's last action starts another effect, that effect reuses its
/// task. So a chain of effects stays on one thread. With a new task for each,
/// every task would wake another thread, and the store's memory would move
/// between the processors. Only finished work has a successor. Each effect can
/// be cancelled by itself, and a cancelled effect has no successor.
///
/// States: *unset* (the task is being made), *set*, *cancelled*.
///
/// `@unchecked Sendable`: `next` is used by the launching thread before the task
/// is made, and by the task; `task` is set before `state` says so.
@usableFromInline
final class EffectChain: @unchecked Sendable {
  @usableFromInline typealias Work = @Sendable () async -> Void

  /// The number of effects after which the task yields to other tasks.
  private static let turn = 64

  private static let unset: UInt8 = 0
  private static let set: UInt8 = 1
  private static let cancelled: UInt8 = 2

  /// The next work; it is moved out, so finished work is released.
  private var next: Work?
  private var madeTask: Task<Void, Never>?
  private let state = Atomic<UInt8>(unset)

  private init(_ work: @escaping Work) {
    next = work
  }

  /// Makes a task for an effect, on an executor if there is one to prefer.
  @usableFromInline
  static func begin(_ run: EffectRun, _ work: @escaping Work, on executor: (any TaskExecutor)?) {
    if run.isCancelled { return }
    let chain = EffectChain(work)
    run.attach(chain)
    let priority = (run.group?.priority).flatMap { $0 == 0 ? nil : TaskPriority(rawValue: $0) }
    let locals = run.group?.locals
    // Detached: the thread that runs the pipeline may be in another dispatch's task.
    let task = Task.detached(executorPreference: executor, priority: priority) {
      if let locals { await locals { await chain.work() } } else { await chain.work() }
    }
    chain.madeTask = task
    let isFirst = chain.state.compareExchange(
      expected: unset, desired: set, ordering: .acquiringAndReleasing
    ).exchanged
    if !isFirst { task.cancel() }
  }

  /// Gives the task to another effect; called by the work that has just
  /// finished.
  @usableFromInline
  func lend(to run: EffectRun, _ work: @escaping Work) {
    if run.isCancelled { return }
    run.attach(self)
    next = work
  }

  /// The task; `nil` while it is being made.
  var task: Task<Void, Never>? {
    state.load(ordering: .acquiring) == Self.set ? madeTask : nil
  }

  /// Cancels the task, now or as soon as it is made.
  func cancel() {
    let old = state.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
    if old == Self.set { madeTask?.cancel() }
  }

  private func work() async {
    var count = 0
    while let work = next.take() {
      if count == Self.turn {
        count = 0
        await Task.yield()
      }
      count += 1
      await work()
    }
  }
}
