import ReeluxCore
internal import Foundation

/// A queue that can be flushed.
@usableFromInline package protocol Flushable: AnyObject, Sendable {
  func flush(durably: Bool)
}

/// Flushes every logger and recorder of the process.
///
/// When the process exits normally (`exit`, or the end of `main`), this happens automatically. For signals, call
/// ``flushOnSignals(_:)``, or call ``flushAll()`` in the program's own signal handling.
public enum LogShutdown {
  private struct Registered {
    weak var queue: (any Flushable)?
  }

  private static let registered = Locked<[Registered]>([])
  private static let atExit: Bool = atexit { LogShutdown.flushAll() } == 0

  /// Returns after everything that any store has logged or recorded so far has reached its destination.
  public static func flushAll() {
    for queue in registered.withLock({ $0.compactMap(\.queue) }) { queue.flush(durably: false) }
  }

  /// Installs handlers for signals. On a signal, everything is flushed, and then the process ends as the signal
  /// requires.
  ///
  /// `SIGHUP` stays ignored in a program that `nohup` started.
  ///
  /// Use this if the program has no signal handling of its own. A second signal ends the process immediately, even
  /// while the flush is in progress.
  /// - Parameter signals: The signal numbers; by default `SIGINT`, `SIGTERM` and `SIGHUP`.
  public static func flushOnSignals(_ signals: [Int32]? = nil) {
    SignalWatch.begin(signals ?? [SIGINT, SIGTERM, SIGHUP]) { number in
      flushAll()
      kill(getpid(), number)
    }
  }

  package static func register(_ queue: any Flushable) {
    _ = atExit
    registered.withLock { list in
      list.removeAll { $0.queue == nil }
      list.append(Registered(queue: queue))
    }
  }
}
