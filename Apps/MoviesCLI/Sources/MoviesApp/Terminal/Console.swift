import ReeluxCore

/// The streams of a command: one for data, one for notes and errors.
package struct Console: Sendable {
  /// Takes data; the flag asks for it to be written at once.
  package var output: @Sendable (String, Bool) -> Void

  /// Takes notes, progress and errors.
  package var errors: @Sendable (String) -> Void

  /// How data look.
  package var style = TextStyle()

  /// How notes and errors look.
  package var errorStyle = TextStyle()

  /// Whether notes and progress are left out.
  package var isQuiet = false

  /// Whether data go to a terminal, so that a person is reading along.
  package var isInteractive = false

  /// Where progress is shown; `nil` where it is not.
  package var progress: ProgressLine?

  /// Whether the reader of the data has gone.
  package var isClosed: @Sendable () -> Bool = { false }

  /// Makes a console that is plain and not a terminal.
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

  /// Writes a piece of something long, and answers whether there is still a reader.
  func stream(_ text: String) -> Bool {
    write(text)
    return !isClosed()
  }

  /// Prints a note; `--quiet` leaves it out.
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

/// Messages for people, on standard error.
package enum MessageText {
  /// `error: no movie 'x'`
  package static func error(_ message: String, style: TextStyle = TextStyle()) -> String {
    style.emphasized("error:", .bad) + " " + TextStyle.harmless(message) + "\n"
  }

  /// `note: 3 of 57 movies`
  package static func note(_ message: String, style: TextStyle = TextStyle()) -> String {
    style.emphasized("note:", .faint) + " " + TextStyle.harmless(message) + "\n"
  }

  /// The message of a usage error, and where more is explained.
  package static func usage(_ error: UsageError, program: String, style: TextStyle = TextStyle()) -> String {
    let command = error.command.isEmpty ? "" : " \(error.command)"
    return self.error(error.message, style: style) + "See '\(program)\(command) --help'.\n"
  }
}
