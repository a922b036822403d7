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

  /// Whether data can no longer be written, because the reader has closed the pipe, a write has failed, or a signal
  /// ends the process.
  package var isClosed: @Sendable () -> Bool = { false }

  /// Receives the text that a pipe would receive, of both streams: without colours, in full width, and without the
  /// notes that only a terminal gets. `nil` for no copy. A script compares this text with what it expects.
  var copy: (@Sendable (String) -> Void)?

  /// Creates a console with plain text that is not a terminal.
  package init(
    output: @escaping @Sendable (String, Bool) -> Void, errors: @escaping @Sendable (String) -> Void
  ) {
    self.output = output
    self.errors = errors
  }

  /// Writes data that have no style.
  func write(_ text: String, flush: Bool = false) {
    write(flush: flush) { _ in text }
  }

  /// Writes data in the style of the console.
  func write(flush: Bool = false, _ text: (TextStyle) -> String) {
    let styled = text(style)
    if !styled.isEmpty { output(styled, flush) }
    copy?(style == Self.plain ? styled : text(Self.plain))
  }

  /// Writes a long output in parts, in the style of the console. The closure gets a function that writes one part, and
  /// returns whether there is still a reader.
  func stream(_ write: (TextStyle, (String) -> Bool) -> Void) {
    let copiesParts = style == Self.plain
    write(style) { part in
      if !part.isEmpty { output(part, false) }
      if copiesParts { copy?(part) }
      return !isClosed()
    }
    guard let copy, !copiesParts else { return }
    write(Self.plain) { part in
      copy(part)
      return !isClosed()
    }
  }

  /// Prints a note, unless `--quiet` is set.
  func note(_ message: String) {
    if !isQuiet { printMessage { MessageText.note(message, style: $0) } }
  }

  /// Prints a note if data go to a terminal, unless `--quiet` is set.
  func noteOnTerminal(_ message: String) {
    guard isInteractive, !isQuiet else { return }
    progress?.clear()
    errors(MessageText.note(message, style: errorStyle))
  }

  /// Prints an error.
  func report(_ message: String) {
    printMessage { MessageText.error(message, style: $0) }
  }

  /// Prints a message in the style of notes and errors.
  func printMessage(_ text: (TextStyle) -> String) {
    progress?.clear()
    errors(text(errorStyle))
    copy?(text(Self.plain))
  }

  /// The style of a pipe.
  private static let plain = TextStyle()
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
