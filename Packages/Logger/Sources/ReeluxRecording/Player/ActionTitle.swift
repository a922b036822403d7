/// A short description of an action: `favorites · confirmed metropolis-1927`.
///
/// It is derived from the action's JSON. It contains the names of the outermost and the innermost case, and up to two
/// texts of the payload.
enum ActionTitle {
  private static let longest = 60

  static func of(_ action: JSONTree) -> String {
    var names: [String] = []
    var payload = action
    while let (name, inner) = enumCase(payload) {
      names.append(name)
      payload = inner
    }
    let shown = names.count > 2 ? [names[0], names[names.count - 1]] : names
    var title = shown.joined(separator: " · ")
    if let detail = detail(payload) { title += (title.isEmpty ? "" : " ") + detail }
    if title.isEmpty { return "action" }
    return oneLine(title)
  }

  /// A text in one line, with blanks in place of control characters and of marks that change the direction of the text.
  static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.properties.generalCategory == .control || $0.properties.isBidiControl ? " " : $0
        }))
  }

  /// The name and the payload of an enum case in the compiler's encoding.
  private static func enumCase(_ value: JSONTree) -> (String, JSONTree)? {
    guard case .object(let members) = value.content, members.count == 1,
      case .object(let payload) = members[0].value.content
    else { return nil }
    return (members[0].name, payload.count == 1 && payload[0].name == "_0" ? payload[0].value : members[0].value)
  }

  private static func detail(_ payload: JSONTree) -> String? {
    var texts: [String] = []
    collect(payload, 0, &texts)
    let text = texts.prefix(2).joined(separator: " ")
    if text.isEmpty { return nil }
    return text.count > longest ? "\(text.prefix(longest))…" : text
  }

  /// Collects texts and flags near the top of the payload. Of an object with an `id` or a `name`, only that is
  /// collected.
  private static func collect(_ value: JSONTree, _ depth: Int, _ texts: inout [String]) {
    switch value.content {
    case .string(let text): texts.append(text)
    case .bool(let flag): if depth <= 1 { texts.append(flag ? "true" : "false") }
    case .number(let text): if depth == 0 { texts.append(text) }
    case .null: break
    case .array(let elements): if depth == 0, elements.count != 1 { texts.append("\(elements.count) elements") }
    case .object(let members):
      if depth > 2 { return }
      if let name = value["id"] ?? value["name"] { return collect(name, 1, &texts) }
      for member in members { collect(member.value, depth + 1, &texts) }
    }
  }
}
