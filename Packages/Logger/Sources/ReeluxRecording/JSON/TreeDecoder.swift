internal import Foundation

/// Reads values from the JSON that ``TreeEncoder`` writes.
enum TreeDecoder {
  static func decode<Value: Decodable>(_ type: Value.Type, from tree: JSONTree) throws -> Value {
    try DecodingPlace(tree: tree, parent: nil, key: nil).decode(type)
  }

  /// What went wrong, in the words of this module.
  static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(_, let context):
      "\(place(context.codingPath)) has no value"
    case DecodingError.typeMismatch(let type, let context):
      "\(place(context.codingPath)) is not \(kind(of: type))"
    case DecodingError.dataCorrupted(let context):
      "\(place(context.codingPath)) has a value that its type does not accept"
    case let problem as JSONParser.Problem: "\(problem.reason) (byte \(problem.offset))"
    default: "\(error)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the value" : "'\(path.map(\.stringValue).joined(separator: "."))'"
  }

  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number that fits"
    case is any BinaryFloatingPoint.Type: "a number"
    default: "\(type)"
    }
  }
}

/// A value that is being decoded, and where it stands.
private final class DecodingPlace {
  let tree: JSONTree
  let parent: DecodingPlace?
  let key: (any CodingKey)?

  init(tree: JSONTree, parent: DecodingPlace?, key: (any CodingKey)?) {
    self.tree = tree
    self.parent = parent
    self.key = key
  }

  var path: [any CodingKey] {
    var path: [any CodingKey] = []
    var place: DecodingPlace? = self
    while let current = place {
      if let key = current.key { path.append(key) }
      place = current.parent
    }
    return path.reversed()
  }

  func mismatch(_ type: any Any.Type) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: path, debugDescription: ""))
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let leaf = try leaf(type), let value = leaf as? Value { return value }
    return try Value(from: PlaceDecoder(place: self))
  }

  private func leaf(_ type: any Any.Type) throws -> Any? {
    if type == String.self { return try string() }
    if type == Int.self { return try integer(Int.self) }
    if type == Double.self { return try double() }
    if type == Bool.self { return try bool() }
    if type == URL.self {
      guard let url = URL(string: try string()) else { throw mismatch(type) }
      return url
    }
    if type == Data.self {
      guard let data = Data(base64Encoded: try string()) else { throw mismatch(type) }
      return data
    }
    if type == Decimal.self {
      guard case .number(let text) = tree.content, let number = Decimal(string: text) else { throw mismatch(type) }
      return number
    }
    return nil
  }

  var isNull: Bool { if case .null = tree.content { true } else { false } }

  func string() throws -> String {
    guard case .string(let text) = tree.content else { throw mismatch(String.self) }
    return text
  }

  func bool() throws -> Bool {
    guard case .bool(let flag) = tree.content else { throw mismatch(Bool.self) }
    return flag
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard case .number(let text) = tree.content, let number = Number(text) else { throw mismatch(type) }
    return number
  }

  func double() throws -> Double {
    switch tree.content {
    case .number(let text):
      guard let number = Double(text) else { throw mismatch(Double.self) }
      return number
    case .string("nan"): return .nan
    case .string("inf"): return .infinity
    case .string("-inf"): return -.infinity
    default: throw mismatch(Double.self)
    }
  }

  func float() throws -> Float {
    guard case .number(let text) = tree.content else { return Float(try double()) }
    guard let number = Float(text) else { throw mismatch(Float.self) }
    return number
  }

  func members(_ type: any Any.Type) throws -> [JSONTree.Member] {
    guard case .object(let members) = tree.content else { throw mismatch(type) }
    return members
  }

  func elements(_ type: any Any.Type) throws -> [JSONTree] {
    guard case .array(let elements) = tree.content else { throw mismatch(type) }
    return elements
  }
}

private struct PlaceDecoder: Decoder {
  let place: DecodingPlace
  var codingPath: [any CodingKey] { place.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedParts(place: place, members: try place.members([String: Any].self)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ListedParts(place: place, elements: try place.elements([Any].self))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SinglePart(place: place) }
}

private struct KeyedParts<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: DecodingPlace
  let members: [JSONTree.Member]
  var codingPath: [any CodingKey] { place.path }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  private func find(_ key: any CodingKey) -> JSONTree? {
    let name = key.stringValue
    for member in members where member.name == name { return member.value }
    return nil
  }

  private func part(_ key: any CodingKey) throws -> DecodingPlace {
    guard let tree = find(key) else {
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
    return DecodingPlace(tree: tree, parent: place, key: key)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try part(key).isNull }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try part(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try part(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try part(key).double() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try part(key).integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try part(key).decode(type) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try PlaceDecoder(place: part(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try PlaceDecoder(place: part(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { PlaceDecoder(place: try part(PositionKey(stringValue: "super"))) }
  func superDecoder(forKey key: Key) throws -> any Decoder { PlaceDecoder(place: try part(key)) }
}

private struct ListedParts: UnkeyedDecodingContainer {
  let place: DecodingPlace
  let elements: [JSONTree]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { place.path }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(place: DecodingPlace, elements: [JSONTree]) {
    self.place = place
    self.elements = elements
  }

  private mutating func next(_ type: any Any.Type) throws -> DecodingPlace {
    let key = PositionKey(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: codingPath + [key], debugDescription: ""))
    }
    currentIndex += 1
    return DecodingPlace(tree: elements[currentIndex - 1], parent: place, key: key)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, case .null = elements[currentIndex].content else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type).decode(type) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try PlaceDecoder(place: next([String: Any].self)).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try PlaceDecoder(place: next([Any].self)).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { PlaceDecoder(place: try next(Any.self)) }
}

private struct SinglePart: SingleValueDecodingContainer {
  let place: DecodingPlace
  var codingPath: [any CodingKey] { place.path }

  func decodeNil() -> Bool { place.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try place.bool() }
  func decode(_ type: String.Type) throws -> String { try place.string() }
  func decode(_ type: Double.Type) throws -> Double { try place.double() }
  func decode(_ type: Float.Type) throws -> Float { try place.float() }
  func decode(_ type: Int.Type) throws -> Int { try place.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try place.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try place.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try place.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try place.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try place.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try place.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try place.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try place.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try place.integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try place.decode(type) }
}
