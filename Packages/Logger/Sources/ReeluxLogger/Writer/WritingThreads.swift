import ReeluxCore

/// The threads that write a batch of a ``WriteQueue``. If a destination or a value uses the queue on such a thread, it
/// must not wait for the batch.
@usableFromInline package final class WritingThreads: Sendable {
  private let threads = Locked<[UInt]>([])

  package init() {}

  var containsCurrent: Bool { threads.withLock { $0.contains(currentThreadID()) } }

  /// Runs a part of the writing on this thread.
  func run<Result>(_ body: () -> Result) -> Result {
    let thread = currentThreadID()
    threads.withLock { $0.append(thread) }
    defer {
      threads.withLock { threads in
        if let last = threads.lastIndex(of: thread) { threads.remove(at: last) }
      }
    }
    return body()
  }
}
