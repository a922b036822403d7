import ReeluxCore

/// A line on a terminal that is written over as work goes on, and goes away in the end.
package final class ProgressLine: Sendable {
  private let isShown = Locked(false)
  private let width: Int
  private let write: @Sendable (String) -> Void

  /// Makes a line of this width that is written by a closure.
  package init(width: Int, write: @escaping @Sendable (String) -> Void) {
    self.width = width
    self.write = write
  }

  /// Shows a message in place of the one before.
  func show(_ message: String) {
    isShown.withLock { $0 = true }
    write("\r\u{1B}[2K" + TextWidth.shortened(TextStyle.harmless(message), to: width - 1))
  }

  /// Takes the message away, if there is one.
  func clear() {
    let wasShown = isShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    if wasShown { write("\r\u{1B}[2K") }
  }
}
