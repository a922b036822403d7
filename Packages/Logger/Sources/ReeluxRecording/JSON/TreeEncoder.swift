internal import Foundation

/// Encodes values to JSON that is the same in every run: members sorted by name, sets and dictionaries by the text of their
/// elements. What it writes, ``TreeDecoder`` reads.
///
/// With a memo, a part that has not changed since the last value is neither encoded nor hashed again, so that successive
/// states of a run cost what changed between them. A type that hands a set of its own on by `set.encode(to: encoder)` escapes
/// the sorting: encode it in a container.
struct TreeEncoder {
  private let memo: TreeMemo?

  /// Makes an encoder.
  /// - Parameter remembers: Whether the values are successive states of one run.
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
    let node = EncodingNode(parent: parent, key: key, memo: memo)
    try value.encode(to: NodeEncoder(node: node))
    var tree = node.finished()
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

  /// Values that are encoded without asking them for their properties.
  private static func leaf<Value>(_ value: Value) -> JSONTree? {
    let type = Value.self
    if type == String.self { return (value as? String).map { .string($0) } }
    if type == Int.self { return (value as? Int).map { .number($0) } }
    if type == Double.self { return (value as? Double)?.json }
    if type == Bool.self { return (value as? Bool).map { $0 ? .yes : .no } }
    if type == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
    if type == Data.self { return (value as? Data).map { .string($0.base64EncodedString()) } }
    if type == Decimal.self { return (value as? Decimal).map { JSONTree(.number($0.description)) } }
    return nil
  }
}

/// A collection whose order means nothing and differs from run to run.
private protocol Unordered {
  static func sorted(_ elements: [JSONTree]) -> [JSONTree]
}

extension Set: Unordered {
  fileprivate static func sorted(_ elements: [JSONTree]) -> [JSONTree] {
    elements.map { ($0, $0.bytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }
}

extension Dictionary: Unordered {
  /// Keys that are not strings are encoded as a list of key, value, key, value, …
  fileprivate static func sorted(_ elements: [JSONTree]) -> [JSONTree] {
    guard elements.count.isMultiple(of: 2) else { return elements }
    let pairs = stride(from: 0, to: elements.count, by: 2).map { (elements[$0], elements[$0 + 1], elements[$0].bytes) }
    return pairs.sorted { $0.2.lexicographicallyPrecedes($1.2) }.flatMap { [$0.0, $0.1] }
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The shortest text that reads back as the same number; what is not a finite number as a string.
  var json: JSONTree {
    if isNaN { return .string("nan") }
    return isInfinite ? .string(self < 0 ? "-inf" : "inf") : JSONTree(.number(description))
  }
}

/// A value that is being encoded: containers fill it.
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
  private var cursor: MemoCursor

  init(parent: EncodingNode?, key: (any CodingKey)?, memo: TreeMemo?) {
    self.parent = parent
    self.key = key
    self.memo = memo
    cursor = MemoCursor(memo)
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

  func becomeArray() { kind = .array }

  func becomeObject() { kind = .object }

  func set(_ tree: JSONTree) {
    kind = .value
    parts = [.tree(tree)]
  }

  func set(_ tree: JSONTree, for key: any CodingKey) { add(.tree(tree), key.stringValue) }

  func append(_ tree: JSONTree) { parts.append(.tree(tree)) }

  func encode<Value: Encodable>(_ value: Value, for key: any CodingKey) throws {
    let name = key.stringValue
    add(.tree(try TreeEncoder.tree(of: value, memo: memo?.member(name), parent: self, key: key)), name)
  }

  func encodeElement<Value: Encodable>(_ value: Value) throws {
    guard memo != nil else {
      return append(try TreeEncoder.tree(of: value, memo: nil, parent: self, key: PositionKey(count)))
    }
    let (tree, memo) = cursor.next(value)
    if let tree { return append(tree) }
    let made = try TreeEncoder.tree(of: value, memo: memo, parent: self, key: PositionKey(count))
    memo.keep(value, as: made)
    append(made)
  }

  func child(for key: any CodingKey) -> EncodingNode {
    let name = key.stringValue
    if let place = names.firstIndex(of: name), case .node(let node) = parts[place] { return node }
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

  /// What was encoded; an empty object if nothing was. The node is empty afterwards: parts and their parent refer to each
  /// other, and would stay for ever.
  func finished() -> JSONTree {
    let parts = self.parts
    self.parts = []
    let trees = parts.map { part in
      switch part {
      case .tree(let tree): tree
      case .node(let node): node.finished()
      }
    }
    switch kind {
    case .value: return trees[0]
    case .array:
      memo?.keep(cursor.new)
      return .array(trees)
    case .empty, .object: return .object(zip(names, trees).map { JSONTree.Member(name: $0, value: $1) })
    }
  }
}

/// A position in a list, or the place of a superclass, as a key.
struct PositionKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ position: Int) {
    stringValue = "\(position)"
    intValue = position
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
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

  func encode<Value: Encodable>(_ value: Value) throws {
    node.set(try TreeEncoder.tree(of: value, memo: node.memo?.member(""), parent: node, key: nil))
  }

  private func number(_ value: some BinaryInteger) { node.set(JSONTree(.number(String(value)))) }
}
