import ReeluxCore

/// Wakes those who wait for something to happen outside.
///
/// Whoever looks whether it has happened notes the number of rings before
/// looking, and then waits for a later one: no ring is missed.
final class Bell: Sendable {
  private struct Contents {
    var rings = 0
    var count = 0
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let contents = Locked(Contents())

  /// How often it has rung.
  var rings: Int { contents.withLock { $0.rings } }

  func ring() {
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

  private func expire(_ number: Int) {
    contents.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: false)
  }
}
