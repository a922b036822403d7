internal import Foundation

/// An encoder whose JSON is the same in every run. Members are sorted by name, and the elements of sets and
/// dictionaries by their text. ``TreeDecoder`` reads this JSON.
///
/// With a memo, unchanged parts are not encoded or hashed again, so a state costs what changed since the previous one.
/// A list that has changed also costs a comparison of its elements' bits, and a hash of their digests. A type that
/// calls `set.encode(to: encoder)` for one of its sets bypasses the sorting. Such a type should encode the set in a
/// container.
struct TreeEncoder {
  private let memo: TreeMemo?

  /// Creates an encoder.
  /// - Parameter remembers: Whether the values are consecutive states of one run.
  init(remembers: Bool = false) { memo = remembers ? TreeMemo() : nil }

  /// Returns the value as JSON.
  func encode<Value: Encodable>(_ value: Value) throws -> JSONTree {
    try Self.tree(of: value, memo: memo, parent: nil, key: nil)
  }

  fileprivate static func tree<Value: Encodable>(
    of value: Value, memo: TreeMemo?, parent: EncodingNode?, key: (any CodingKey)?
  ) throws -> JSONTree {
    if let leaf = leaf(value) { return leaf }
    if let known = memo?.tree(ifSame: value) { return known }
    if let memo, let list = value as? any RememberedList {
      let tree = try list.tree(memo, parent: parent, key: key)
      memo.keep(value, as: tree)
      return tree
    }
    let node = EncodingNode(parent: parent, key: key, memo: memo)
    try parent?.checkLevel()
    try value.encode(to: NodeEncoder(node: node))
    var tree = try node.finished()
    if case .array(let elements) = tree.content, let type = Value.self as? any Unordered.Type {
      tree = .array(type.sorted(elements))
    } else if case .string = tree.content, value is any RawRepresentable,
      Mirror(reflecting: value).displayStyle == .enum
    {
      tree = JSONTree(tree.content, isCase: true)
    }
    memo?.keep(value, as: tree)
    return tree
  }

  /// Encodes a value that has no properties of its own; `nil` for any other value.
  fileprivate static func leaf<Value>(_ value: Value) -> JSONTree? {
    let type = Value.self
    if type == String.self { return (value as? String).map { .string($0) } }
    if type == Int.self { return (value as? Int).map { .number($0) } }
    if type == Double.self { return (value as? Double)?.json }
    if type == Bool.self { return (value as? Bool).map { $0 ? .yes : .no } }
    if type == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
    if type == Data.self { return (value as? Data).map { .string($0.base64EncodedString()) } }
    if type == Decimal.self {
      return (value as? Decimal).map { $0.isNaN ? .string("nan") : JSONTree(.number($0.description)) }
    }
    return nil
  }
}

/// A list that is compared with the previous list.
private protocol RememberedList {
  func tree(_ memo: TreeMemo, parent: EncodingNode?, key: (any CodingKey)?) throws -> JSONTree
}

extension Array: RememberedList where Element: Encodable {
  /// The list as JSON. Elements in the equal parts at both ends are not visited.
  fileprivate func tree(_ memo: TreeMemo, parent: EncodingNode?, key: (any CodingKey)?) throws -> JSONTree {
    let last = memo.list(of: Element.self)
    let ends = last?.ends(equalTo: self) ?? (prefix: 0, suffix: 0)
    if let last, ends.prefix == count, last.values.count == count { return last.tree }
    let node = EncodingNode(parent: parent, key: key, memo: nil)
    node.becomeArray()
    try node.checkLevel()
    let middle = ends.prefix..<(count - ends.suffix)
    var parts: [ListPart] = []
    parts.reserveCapacity(middle.count)
    var cursor = last.map { ListCursor($0, between: ends, count: middle.count) }
    for position in middle {
      let element = self[position]
      let known = cursor?.next(element)
      if let part = known?.part {
        parts.append(part)
      } else if let leaf = TreeEncoder.leaf(element) {
        parts.append(ListPart(tree: leaf, memo: nil))
      } else {
        let memo = known?.memo ?? TreeMemo()
        let tree = try TreeEncoder.tree(of: element, memo: memo, parent: node, key: PositionKey(position))
        parts.append(ListPart(tree: tree, memo: memo))
      }
    }
    if let last { return last.update(to: self, between: ends, parts) }
    let list = KeptList(values: self, parts: parts)
    memo.keep(list)
    return list.tree
  }
}

