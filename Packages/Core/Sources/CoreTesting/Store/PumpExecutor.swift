import Core

/// Runs tasks only while it is told to, so that it is known when nothing more can happen.
///
/// States: *held* (jobs wait in the queue), *pumping* (one caller runs them, in
/// the order in which they came, until none is left), *released* (for good:
/// jobs go to the ordinary executor).
///
/// A job that waits for a clock, or for something outside, is not in the
/// queue; it comes back when that happens.
final class PumpExecutor: TaskExecutor {
  private struct Contents {
    var jobs: [UnownedJob] = []
    var isPumping = false
    var isReleased = false
    /// Those who wait for another caller's pumping to end.
    var pumpWaiters: [CheckedContinuation<Void, Never>] = []
    /// Called once, when a job comes while nobody pumps.
    var wake: (@Sendable () -> Void)?
  }

  private let contents = Locked(Contents())

  private static let all = Locked<[Weak]>([])

  private struct Weak {
    weak var executor: PumpExecutor?
  }

  init() {
    PumpExecutor.all.withLock { all in
      all.removeAll { $0.executor == nil }
      all.append(Weak(executor: self))
    }
  }

  /// The one that the current task prefers, if it is one of these.
  static var current: PumpExecutor? {
    guard let wanted = withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) else { return nil }
    let candidates = all.withLock { $0.compactMap(\.executor) }
    return candidates.first { $0.asUnownedTaskExecutor() == wanted }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isReleased, wake) = contents.withLock { contents in
      if contents.isReleased { return (true, nil as (@Sendable () -> Void)?) }
      contents.jobs.append(job)
      return (false, contents.isPumping ? nil : contents.wake.take())
    }
    if isReleased { globalConcurrentExecutor.enqueue(job) }
    wake?()
  }

  /// Runs what waits, and what that leads to, until nothing is left.
  func pump() async {
    while !pumpIfFree() {
      await withCheckedContinuation { continuation in
        let isFree = contents.withLock { contents in
          if !contents.isPumping { return true }
          contents.pumpWaiters.append(continuation)
          return false
        }
        if isFree { continuation.resume() }
      }
    }
  }

  /// The same; false, and nothing happens, if someone else is pumping.
  func pumpIfFree() -> Bool {
    let isFree = contents.withLock { contents in
      if contents.isPumping { return false }
      contents.isPumping = true
      contents.wake = nil
      return true
    }
    guard isFree else { return false }
    while true {
      let (jobs, waiters) = contents.withLock { contents in
        let jobs = contents.jobs
        contents.jobs = []
        var waiters: [CheckedContinuation<Void, Never>] = []
        if jobs.isEmpty {
          contents.isPumping = false
          swap(&waiters, &contents.pumpWaiters)
        }
        return (jobs, waiters)
      }
      for waiter in waiters { waiter.resume() }
      if jobs.isEmpty { return true }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Calls `wake` once when a job comes; false, and it is thrown away, if one waits already.
  func whenJobComes(_ wake: @escaping @Sendable () -> Void) -> Bool {
    contents.withLock { contents in
      guard contents.jobs.isEmpty else { return false }
      contents.wake = wake
      return true
    }
  }

  /// Gives what waits, and everything later, to the ordinary executor.
  func release() {
    let jobs = contents.withLock { contents in
      contents.isReleased = true
      let jobs = contents.jobs
      contents.jobs = []
      return jobs
    }
    for job in jobs { globalConcurrentExecutor.enqueue(job) }
  }
}
