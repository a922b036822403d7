internal import Foundation

/// A call of the system that failed.
package struct OutputError: Error, CustomStringConvertible {
  var code: Int32
  var call: String

  /// The failure of the call that was made last on this thread.
  package static func last(_ call: String) -> OutputError { OutputError(code: errno, call: call) }

  package var description: String { "\(String(cString: strerror(code))) (\(call))" }
}
