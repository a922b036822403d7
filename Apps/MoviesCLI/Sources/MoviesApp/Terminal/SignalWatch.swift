import Dispatch
import Foundation

/// The watch for SIGINT and SIGTERM: the first one is reported, a second one ends the process at once.
package enum SignalWatch {
  /// Begins to watch, for as long as the process lives, and makes a closed pipe an error of `write` instead of a signal.
  ///
  /// - Parameter report: Called on a queue of its own, with the exit code that the signal stands for.
  package static func begin(report: @escaping @Sendable (ExitCode) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    for (number, exitCode) in [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)] {
      // The default action would come before the source's handler.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The handler holds its own source, which therefore lives on.
        withExtendedLifetime(source) {
          signal(SIGINT, SIG_DFL)
          signal(SIGTERM, SIG_DFL)
          report(exitCode)
        }
      }
      source.resume()
    }
  }
}
