import ReeluxCore

/// A value whose properties are encoded one by one by a ``StateEncoder``.
final class PartNode {
  let encoder: StateEncoder
  let path: [any CodingKey]
  private var parts: [String: StateEncoder.Encoded] = [:]
  private var nested: [String: EncodingNode] = [:]
  private var isObject = false

  init(encoder: StateEncoder, path: [any CodingKey]) {
    self.encoder = encoder
    self.path = path
  }

  func becomeObject() { isObject = true }

  func set(_ encoded: StateEncoder.Encoded, for key: any CodingKey) { parts[key.stringValue] = encoded }

  func child(for key: any CodingKey) -> EncodingNode {
    let node = EncodingNode(path: path + [key])
    nested[key.stringValue] = node
    return node
  }

  /// What was encoded, by property; `nil` if the value is no object.
  var members: [String: StateEncoder.Encoded]? {
    guard isObject else { return nil }
    return parts.merging(
      nested.mapValues { node in
        let json = node.json
        return StateEncoder.Encoded(json: json, digest: FNV1a(json.bytes).value)
      }
    ) { $1 }
  }
}

/// The encoder of a ``PartNode``. What turns out to be no object goes nowhere here; it is encoded as a whole afterwards.
struct PartEncoding: Encoder {
  let node: PartNode
  var codingPath: [any CodingKey] { node.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedParts(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    CanonicalEncoding(node: EncodingNode(path: node.path)).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    CanonicalEncoding(node: EncodingNode(path: node.path)).singleValueContainer()
  }
}

private struct KeyedParts<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: PartNode
  var codingPath: [any CodingKey] { node.path }

  func encodeNil(forKey key: Key) { node.child(for: key).set(.null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    node.set(try node.encoder.part(value, at: node.path + [key]), for: key)
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
