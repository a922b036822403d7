internal import Foundation
import ReeluxCore

/// The failure of a system call.
package struct OutputError: Error, CustomStringConvertible {
  var code: Int32
  var call: String

  /// The failure of this thread's last system call.
  package static func last(_ call: String) -> OutputError { OutputError(code: errno, call: call) }

  /// The failure of a write; `nil` if the code is zero.
  package static func write(_ code: Int32) -> OutputError? { code == 0 ? nil : OutputError(code: code, call: "write") }

  /// The system's text for the failure, without the call.
  package var reason: String { Descriptor.reason(code) }

  package var description: String { "\(reason) (\(call))" }
}

/// The logger's own messages.
package enum StandardError {
  @Sendable package static func write(_ text: String) {
    _ = Descriptor.write(text.utf8, to: STDERR_FILENO)
  }
}
