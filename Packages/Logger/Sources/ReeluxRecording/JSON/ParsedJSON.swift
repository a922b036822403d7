/// JSON that was read: a list of its values, in the order in which they begin in the text.
///
/// A value is stored as a few numbers, such as its position in the text. So reading a line of a recording creates no
/// object or text for each of its values.
final class ParsedJSON: Sendable {
  enum Kind: Sendable {
    case null, yes, no, number
    /// A text without escapes.
    case string
    /// A text with escapes.
    case escapedString
    case array, object
  }

  struct Node: Sendable {
    var kind: Kind
    /// The bytes of the value; of a text without the quotation marks.
    var begin: Int
    var end = 0
    /// The number of the value after this one and its parts.
    var next = 0
    /// The number of its elements or members.
    var count = 0
    /// The number of the array or object that contains it; -1 for the outermost value.
    var parent: Int
    /// The bytes of a member's name without the quotation marks. An element has no name, and both numbers are its
    /// position in its array.
    var nameBegin = 0
    var nameEnd = 0
    var hasEscapedName = false
  }

  /// One of the values.
  struct Value: Sendable {
    let json: ParsedJSON
    let number: Int

    fileprivate init(_ json: ParsedJSON, _ number: Int) {
      self.json = json
      self.number = number
    }
  }

  fileprivate let bytes: [UInt8]
  fileprivate let nodes: [Node]

  init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The outermost value.
  var root: Value { Value(self, 0) }

  fileprivate func text(_ begin: Int, _ end: Int) -> String {
    String(decoding: bytes[begin..<end], as: UTF8.self)
  }

  fileprivate func text(_ begin: Int, _ end: Int, isEscaped: Bool) -> String {
    // The parser has already read this text, so this does not fail.
    isEscaped ? (try? JSONParser.unescaped(bytes[begin..<end])) ?? "" : text(begin, end)
  }
}

extension ParsedJSON.Value {
  var kind: ParsedJSON.Kind { json.nodes[number].kind }

  /// The number of its elements or members.
  var count: Int { json.nodes[number].count }

  /// The text; `nil` if it is none.
  var string: String? {
    let node = json.nodes[number]
    switch node.kind {
    case .string: return json.text(node.begin, node.end)
    case .escapedString: return json.text(node.begin, node.end, isEscaped: true)
    default: return nil
    }
  }

  /// The digits of a number; `nil` if it is none.
  var digits: String? {
    let node = json.nodes[number]
    return node.kind == .number ? json.text(node.begin, node.end) : nil
  }

  /// A whole number that fits; `nil` for everything else.
  func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let node = json.nodes[number]
    guard node.kind == .number else { return nil }
    let isNegative = json.bytes[node.begin] == 0x2d
    let first = isNegative ? node.begin + 1 : node.begin
    guard (1...18).contains(node.end - first) else { return Number(json.text(node.begin, node.end)) }
    var value = 0
    for byte in json.bytes[first..<node.end] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return Number(exactly: isNegative ? -value : value)
  }

  /// The bytes of the value as they stand in the text.
  var source: String {
    let node = json.nodes[number]
    return json.text(node.begin, node.end)
  }

  // MARK: Parts

  /// The first element or member. Do not use it if there is none.
  var first: ParsedJSON.Value { ParsedJSON.Value(json, number + 1) }

  /// The element or member after this one. Do not use it if there is none.
  var next: ParsedJSON.Value { ParsedJSON.Value(json, json.nodes[number].next) }

  /// The array or object that contains it.
  var parent: ParsedJSON.Value? {
    let parent = json.nodes[number].parent
    return parent < 0 ? nil : ParsedJSON.Value(json, parent)
  }

  /// A member's name; empty for an element.
  var name: String {
    let node = json.nodes[number]
    return json.text(node.nameBegin, node.nameEnd, isEscaped: node.hasEscapedName)
  }

  /// An element's position in its array.
  var position: Int { json.nodes[number].nameBegin }

  /// The bytes of a member's name.
  var nameBytes: ArraySlice<UInt8> {
    let node = json.nodes[number]
    return node.hasEscapedName ? Array(name.utf8)[...] : json.bytes[node.nameBegin..<node.nameEnd]
  }

  /// The first member of an object with this name.
  subscript(name: String) -> ParsedJSON.Value? {
    let node = json.nodes[number]
    guard node.kind == .object else { return nil }
    let length = name.utf8.count
    var member = number + 1
    for _ in 0..<node.count {
      let node = json.nodes[member]
      let isFound =
        node.hasEscapedName
        ? json.text(node.nameBegin, node.nameEnd, isEscaped: true).utf8.elementsEqual(name.utf8)
        : node.nameEnd - node.nameBegin == length
          && name.utf8.elementsEqual(json.bytes[node.nameBegin..<node.nameEnd])
      if isFound { return ParsedJSON.Value(json, member) }
      member = node.next
    }
    return nil
  }

  /// The value as a tree for decoding only.
  var tree: JSONTree {
    var parts: [ParsedJSON.Value] = []
    if kind == .array || kind == .object {
      var part = first
      for _ in 0..<count {
        parts.append(part)
        part = part.next
      }
    }
    switch kind {
    case .null: return .null
    case .yes: return .yes
    case .no: return .no
    case .number: return JSONTree(read: .number(digits ?? ""))
    case .string, .escapedString: return JSONTree(read: .string(string ?? ""))
    case .array: return JSONTree(read: .array(parts.map(\.tree)))
    case .object: return JSONTree(read: .object(parts.map { JSONTree.Member(name: $0.name, value: $0.tree) }))
    }
  }
}
