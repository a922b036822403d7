import Synchronization

/// A task for the work of several effects, one after the other. Each further effect follows from the last action of the
/// one before.
///
/// If an effect's last action starts another effect, that effect reuses its task. A chain of effects therefore stays on
/// one thread. With a new task for each effect, every task would wake another thread, and the store's memory would move
/// between the processors. Only finished work has a successor. Each effect can be cancelled separately, and a cancelled
/// effect has no successor.
///
/// Its states are *unset* (the task is being created), *set* and *cancelled*.
///
/// `@unchecked Sendable`: `next` is used by the launching thread before the task is created, and then by the task.
/// `task` is set before `state`.
@usableFromInline
final class EffectChain: @unchecked Sendable {
  /// It runs on its caller's executor, because a switch of executors takes as long as several allocations.
  @usableFromInline typealias Work = nonisolated(nonsending) @Sendable () async -> Void

  /// The number of effects after which the task yields to other tasks.
  private static let turn = 64

  private static let unset: UInt8 = 0
  private static let set: UInt8 = 1
  private static let cancelled: UInt8 = 2

  /// The next work. It is moved out, so that finished work is released.
  private var next: Work?
  private var madeTask: Task<Void, Never>?
  private let state = Atomic<UInt8>(unset)

  private init(_ work: @escaping Work) {
    next = work
  }

  /// Creates a task for an effect, on the preferred executor if there is one.
  @usableFromInline
  static func begin(_ run: EffectRun, _ work: @escaping Work, on executor: (any TaskExecutor)?) {
    if run.isCancelled { return }
    let chain = EffectChain(work)
    run.attach(chain)
    let priority = (run.group?.priority).flatMap { $0 == 0 ? nil : TaskPriority(rawValue: $0) }
    let locals = run.group?.locals
    // The task is detached, because the thread that runs the pipeline may be in the task of another dispatch. A task
    // with a preference for an executor, even for none, looks it up at each switch. A closure in a variable would be
    // wrapped in further ones.
    chain.madeTask =
      if let executor {
        Task.detached(executorPreference: executor, priority: priority) { await chain.work(locals) }
      } else if let locals {
        Task.detached(priority: priority) { await chain.work(locals) }
      } else {
        Task.detached(priority: priority) { await chain.work() }
      }
    let isFirst = chain.state.compareExchange(
      expected: unset, desired: set, ordering: .acquiringAndReleasing
    ).exchanged
    if !isFirst { chain.madeTask?.cancel() }
  }

  /// Continues the task with another effect. The work that has just finished calls this.
  @usableFromInline
  func lend(to run: EffectRun, _ work: @escaping Work) {
    if run.isCancelled { return }
    run.attach(self)
    next = work
  }

  /// The task; `nil` while it is being created.
  var task: Task<Void, Never>? {
    state.load(ordering: .acquiring) == Self.set ? madeTask : nil
  }

  /// Cancels the task, now or as soon as it has been created.
  func cancel() {
    let old = state.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
    if old == Self.set { madeTask?.cancel() }
  }

  nonisolated(nonsending) private func work(_ locals: TaskLocalBinding?) async {
    if let locals { await locals { await self.work() } } else { await work() }
  }

  @inline(__always)
  nonisolated(nonsending) private func work() async {
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
