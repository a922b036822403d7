/// A value that is being encoded: containers fill it.
final class EncodingNode {
  private enum Content {
    case empty
    case value(JSONValue)
    case array([EncodingNode])
    case object([String: EncodingNode])
  }

  let path: [any CodingKey]
  private var content = Content.empty

  init(path: [any CodingKey]) {
    self.path = path
  }

  /// What was encoded; an empty object if nothing was.
  var json: JSONValue {
    switch content {
    case .empty: .object([:])
    case .value(let value): value
    case .array(let nodes): .array(nodes.map(\.json))
    case .object(let nodes): .object(nodes.mapValues(\.json))
    }
  }

  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  func set(_ value: JSONValue) { content = .value(value) }

  func becomeArray() { if case .array = content {} else { content = .array([]) } }

  func becomeObject() { if case .object = content {} else { content = .object([:]) } }

  func child(for key: any CodingKey) -> EncodingNode {
    let node = EncodingNode(path: path + [key])
    guard case .object(var nodes) = content else {
      content = .object([key.stringValue: node])
      return node
    }
    content = .empty
    nodes[key.stringValue] = node
    content = .object(nodes)
    return node
  }

  func nextChild() -> EncodingNode {
    let node = EncodingNode(path: path + [PositionKey(count)])
    guard case .array(var nodes) = content else {
      content = .array([node])
      return node
    }
    content = .empty
    nodes.append(node)
    content = .array(nodes)
    return node
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

/// The encoder of one node.
struct CanonicalEncoding: Encoder {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedMembers(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return Elements(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }
}

private struct KeyedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil(forKey key: Key) { node.child(for: key).set(.null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let child = node.child(for: key)
    child.set(try CanonicalEncoder.json(of: value, path: child.path))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    CanonicalEncoding(node: node.child(for: key)).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    CanonicalEncoding(node: node.child(for: key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { CanonicalEncoding(node: node.child(for: PositionKey(stringValue: "super"))) }

  func superEncoder(forKey key: Key) -> any Encoder { CanonicalEncoding(node: node.child(for: key)) }
}

private struct Elements: UnkeyedEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }
  var count: Int { node.count }

  func encodeNil() { node.nextChild().set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    let child = node.nextChild()
    child.set(try CanonicalEncoder.json(of: value, path: child.path))
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    CanonicalEncoding(node: node.nextChild()).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    CanonicalEncoding(node: node.nextChild()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { CanonicalEncoding(node: node.nextChild()) }
}

private struct Single: SingleValueEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil() { node.set(.null) }
  func encode(_ value: Bool) { node.set(.bool(value)) }
  func encode(_ value: String) { node.set(.string(value)) }
  func encode(_ value: Double) { node.set(value.canonicalJSON) }
  func encode(_ value: Float) { node.set(value.canonicalJSON) }
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
    node.set(try CanonicalEncoder.json(of: value, path: node.path))
  }

  private func number(_ value: some BinaryInteger) { node.set(.number(String(value))) }
}
