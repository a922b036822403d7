/// Where a command writes: data to one side, notes and errors to the other.
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

  /// Tells something that is good to know; `--quiet` leaves it out.
  func note(_ message: String) {
    progress?.clear()
    if !isQuiet { errors(MessageText.note(message, style: errorStyle)) }
  }

  /// Tells that something has gone wrong.
  func report(_ message: String) {
    progress?.clear()
    errors(MessageText.error(message, style: errorStyle))
  }
}
