import ReeluxCore
import ReeluxDiff
import ReeluxFavorites
import Foundation
import ReeluxLocation
import ReeluxRecording

/// A replay as text and as JSON Lines.
enum ReplayText {
  typealias Player = ActionPlayer<AppAction, AppState>

  /// The schema number of JSON Lines.
  static let schema = 1

  /// An action, where it came from, and what it changed.
  static func step(
    _ recorded: RecordedAction<AppAction>, changes: ValueDifference, isSkipped: Bool, style: TextStyle
  ) -> String {
    let number = String(repeating: " ", count: max(0, 5 - "\(recorded.number)".count)) + "\(recorded.number)"
    let source = "\(recorded.source.file):\(recorded.source.line)"
    let action = TextStyle.harmless(ValueText.describing(recorded.action))
    var text = style.fitted("\(number)  \(action)\(isSkipped ? "  (left out)" : "")") + "\n"
    text += style.emphasized(style.fitted("       from \(source)"), .faint) + "\n"
    for change in changes.changes { text += style.fitted("       \(TextStyle.harmless("\(change)"))") + "\n" }
    return text
  }

  /// What the replay came to.
  static func summary(_ player: Player, isEqual: Bool, style: TextStyle) -> String {
    let header = player.recording.header
    let left = player.skipped.filter { (1...max(1, player.position)).contains($0) }.count
    var text = "\(header.app) \(header.version): "
    text += player.position < player.count ? "\(player.position) of " : ""
    text += Prose.count(player.count, "action")
    text += left > 0 ? ", \(left) left out" : ""
    let checked = Prose.count(player.verified, "checksum")
    let verdict =
      !isEqual
      ? style.emphasized("; the states differ", .bad)
      : player.skipped.isEmpty ? style.emphasized("; \(checked) equal", .good) : "; the states are computed anew"
    let state = player.state
    let seen = Prose.count(state.movies.catalog.movies.count, "movie")
    let favorites = state.favorites.ids
    text += "\(verdict)\n"
    text += style.fitted("  movies     \(seen), \(TextStyle.harmless(state.movies.catalog.name))") + "\n"
    text += style.fitted("  favorites  \(favorites.isEmpty ? "none" : favorites.joined(separator: ", "))") + "\n"
    let position = state.location.position
    text += "  walk       \(Prose.count(position.fixes, "fix", "fixes")), \(WalkText.metres(position.distance))\n"
    return text
  }

  /// An action as a JSON line.
  static func json(_ recorded: RecordedAction<AppAction>, changes: ValueDifference, isSkipped: Bool) -> String {
    JSONText.line(
      .object([
        ("schema", .int(schema)), ("type", "action"), ("number", .int(recorded.number)),
        ("name", .string(ValueText.caseName(of: recorded.action))),
        ("action", .string(ValueText.describing(recorded.action))), ("skipped", .bool(isSkipped)),
        (
          "source",
          .object([
            ("file", .string(recorded.source.file)), ("function", .string(recorded.source.function)),
            ("line", .int(Int(recorded.source.line))),
          ])
        ),
        ("changes", .array(changes.changes.map { .string("\($0)") })),
      ])) + "\n"
  }

  /// The end of a replay as a JSON line, with the state that it reached.
  static func json(_ player: Player, isEqual: Bool) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let state = (try? encoder.encode(player.state)).map { String(decoding: $0, as: UTF8.self) }
    return JSONText.line(
      .object([
        ("schema", .int(schema)), ("type", "summary"), ("actions", .int(player.count)),
        ("position", .int(player.position)), ("skipped", .array(player.skipped.sorted().map { .int($0) })),
        ("verified", .int(player.verified)), ("equal", .bool(isEqual)), ("state", state.map { .verbatim($0) } ?? .null),
      ])) + "\n"
  }
}
