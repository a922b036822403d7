import ReeluxCore

/// An executor that runs tasks only on request, so that a test can detect when no work is left.
///
/// Its states are *held* (jobs wait in the queue), *pumping* (one caller runs them in order until the queue is empty)
/// and *released* (jobs are passed to the ordinary executor permanently).
///
/// A job that waits for a clock, or for work outside, is not in the queue. When it can continue, it enters the queue,
/// and this counts as a change.
final class PumpExecutor: TaskExecutor {
  /// The result of pumping.
  enum Outcome {
    /// Another caller is pumping.
    case busy
    /// The queue is empty. Only a clock or work outside can add jobs.
    case empty
    /// The queue was still not empty after the limit of jobs.
    case endless
  }

  private struct Contents {
    var jobs: [UnownedJob] = []
    var isPumping = false
    var isReleased = false
    /// Callers that wait for another caller to finish pumping.
    var pumpWaiters: [CheckedContinuation<Void, Never>] = []
    /// The tasks that wait for a clock or script of this module, with a text about the wait, by the task's hash.
    var waits: [Int: String] = [:]
  }

  /// The number of jobs after which pumping is considered endless.
  private let limit = 10_000
  /// Counts the jobs that arrive while no caller pumps. The test store also counts its processed actions here.
  let changes: ChangeCounter
  private let contents = Locked(Contents())

  private static let all = Locked(PumpExecutors())

  init(changes: ChangeCounter) {
    self.changes = changes
    PumpExecutor.all.withLock { $0.insert(self) }
  }

  /// The executor that the current task prefers, if it is one of these.
  static var current: PumpExecutor? {
    guard let wanted = unsafe withUnsafeCurrentTask(body: { unsafe $0?.unownedTaskExecutor }) else { return nil }
    let candidates = all.withLock { $0 }
    return candidates.live.first { unsafe $0.asUnownedTaskExecutor() == wanted }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isReleased, isPumping) = contents.withLock { contents in
      if !contents.isReleased { contents.jobs.append(job) }
      return (contents.isReleased, contents.isPumping)
    }
    if isReleased {
      globalConcurrentExecutor.enqueue(job)
    } else if !isPumping {
      changes.add()
    }
  }

  /// Runs the waiting jobs, and the jobs that follow from them, until the queue is empty. Returns false if this does
  /// not end.
  @discardableResult nonisolated(nonsending) func pump() async -> Bool {
    while true {
      switch pumpIfFree() {
      case .empty: return true
      case .endless: return false
      case .busy:
        await withCheckedContinuation { continuation in
          let isFree = contents.withLock { contents in
            if contents.isPumping { contents.pumpWaiters.append(continuation) }
            return !contents.isPumping
          }
          if isFree { continuation.resume() }
        }
      }
    }
  }

  /// Runs the waiting jobs like `pump`, but does not wait for another caller that pumps.
  func pumpIfFree() -> Outcome {
    let isFree = contents.withLock { contents in
      defer { contents.isPumping = true }
      return !contents.isPumping
    }
    guard isFree else { return .busy }
    var count = 0
    while true {
      let (jobs, waiters, isEmpty) = take(stopping: count > limit)
      for waiter in waiters { waiter.resume() }
      if jobs.isEmpty { return isEmpty ? .empty : .endless }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      count += jobs.count
    }
  }

  /// - Returns: The jobs to run, the callers to resume, and whether no further job waits.
  private func take(stopping: Bool) -> ([UnownedJob], [CheckedContinuation<Void, Never>], Bool) {
    contents.withLock { contents in
      var jobs: [UnownedJob] = []
      var waiters: [CheckedContinuation<Void, Never>] = []
      if !stopping { swap(&jobs, &contents.jobs) }
      if jobs.isEmpty {
        contents.isPumping = false
        swap(&waiters, &contents.pumpWaiters)
      }
      return (jobs, waiters, contents.jobs.isEmpty)
    }
  }

  /// Passes the waiting jobs and all later ones to the ordinary executor.
  func release() {
    let jobs = contents.withLock { contents in
      contents.isReleased = true
      let jobs = contents.jobs
      contents.jobs = []
      return jobs
    }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
  }

  // MARK: What tasks wait for

  /// A wait of a task that only the test can end.
  struct Wait {
    fileprivate let executor: PumpExecutor
    fileprivate let task: Int

    func end() {
      executor.contents.withLock { $0.waits[task] = nil }
    }
  }

  /// Records a text about the wait of the current task. Returns `nil` if the task does not run on such an executor.
  static func beginWait(_ description: @autoclosure () -> String) -> Wait? {
    guard let executor = current, let task = unsafe withUnsafeCurrentTask(body: { unsafe $0?.hashValue }) else {
      return nil
    }
    let text = description()
    executor.contents.withLock { $0.waits[task] = text }
    return Wait(executor: executor, task: task)
  }

  /// The text about a task's wait, if only the test can end the wait; `nil` otherwise.
  func wait(ofTask hash: Int) -> String? {
    contents.withLock { $0.waits[hash] }
  }

  /// The texts about the waits of the other tasks that only the test can end.
  func waits(exceptOfTasks hashes: Set<Int>) -> [String] {
    contents.withLock { $0.waits.filter { !hashes.contains($0.key) }.values.sorted() }
  }
}

/// The executors of several test stores. A clock or script keeps those whose effects have waited for it. When the clock
/// or script changes, they are pumped.
struct PumpExecutors: Sendable {
  private struct Weak {
    weak var executor: PumpExecutor?
  }

  private var members: [Weak] = []

  /// The executors that still exist.
  var live: [PumpExecutor] { members.compactMap(\.executor) }

  /// Adds an executor if it is not a member.
  mutating func insert(_ executor: PumpExecutor?) {
    guard let executor, !members.contains(where: { $0.executor === executor }) else { return }
    members.removeAll { $0.executor == nil }
    members.append(Weak(executor: executor))
  }

  /// Runs all waiting jobs.
  nonisolated(nonsending) func pump() async {
    for executor in live { await executor.pump() }
  }
}