/// A collection without a defined order. Its order differs from run to run.
private protocol Unordered {
  static func sorted(_ elements: [JSONTree]) -> [JSONTree]
}

extension Set: Unordered {
  fileprivate static func sorted(_ elements: [JSONTree]) -> [JSONTree] {
    elements.map { ($0, $0.bytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }
}

extension Dictionary: Unordered {
  /// The keys are not strings, so they are encoded as a list: key, value, key, value, …
  fileprivate static func sorted(_ elements: [JSONTree]) -> [JSONTree] {
    guard elements.count.isMultiple(of: 2) else { return elements }
    let pairs = stride(from: 0, to: elements.count, by: 2).map { (elements[$0], elements[$0 + 1], elements[$0].bytes) }
    return pairs.sorted { $0.2.lexicographicallyPrecedes($1.2) }.flatMap { [$0.0, $0.1] }
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The shortest text that gives the same number when it is read. `nan` and infinity become strings.
  var json: JSONTree {
    if isNaN { return .string("nan") }
    return isInfinite ? .string(self < 0 ? "-inf" : "inf") : JSONTree(.number(description))
  }
}

/// A value that is being encoded. Containers add to it.
private final class EncodingNode {
  enum Part {
    case tree(JSONTree)
    case node(EncodingNode)
  }

  private enum Kind { case empty, value, array, object }

  let parent: EncodingNode?
  let key: (any CodingKey)?
  let memo: TreeMemo?
  private var kind = Kind.empty
  private var names: [String] = []
  private var parts: [Part] = []
  private var cursor: MemoCursor?
  /// The number of lists and objects that this value is in, including itself.
  private var level: Int

  init(parent: EncodingNode?, key: (any CodingKey)?, memo: TreeMemo?) {
    self.parent = parent
    self.key = key
    self.memo = memo
    level = parent?.level ?? 0
  }

  /// Throws if the parser would refuse the value, one level inside of its line.
  func checkLevel() throws {
    if level >= JSONParser.deepest { throw TooDeep(path: path) }
  }

  var path: [any CodingKey] {
    var path: [any CodingKey] = []
    var node: EncodingNode? = self
    while let current = node {
      if let key = current.key { path.append(key) }
      node = current.parent
    }
    return path.reversed()
  }

  var count: Int { parts.count }

  func becomeArray() {
    kind = .array
    level = (parent?.level ?? 0) + 1
    if let memo, cursor == nil { cursor = MemoCursor(memo) }
  }

  func becomeObject() {
    kind = .object
    level = (parent?.level ?? 0) + 1
  }

  func set(_ tree: JSONTree) {
    kind = .value
    parts = [.tree(tree)]
  }

  func set(_ tree: JSONTree, for key: any CodingKey) { add(.tree(tree), key.stringValue) }

  func append(_ tree: JSONTree) { parts.append(.tree(tree)) }

  func encode<Value: Encodable>(_ value: Value, for key: any CodingKey) throws {
    let name = key.stringValue
    add(.tree(try TreeEncoder.tree(of: value, memo: memo?.member(name, at: names.count), parent: self, key: key)), name)
  }

  func encodeElement<Value: Encodable>(_ value: Value) throws {
    guard let known = cursor?.next(value) else {
      return append(try TreeEncoder.tree(of: value, memo: nil, parent: self, key: PositionKey(count)))
    }
    if let tree = known.tree { return append(tree) }
    let made = try TreeEncoder.tree(of: value, memo: known.memo, parent: self, key: PositionKey(count))
    known.memo.keep(value, as: made)
    append(made)
  }

  func child(for key: any CodingKey) -> EncodingNode {
    let name = key.stringValue
    let known = names.firstIndex { JSONTree.isSame($0, name) }
    if let known, case .node(let node) = parts[known] { return node }
    let node = EncodingNode(parent: self, key: key, memo: nil)
    add(.node(node), name)
    return node
  }

  func nextChild() -> EncodingNode {
    let node = EncodingNode(parent: self, key: PositionKey(count), memo: nil)
    parts.append(.node(node))
    return node
  }

  private func add(_ part: Part, _ name: String) {
    names.append(name)
    parts.append(part)
  }

  /// The encoded value; an empty object if nothing was encoded. The node is empty afterwards, because a part and its
  /// parent refer to each other and would otherwise never be released.
  func finished() throws -> JSONTree {
    let parts = self.parts
    self.parts = []
    try checkLevel()
    let trees = try parts.map { part in
      switch part {
      case .tree(let tree): tree
      case .node(let node): try node.finished()
      }
    }
    switch kind {
    case .value: return trees[0]
    case .array:
      if let cursor { memo?.keep(cursor.new) }
      return .array(trees)
    case .empty, .object:
      if let order = memo?.order(of: names) {
        return JSONTree(.object(order.map { JSONTree.Member(name: names[$0], value: trees[$0]) }))
      }
      return .object(zip(names, trees).map { JSONTree.Member(name: $0, value: $1) })
    }
  }
}

/// A value that is nested too deeply to be read again.
private struct TooDeep: Error, CustomStringConvertible {
  let path: [any CodingKey]

  /// The path has as many names as there are levels. The first three identify the field.
  var description: String {
    let names = path.prefix(3).map(\.stringValue).joined(separator: ".")
    return "'\(names).…' is nested more than \(JSONParser.deepest - 1) levels deep"
  }
}

/// A coding key for a position in a list, or for a superclass.
struct PositionKey: CodingKey {
  private let text: String?
  private let position: Int

  // Few texts of positions are read, so they are not stored.
  var stringValue: String { text ?? "\(position)" }
  var intValue: Int? { text == nil ? position : nil }

  init(_ position: Int) {
    text = nil
    self.position = position
  }

  init(stringValue: String) {
    text = stringValue
    position = 0
  }

  init(intValue: Int) {
    self.init(intValue)
  }
}

private struct NodeEncoder: Encoder {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(Members(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return Elements(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil(forKey key: Key) { node.set(.null, for: key) }
  func encode(_ value: Bool, forKey key: Key) { node.set(value ? .yes : .no, for: key) }
  func encode(_ value: String, forKey key: Key) { node.set(.string(value), for: key) }
  func encode(_ value: Double, forKey key: Key) { node.set(value.json, for: key) }
  func encode(_ value: Int, forKey key: Key) { node.set(.number(value), for: key) }
  // Without these, the protocol's own functions throw an error.
  func encode(_ value: Int128, forKey key: Key) throws { try node.encode(value, for: key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try node.encode(value, for: key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try node.encode(value, for: key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    NodeEncoder(node: node.child(for: key)).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.child(for: key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.child(for: PositionKey(stringValue: "super"))) }

  func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.child(for: key)) }
}

private struct Elements: UnkeyedEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }
  var count: Int { node.count }

  func encodeNil() { node.append(.null) }
  func encode(_ value: Int128) throws { try node.encodeElement(value) }
  func encode(_ value: UInt128) throws { try node.encodeElement(value) }

  func encode<Value: Encodable>(_ value: Value) throws { try node.encodeElement(value) }

  func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    NodeEncoder(node: node.nextChild()).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.nextChild()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.nextChild()) }
}

private struct Single: SingleValueEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil() { node.set(.null) }
  func encode(_ value: Bool) { node.set(value ? .yes : .no) }
  func encode(_ value: String) { node.set(.string(value)) }
  func encode(_ value: Double) { node.set(value.json) }
  func encode(_ value: Float) { node.set(value.json) }
  func encode(_ value: Int) { number(value) }
  func encode(_ value: Int8) { number(value) }
  func encode(_ value: Int16) { number(value) }
  func encode(_ value: Int32) { number(value) }
  func encode(_ value: Int64) { number(value) }
  func encode(_ value: UInt) { number(value) }
  func encode(_ value: UInt8) { number(value) }
  func encode(_ value: UInt16) { number(value) }
  func encode(_ value: UInt32) { number(value) }
  func encode(_ value: UInt64) { number(value) }
  func encode(_ value: Int128) { number(value) }
  func encode(_ value: UInt128) { number(value) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.set(try TreeEncoder.tree(of: value, memo: node.memo?.member("", at: 0), parent: node, key: nil))
  }

  private func number(_ value: some BinaryInteger) { node.set(JSONTree(.number(String(value)))) }
}
