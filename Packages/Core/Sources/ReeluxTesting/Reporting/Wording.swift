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
      case .changed: changed(change.old ?? "", change.new ?? "")
      }
    }
  }

  /// Both sides of a change. They are in quotation marks if one of them has a comma that is not inside of a value's own
  /// quotation marks or brackets.
  private static func changed(_ old: String, _ new: String) -> String {
    hasOpenComma(old) || hasOpenComma(new) ? "expected “\(old)”, is “\(new)”" : "expected \(old), is \(new)"
  }

  private static func hasOpenComma(_ text: String) -> Bool {
    var depth = 0
    var (isQuoted, isEscaped) = (false, false)
    for character in text.utf8 {
      switch character {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ","): if depth <= 0 { return true }
      default: break
      }
    }
    return false
  }

  /// The name of a type with its article: `a Photo`, `an ElementAction`.
  static func withArticle(_ type: Any.Type) -> String {
    let name = "\(type)"
    return (name.first.map { "AEIO".contains($0) } == true ? "an " : "a ") + name
  }

  /// The changes from one state, or one value of another kind, to another.
  static func change(_ difference: ValueDifference, of kind: String = "state") -> String {
    lines(difference, of: kind) { change in
      switch change.kind {
      case .added: "+ \(change.new ?? "")"
      case .removed: "- \(change.old ?? "")"
      case .moved: "moved \(change.old ?? "") → \(change.new ?? "")"
      case .changed: "\(change.old ?? "") → \(change.new ?? "")"
      }
    }
  }

  private static func lines(
    _ difference: ValueDifference, of kind: String = "state", _ text: (ValueChange) -> String
  ) -> String {
    var lines = difference.changes.map { change in
      "  \(change.path.components.isEmpty ? kind : change.path.description): \(text(change))"
    }
    if difference.isTruncated { lines.append("  … (more than the inspection budget allows)") }
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
