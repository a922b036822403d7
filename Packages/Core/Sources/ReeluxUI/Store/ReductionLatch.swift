import Dispatch
import ReeluxCore

/// A latch that opens when an action is reduced. The main actor can wait for it for a limited time.
final class ReductionLatch: Sendable {
  private enum Contents: Sendable {
    case closed
    case waited(DispatchSemaphore)
    case followed(MainActorTurn)
    case open
  }

  private let contents = Locked(Contents.closed)

  var isOpen: Bool {
    contents.withLock { if case .open = $0 { true } else { false } }
  }

  func open() {
    let old = contents.withLock { contents in
      defer { contents = .open }
      return contents
    }
    switch old {
    case .waited(let semaphore): semaphore.signal()
    case .followed(let turn): turn.request()
    case .closed, .open: break
    }
  }

  /// Requests a turn when the latch opens, or immediately if it is open.
  func follow(with turn: MainActorTurn) {
    let isOpen = contents.withLock { contents in
      if case .open = contents { return true }
      contents = .followed(turn)
      return false
    }
    if isOpen { turn.request() }
  }

  /// Returns whether the latch is open, after at most `limit`.
  func wait(atMost limit: Duration) -> Bool {
    if limit <= .zero { return isOpen }
    let semaphore: DispatchSemaphore? = contents.withLock { contents in
      if case .open = contents { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      contents = .waited(semaphore)
      return semaphore
    }
    guard let semaphore else { return true }
    let (seconds, attoseconds) = limit.sleepable.components
    let nanoseconds = UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + nanoseconds))
    return isOpen
  }
}

/// A key that opens a latch with `use()`, or when it is released with the queue of a released store.
final class LatchKey: Sendable {
  private let latch: ReductionLatch

  init(_ latch: ReductionLatch) {
    self.latch = latch
  }

  deinit { latch.open() }

  func use() { latch.open() }
}
