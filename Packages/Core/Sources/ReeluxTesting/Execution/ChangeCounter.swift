import ReeluxCore

/// A counter of changes. Tasks wait for changes that other tasks make.
///
/// A waiting task reads the number of changes, checks its condition, and then waits for a later change. It therefore
/// misses no change.
package final class ChangeCounter: Sendable {
  private struct Contents {
    var count = 0
    var waits = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Locked(Contents())

  package init() {}

  /// The number of changes.
  var count: Int { contents.withLock { $0.count } }

  /// The number of times that a task has waited.
  var waits: Int { contents.withLock { $0.waits } }

  /// Counts a change, and wakes the waiting tasks.
  package func add() {
    let waiters = contents.withLock { contents in
      contents.count += 1
      let waiters = contents.waiters
      contents.waiters = []
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when there are more than `count` changes.
  nonisolated(nonsending) func wait(after count: Int) async {
    await withCheckedContinuation { continuation in
      let hasChanged = contents.withLock { contents in
        contents.waits += 1
        if contents.count > count { return true }
        contents.waiters.append(continuation)
        return false
      }
      if hasChanged { continuation.resume() }
    }
  }

  /// Returns true when a condition holds, or false after the timeout. Call ``add()`` after each change that can make
  /// the condition true.
  package nonisolated(nonsending) func wait(until condition: () -> Bool, timeout: Duration) async -> Bool {
    let limit = TimeLimit(timeout, changes: self)
    while true {
      let count = self.count
      if condition() { return true }
      if limit.isReached { return false }
      await wait(after: count)
    }
  }
}

/// The longest time that a test waits. Its end counts as a change.
///
/// The time is counted in twenty parts by a task. While other tests occupy all threads, neither this task nor the
/// awaited one runs. Such a period therefore counts as at most one part, however long it is.
final class TimeLimit: Sendable {
  private static let parts = 20
  private let passed = ChangeCounter()
  private let timer: Task<Void, Never>

  init(_ timeout: Duration, changes: ChangeCounter) {
    let passed = passed
    timer = Task { await Self.count(timeout, in: passed, changes) }
  }

  deinit { timer.cancel() }

  var isReached: Bool { passed.count == Self.parts }

  private static func count(_ timeout: Duration, in passed: ChangeCounter, _ changes: ChangeCounter) async {
    while passed.count < parts {
      do { try await Task.sleep(for: timeout / parts) } catch { return }
      passed.add()
    }
    changes.add()
  }
}
