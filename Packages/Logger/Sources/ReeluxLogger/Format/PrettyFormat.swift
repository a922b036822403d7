import ReeluxCore
import ReeluxDiff
internal import Foundation

/// The readable format of a record: a headline, the source, and a line for each change.
struct PrettyFormat {
  let usesColor: Bool

  private enum Style: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  private func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

  func text(of record: LogRecord) -> String {
    var lines: [String] = []
    if record.lost > 0 { lines.append(styled("  … \(records(record.lost)) lost: the queue was full", .red)) }
    if record.suppressed > 0 { lines.append(styled("  … \(records(record.suppressed)) over the rate limit", .faint)) }
    lines.append(headline(record))
    lines.append(styled("    from \(LeafText.escaped(record.source.description))", .faint))
    if let before = record.before { lines.append("    before: \(before)") }
    if let after = record.after { lines.append("    after:  \(after)") }
    lines += (record.difference?.changes ?? []).map(line)
    if record.difference?.isTruncated == true { lines.append("    …") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func headline(_ record: LogRecord) -> String {
    var parts = [
      styled("#\(record.number) \(TimeText.clock(record.time))", .faint), styled(record.action, .bold),
    ]
    if record.repeats > 1 { parts.append(styled("×\(record.repeats)", .yellow)) }
    if let duration = record.duration { parts.append(styled(TimeText.milliseconds(duration), .faint)) }
    return parts.joined(separator: "  ")
  }

  private func line(_ change: ValueChange) -> String {
    let place = change.path.components.isEmpty ? "" : "\(change.path) "
    let (old, new) = (change.old ?? "", change.new ?? "")
    return switch change.kind {
    case .added: styled("  + \(place)\(new)", .green)
    case .removed: styled("  - \(place)\(old)", .red)
    case .moved: styled("  ⇄ \(place)moved \(old) → \(new)", .cyan)
    case .changed: styled("  ~ \(place)\(old) → \(new)", .yellow)
    }
  }

  private func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
  }
}

/// Whether the pretty format uses colour. The text without colours contains the same information.
public enum LogColor: Hashable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set and not empty, or `TERM` is `dumb`.
  case automatic
  /// Always.
  case always
  /// Never.
  case never

  func isOn(isTerminal: Bool, environment: [String: String]? = nil) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .automatic:
      guard isTerminal else { return false }
      let environment = environment ?? ProcessInfo.processInfo.environment
      return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}
