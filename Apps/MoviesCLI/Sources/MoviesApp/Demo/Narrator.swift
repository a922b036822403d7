package import ReeluxCore
import ReeluxLocation
import ReeluxLogger

/// The demo's voice: tells what is done, and below it each action that the store took.
package struct Narrator: Sendable {
  /// The id that the demo's server refuses.
  static let refused = "the-cheat-1915"

  private let console: Console
  private let logger: LoggerMiddleware<AppAction, AppState>

  /// Makes a narrator.
  package init(console: Console) {
    self.console = console
    self.logger = LoggerMiddleware(
      to: .records { console.write(Self.line($0, console.style), flush: true) },
      options: LogOptions(filter: .action { !Self.isStep($0) }))
  }

  /// The feature that tells the actions.
  package var feature: Feature<AppAction, AppState> { .logger(logger) }

  /// Tells a heading and what it means, after the actions before it.
  func tell(_ heading: String, _ text: String) {
    logger.flush()
    console.write(
      "\n\(console.style.emphasized(heading, .strong))\n\(Prose.wrapped(text, to: console.style.width ?? 100))\n",
      flush: true)
  }

  /// Tells what the state holds now.
  func show(_ text: String) {
    logger.flush()
    console.write(
      "  \(console.style.emphasized("state", .good))   \(console.style.width.map { TextWidth.shortened(text, to: max(0, $0 - 10)) } ?? text)\n",
      flush: true)
  }

  /// A line about an action: what it was, and where it came from.
  private static func line(_ record: LogRecord, _ style: TextStyle) -> String {
    let file = record.source.file.split(separator: "/").last.map(String.init) ?? record.source.file
    let source = "\(file):\(record.source.line)"
    let width = min(100, style.width ?? 100) - 10
    let room = max(20, width - TextWidth.columns(source) - 2)
    let action = TextWidth.shortened(record.action, to: room)
    let text = TextWidth.shortened(TextWidth.padded(action, to: room) + "  " + source, to: width)
    return "  \(style.emphasized("action", .faint))  \(text)\n"
  }

  /// Whether this is one of the many steps of a walk.
  private static func isStep(_ action: AppAction) -> Bool {
    if case .location(.moved) = action { true } else { false }
  }
}
