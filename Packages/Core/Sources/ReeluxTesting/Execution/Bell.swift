import ReeluxCore

/// A bell that wakes tasks which wait for the work of other tasks.
///
/// A waiting task reads the number of rings, checks its condition, and then waits for a later ring. It therefore misses
/// no ring.
package final class Bell: Sendable {
  private struct Contents {
    var rings = 0
    var waits = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Locked(Contents())

  package init() {}

  /// The number of rings.
  var rings: Int { contents.withLock { $0.rings } }

  /// The number of times that a task has waited.
  var waits: Int { contents.withLock { $0.waits } }

  /// Wakes the waiting tasks.
  package func ring() {
    let waiters = contents.withLock { contents in
      contents.rings += 1
      let waiters = contents.waiters
      contents.waiters = []
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns at the first ring after `rings`.
  nonisolated(nonsending) func wait(after rings: Int) async {
    await withCheckedContinuation { continuation in
      let hasRung = contents.withLock { contents in
        contents.waits += 1
        if contents.rings > rings { return true }
        contents.waiters.append(continuation)
        return false
      }
      if hasRung { continuation.resume() }
    }
  }

  /// Returns true when a condition holds, or false after the timeout. Ring the bell after each change that can make the
  /// condition true.
  package nonisolated(nonsending) func wait(until condition: () -> Bool, timeout: Duration) async -> Bool {
    let limit = TimeLimit(timeout, bell: self)
    while true {
      let rings = self.rings
      if condition() { return true }
      if limit.isReached { return false }
      await wait(after: rings)
    }
  }
}

/// The longest time that a test waits. It rings a bell when this time has passed.
///
/// The time is counted in twenty parts by a task. While other tests occupy all threads, neither this task nor the
/// awaited one runs. Such a period therefore counts as at most one part, however long it is.
final class TimeLimit: Sendable {
  private static let parts = 20
  private let passed = PassedParts()
  private let timer: Task<Void, Never>

  init(_ timeout: Duration, bell: Bell) {
    let passed = passed
    timer = Task { await Self.count(timeout, in: passed, bell) }
  }

  deinit { timer.cancel() }

  var isReached: Bool { passed.count == Self.parts }

  private static func count(_ timeout: Duration, in passed: PassedParts, _ bell: Bell) async {
    while passed.count < parts {
      do { try await Task.sleep(for: timeout / parts) } catch { return }
      passed.add()
    }
    bell.ring()
  }

  private final class PassedParts: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }
}
