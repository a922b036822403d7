import Synchronization

/// The baseline `taskChain`: each task counts under a mutex and starts the next one.
final class TaskChain: Sendable {
  private struct Contents {
    var finished = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let contents = Mutex(Contents())

  var finished: Int { contents.withLock { $0.finished } }

  func run(_ length: Int) async {
    await withCheckedContinuation { waiter in
      contents.withLock { $0.waiter = waiter }
      step(1, of: length)
    }
  }

  private func step(_ number: Int, of length: Int) {
    Task { [self] in
      contents.withLock { $0.finished = number }
      if number < length {
        step(number + 1, of: length)
      } else {
        contents.withLock { $0.waiter.take() }?.resume()
      }
    }
  }
}
