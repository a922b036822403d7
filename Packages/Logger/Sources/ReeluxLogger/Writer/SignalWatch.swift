internal import Foundation
import ReeluxCore

/// A watch for signals that end the process. The first signal is reported. A second one ends the process immediately.
///
/// A signal handler writes the signal's number into a pipe, and a thread reads it. A dispatch source would need ignored
/// signals, and would lose a signal that arrives before the source is registered.
package enum SignalWatch {
  private struct Watch {
    var signals: [Int32]
    var report: @Sendable (Int32) -> Void
  }

  private static let watches = Locked<[Watch]>([])

  /// Whether only the thread receives the signals. Locked while ``awaitReports()`` waits for the thread.
  private static let isExclusive = Locked(false)
  /// A byte in the pipe that is not the number of a signal. The thread signals `probeRead` when it reads it.
  private static let probe: UInt8 = 0
  private static let probeRead = DispatchSemaphore(value: 0)

  /// The pipe from the handler to the thread; `nil` if the system has no descriptors left.
  private static let pipe: (reading: Int32, writing: Int32)? = {
    var ends: [Int32] = [-1, -1]
    guard unsafe Foundation.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    Thread.detachNewThread { [reading = ends[0]] in
      var number: UInt8 = 0
      while Descriptor.retrying({ unsafe read(reading, &number, 1) }) == 1 {
        if number == probe { probeRead.signal() } else { report(Int32(number)) }
      }
    }
    return (ends[0], ends[1])
  }()

  /// Starts the watch, which lasts until the first signal.
  ///
  /// If the process ignores `SIGHUP`, as after `nohup`, or `SIGTSTP`, the signal stays ignored. Other ignored signals
  /// are watched. For example, a shell script starts its background jobs with `SIGINT` ignored. These jobs must still
  /// write their records.
  ///
  /// - Parameters:
  ///   - signals: The signal numbers. Their default action no longer happens automatically.
  ///   - isExclusive: Whether only the watching thread receives the signals, as ``awaitReports()`` needs. The calling
  ///     thread must be the only one of the process. It blocks these signals and no others, and threads that it starts
  ///     inherit this.
  ///   - report: Called with the number of the first signal, on a separate thread. The default actions of all signals
  ///     are restored first.
  package static func begin(
    _ signals: [Int32], isExclusive: Bool = false, report: @escaping @Sendable (Int32) -> Void
  ) {
    let signals = signals.filter { ![SIGHUP, SIGTSTP].contains($0) || !isIgnored($0) }
    // The process may have been started with signals blocked. The watching thread inherits what this thread blocks.
    if isExclusive { change(SIG_SETMASK, []) }
    // The handler must find the pipe complete.
    guard pipe != nil else { return }
    watches.withLock { $0.append(Watch(signals: signals, report: report)) }
    for number in signals {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        if let pipe = SignalWatch.pipe { _ = unsafe write(pipe.writing, &byte, 1) }
        errno = error
      }
    }
    guard isExclusive else { return }
    change(SIG_BLOCK, signals)
    Self.isExclusive.withLock { $0 = true }
  }

  /// Sends a signal to the calling thread. A watch does not receive it: the default action of the signal happens,
  /// unless the process ignores the signal.
  package static func raisePastWatches(_ number: Int32) {
    guard watches.withLock({ $0.contains { $0.signals.contains(number) } }) else {
      raise(number)
      return
    }
    let handler = signal(number, SIG_DFL)
    raise(number)
    signal(number, handler)
  }

  /// Changes which signals the calling thread blocks.
  private static func change(_ change: Int32, _ signals: [Int32]) {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    for number in signals { unsafe sigaddset(&mask, number) }
    unsafe pthread_sigmask(change, &mask, nil)
  }

  /// Returns after all signals that the process has received have been reported. Without an exclusive watch, it returns
  /// immediately.
  ///
  /// Call it at the end of an input that another process writes. On a terminal, ^C also ends that process, so that the
  /// input is incomplete.
  package static func awaitReports() {
    isExclusive.withLock { isExclusive in
      guard isExclusive, let pipe else { return }
      // A pending signal is handled at the latest when this thread waits for the first probe. The second probe is then
      // behind the signal in the pipe.
      for _ in 1...2 {
        var byte = probe
        if unsafe write(pipe.writing, &byte, 1) == 1 { probeRead.wait() }
      }
    }
  }

  /// Whether the process ignores a signal. For a moment, the default action of the signal applies.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_DFL)
    signal(number, handler)
    // This is correct, because a handler is the address of a function, or a number such as that of `SIG_IGN`.
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func report(_ number: Int32) {
    let concerned = watches.withLock { watches in
      let concerned = watches.filter { $0.signals.contains(number) }
      watches.removeAll { $0.signals.contains(number) }
      return concerned
    }
    for watch in concerned {
      for number in watch.signals { signal(number, SIG_DFL) }
    }
    for watch in concerned { watch.report(number) }
  }
}
