import ReeluxDiff

/// The texts of failures.
enum Wording {
  /// The differences of an expected and an actual state.
  static func unmet(_ difference: ValueDifference) -> String {
    lines(difference) { change in
      switch change.kind {
      case .added: "unexpected \(change.new ?? "")"
      case .removed: "missing \(change.old ?? "")"
      case .moved: "expected at \(change.old ?? ""), is at \(change.new ?? "")"
      case .changed: "expected \(change.old ?? ""), is \(change.new ?? "")"
      }
    }
  }

  /// The changes from one state to another.
  static func change(_ difference: ValueDifference) -> String {
    lines(difference) { change in
      switch change.kind {
      case .added: "+ \(change.new ?? "")"
      case .removed: "- \(change.old ?? "")"
      case .moved: "moved \(change.old ?? "") → \(change.new ?? "")"
      case .changed: "\(change.old ?? "") → \(change.new ?? "")"
      }
    }
  }

  private static func lines(_ difference: ValueDifference, _ text: (ValueChange) -> String) -> String {
    var lines = difference.changes.map { change in
      "  \(change.path.components.isEmpty ? "state" : change.path.description): \(text(change))"
    }
    if difference.isTruncated { lines.append("  … (too large or too deep to be compared to the end)") }
    return lines.joined(separator: "\n")
  }

  /// A line for each of the first ten elements, and a line with the number of the others.
  static func shortened<Element>(_ elements: [Element], _ line: (Element) -> String) -> String {
    let limit = 10
    let rest = elements.count > limit ? ["  … and \(elements.count - limit) more"] : []
    return (elements.prefix(limit).map(line) + rest).joined(separator: "\n")
  }

  /// An action in the notation of code.
  static func action(_ action: Any) -> String {
    ValueText.describing(action)
  }

  /// `1 effect` or `2 effects`.
  static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
