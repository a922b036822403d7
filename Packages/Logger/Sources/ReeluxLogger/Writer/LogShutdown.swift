import ReeluxCore
internal import Foundation

/// Something that can be written out now.
@usableFromInline
package protocol Flushable: AnyObject, Sendable {
  func flush(durably: Bool)
}

/// Writes out every logger and recorder of the process.
///
/// At a regular end of the process (`exit`, or the end of `main`) this happens by itself. At a signal it needs
/// ``flushOnSignals(_:)``, or a call of ``flushAll()`` from the program's own handling of signals.
public enum LogShutdown {
  private struct Registered {
    weak var queue: (any Flushable)?
  }

  private static let registered = Locked<[Registered]>([])
  private static let atExit: Bool = atexit { LogShutdown.flushAll() } == 0

  /// Returns when everything that was logged or recorded before, by any store, has been handed to its destination.
  public static func flushAll() {
    for queue in registered.withLock({ $0.compactMap(\.queue) }) { queue.flush(durably: false) }
  }

  /// From now on, each of these signals writes out everything and then ends the process as the signal does by itself.
  ///
  /// For programs without a handling of signals of their own. A second signal while the first is written out ends the
  /// process at once.
  /// - Parameter signals: Their numbers; by default those of `SIGINT`, `SIGTERM` and `SIGHUP`.
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
