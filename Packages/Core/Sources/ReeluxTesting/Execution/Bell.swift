import ReeluxCore

/// Wakes tasks that wait for something that other tasks bring about.
///
/// A task that waits notes the number of rings, looks whether it has happened, and then waits for a later ring. So no
/// ring is missed.
package final class Bell: Sendable {
  private struct Contents {
    var rings = 0
    var count = 0
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let contents = Locked(Contents())

  package init() {}

  /// How often it has rung.
  var rings: Int { contents.withLock { $0.rings } }

  /// How often a task has waited for it.
  var waits: Int { contents.withLock { $0.count } }

  /// Wakes the tasks that wait.
  package func ring() {
    let waiters = contents.withLock { contents in
      contents.rings += 1
      let waiters = Array(contents.waiters.values)
      contents.waiters = [:]
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Returns at the first ring after `rings`; false if `deadline` came first.
  nonisolated(nonsending) func wait(after rings: Int, until deadline: ContinuousClock.Instant) async -> Bool {
    let number = contents.withLock { contents in
      contents.count += 1
      return contents.count
    }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      expire(number)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let result: Bool? = contents.withLock { contents in
        if contents.rings > rings { return true }
        if ContinuousClock.now >= deadline { return false }
        contents.waiters[number] = continuation
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// Returns when a condition holds; false if it does not within the time. Each change of what the condition reads
  /// must be followed by a ring.
  package nonisolated(nonsending) func wait(until condition: () -> Bool, timeout: Duration) async -> Bool {
    let deadline = ContinuousClock.now + timeout
    while true {
      let rings = self.rings
      if condition() { return true }
      guard await wait(after: rings, until: deadline) else { return condition() }
    }
  }

  private func expire(_ number: Int) {
    contents.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: false)
  }
}
