internal import Dispatch
internal import Foundation

/// A watch for signals that end the process: the first one is reported, a second one ends the process at once.
package enum SignalWatch {
  /// Begins to watch, for as long as the process lives.
  ///
  /// - Parameters:
  ///   - signals: The signals' numbers. From now on their default action waits for `report`.
  ///   - report: Called with the first signal's number, on a queue of its own. All signals have their default action again.
  package static func begin(_ signals: [Int32], report: @escaping @Sendable (Int32) -> Void) {
    let queue = DispatchQueue(label: "signals", qos: .userInitiated)
    for number in signals {
      // The default action would come before the source's handler.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // The handler keeps its source: a released one would be cancelled.
        withExtendedLifetime(source) {
          for number in signals { signal(number, SIG_DFL) }
          report(number)
        }
      }
      source.resume()
    }
  }
}
