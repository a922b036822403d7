internal import Foundation
import ReeluxCore

/// A call of the system that failed.
package struct OutputError: Error, CustomStringConvertible {
  var code: Int32
  var call: String

  /// The failure of the call that was made last on this thread.
  package static func last(_ call: String) -> OutputError { OutputError(code: errno, call: call) }

  /// The failure of a write; `nil` for the code zero.
  package static func write(_ code: Int32) -> OutputError? { code == 0 ? nil : OutputError(code: code, call: "write") }

  package var description: String { "\(String(cString: strerror(code))) (\(call))" }
}

/// Messages of the logger itself.
package enum StandardError {
  @Sendable package static func write(_ text: String) {
    _ = Descriptor.write(text.utf8, to: STDERR_FILENO)
  }
}
