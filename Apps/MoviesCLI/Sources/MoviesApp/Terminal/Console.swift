import ReeluxCore

/// The streams of a command: one for data, one for notes and errors.
package struct Console: Sendable {
  /// Writes data. The flag requests that the data are flushed immediately.
  package var output: @Sendable (String, Bool) -> Void

  /// Writes notes, progress and errors.
  package var errors: @Sendable (String) -> Void

  /// The style of data.
  package var style = TextStyle()

  /// The style of notes and errors.
  package var errorStyle = TextStyle()

  /// Whether notes and progress are suppressed.
  package var isQuiet = false

  /// Whether data go to a terminal.
  package var isInteractive = false

  /// The progress line; `nil` for none.
  package var progress: ProgressLine?

  /// Whether data can no longer be written, because the reader has closed the pipe, a write has failed, or a signal ends
  /// the process.
  package var isClosed: @Sendable () -> Bool = { false }

  /// Creates a console with plain text that is not a terminal.
  package init(
    output: @escaping @Sendable (String, Bool) -> Void, errors: @escaping @Sendable (String) -> Void
  ) {
    self.output = output
    self.errors = errors
  }

  /// Writes data.
  func write(_ text: String, flush: Bool = false) {
    if !text.isEmpty { output(text, flush) }
  }

  /// Writes a part of a long output. Returns whether there is still a reader.
  func stream(_ text: String) -> Bool {
    write(text)
    return !isClosed()
  }

  /// Prints a note, unless `--quiet` is set.
  func note(_ message: String) {
    progress?.clear()
    if !isQuiet { errors(MessageText.note(message, style: errorStyle)) }
  }

  /// Prints an error.
  func report(_ message: String) {
    progress?.clear()
    errors(MessageText.error(message, style: errorStyle))
  }
}

/// A line on a terminal that shows progress. Each message replaces the one before, and the line is removed at the end.
package final class ProgressLine: Sendable {
  private let isShown = Locked(false)
  private let width: Int
  private let write: @Sendable (String) -> Void

  /// Creates a line of this width. The closure writes it.
  package init(width: Int, write: @escaping @Sendable (String) -> Void) {
    self.width = width
    self.write = write
  }

  /// Shows a message in place of the previous one.
  func show(_ message: String) {
    isShown.withLock { $0 = true }
    write("\r\u{1B}[2K" + TextWidth.shortened(TextStyle.harmless(message), to: width - 1))
  }

  /// Removes the message, if there is one.
  func clear() {
    let wasShown = isShown.withLock { isShown in
      defer { isShown = false }
      return isShown
    }
    if wasShown { write("\r\u{1B}[2K") }
  }
}

/// The prefixes of messages on standard error.
package enum MessageText {
  /// `error: no movie 'x'`
  package static func error(_ message: String, style: TextStyle = TextStyle()) -> String {
    style.emphasized("error:", .bad) + " " + TextStyle.harmless(message) + "\n"
  }

  /// `note: 3 of 57 movies`
  package static func note(_ message: String, style: TextStyle = TextStyle()) -> String {
    style.emphasized("note:", .faint) + " " + TextStyle.harmless(message) + "\n"
  }

  /// The message of a usage error, with a reference to the help.
  package static func usage(_ error: UsageError, program: String, style: TextStyle = TextStyle()) -> String {
    let command = error.command.isEmpty ? "" : " \(error.command)"
    return self.error(error.message, style: style) + "See '\(program)\(command) --help'.\n"
  }
}
