internal import Foundation

/// A call of the system that failed.
struct OutputError: Error, CustomStringConvertible {
  var code: Int32
  var call: String

  /// The failure of the call that was made last on this thread.
  static func last(_ call: String) -> OutputError { OutputError(code: errno, call: call) }

  var description: String { "\(String(cString: strerror(code))) (\(call))" }
}
