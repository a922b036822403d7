internal import Foundation

/// A decoder of the JSON that ``TreeEncoder`` writes.
enum TreeDecoder {
  static func decode<Value: Decodable>(_ type: Value.Type, from json: ParsedJSON.Value) throws -> Value {
    try DecodingPlace(value: json, root: json.number).decode(type)
  }

  /// The reason of a decoding error, in this module's terms.
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

/// A value that is being decoded.
private struct DecodingPlace {
  let value: ParsedJSON.Value
  /// The number of the value from which decoding began.
  let root: Int

  /// The names and positions that lead to the value.
  var path: [any CodingKey] {
    var path: [any CodingKey] = []
    var place = value
    while place.number != root, let parent = place.parent {
      if parent.kind == .object {
        path.append(PositionKey(stringValue: place.name))
      } else {
        path.append(PositionKey(place.position))
      }
      place = parent
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
      if value.string == "nan" { return Decimal.nan }
      guard let digits = value.digits, let number = Decimal(string: digits) else { throw mismatch(type) }
      return number
    }
    return nil
  }

  var isNull: Bool { value.kind == .null }

  func string() throws -> String {
    guard let text = value.string else { throw mismatch(String.self) }
    return text
  }

  func bool() throws -> Bool {
    switch value.kind {
    case .yes: return true
    case .no: return false
    default: throw mismatch(Bool.self)
    }
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard let number = value.integer(type) else { throw mismatch(type) }
    return number
  }

  func double() throws -> Double {
    if let digits = value.digits {
      guard let number = Double(digits) else { throw mismatch(Double.self) }
      return number
    }
    switch value.string {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    default: throw mismatch(Double.self)
    }
  }

  func float() throws -> Float {
    guard let digits = value.digits else { return Float(try double()) }
    guard let number = Float(digits) else { throw mismatch(Float.self) }
    return number
  }
}

private struct PlaceDecoder: Decoder {
  let place: DecodingPlace
  var codingPath: [any CodingKey] { place.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard place.value.kind == .object else { throw place.mismatch([String: Any].self) }
    return KeyedDecodingContainer(KeyedParts(place: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard place.value.kind == .array else { throw place.mismatch([Any].self) }
    return ListedParts(place: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SinglePart(place: place) }
}

private struct KeyedParts<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: DecodingPlace
  private let index: MemberIndex?
  var codingPath: [any CodingKey] { place.path }

  init(place: DecodingPlace) {
    self.place = place
    index = place.value.count > MemberIndex.few ? MemberIndex(of: place.value) : nil
  }

  var allKeys: [Key] {
    var keys: [Key] = []
    var member = place.value.first
    for _ in 0..<place.value.count {
      if let key = Key(stringValue: member.name) { keys.append(key) }
      member = member.next
    }
    return keys
  }

  private func find(_ key: any CodingKey) -> ParsedJSON.Value? {
    if let index { return index.member(key.stringValue) }
    return place.value[key.stringValue]
  }

  private func part(_ key: any CodingKey) throws -> DecodingPlace {
    guard let value = find(key) else {
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
    return DecodingPlace(value: value, root: place.root)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try part(key).isNull }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try part(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try part(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try part(key).double() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try part(key).integer(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try part(key).integer(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try part(key).integer(type) }
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

/// The members of a large object, such as a dictionary, by the bytes of their names.
private final class MemberIndex {
  static let few = 16
  private var members: [ArraySlice<UInt8>: ParsedJSON.Value] = [:]

  init(of object: ParsedJSON.Value) {
    members.reserveCapacity(object.count)
    var member = object.first
    for _ in 0..<object.count {
      // If names are equal, the first member counts.
      if members[member.nameBytes] == nil { members[member.nameBytes] = member }
      member = member.next
    }
  }

  func member(_ name: String) -> ParsedJSON.Value? { members[Array(name.utf8)[...]] }
}

private struct ListedParts: UnkeyedDecodingContainer {
  let place: DecodingPlace
  private var element: ParsedJSON.Value
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { place.path }
  var count: Int? { place.value.count }
  var isAtEnd: Bool { currentIndex >= place.value.count }

  init(place: DecodingPlace) {
    self.place = place
    element = place.value.first
  }

  /// Decodes the next element. After an error, the same element can be decoded as another type.
  private mutating func next<Value>(_ type: any Any.Type, _ decode: (DecodingPlace) throws -> Value) throws -> Value {
    try checkIsNotAtEnd(type)
    let value = try decode(DecodingPlace(value: element, root: place.root))
    element = element.next
    currentIndex += 1
    return value
  }

  private func checkIsNotAtEnd(_ type: any Any.Type) throws {
    guard isAtEnd else { return }
    throw DecodingError.valueNotFound(
      type, DecodingError.Context(codingPath: codingPath + [PositionKey(currentIndex)], debugDescription: ""))
  }

  mutating func decodeNil() throws -> Bool {
    try checkIsNotAtEnd(Any?.self)
    if element.kind != .null { return false }
    element = element.next
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.integer(type) } }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next([String: Any].self) { try PlaceDecoder(place: $0).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try PlaceDecoder(place: $0).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next(Any.self) { PlaceDecoder(place: $0) } }
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
  func decode(_ type: Int128.Type) throws -> Int128 { try place.integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try place.integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try place.decode(type) }
}
