internal import Foundation

/// Encodes values to JSON that is the same in every run: members sorted by name, sets and dictionaries by the text of
/// their elements. What it writes, `CanonicalDecoder.make()` reads.
///
/// A type that hands a set of its own on by `set.encode(to: encoder)` escapes the sorting: encode it in a container.
struct CanonicalEncoder {
  /// Returns the value as JSON.
  func encode(_ value: some Encodable) throws -> JSONValue {
    try Self.json(of: value, path: [])
  }

  /// Whether the value is one of those that are encoded without asking it for its properties, or whose members have no
  /// fixed names.
  static func isPlain(_ value: any Encodable) -> Bool {
    switch value {
    case is String, is Int, is Double, is Bool, is URL, is Data, is Decimal, is Date: true
    default: value is any Unordered
    }
  }

  static func json(of value: any Encodable, path: [any CodingKey]) throws -> JSONValue {
    switch value {
    case let text as String: return .string(text)
    case let number as Int: return .number(String(number))
    case let number as Double: return number.canonicalJSON
    case let flag as Bool: return .bool(flag)
    case let url as URL: return .string(url.absoluteString)
    case let data as Data: return .string(data.base64EncodedString())
    case let number as Decimal: return .number(number.description)
    default: break
    }
    let node = EncodingNode(path: path)
    try value.encode(to: CanonicalEncoding(node: node))
    guard case .array(let elements) = node.json, let unordered = value as? any Unordered else { return node.json }
    return .array(type(of: unordered).sorted(elements))
  }
}

/// The decoder for what ``CanonicalEncoder`` writes.
enum CanonicalDecoder {
  static func make() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

/// A collection whose order means nothing and differs from run to run.
private protocol Unordered {
  static func sorted(_ elements: [JSONValue]) -> [JSONValue]
}

extension Set: Unordered {
  fileprivate static func sorted(_ elements: [JSONValue]) -> [JSONValue] {
    elements.map { ($0, $0.bytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }
}

extension Dictionary: Unordered {
  /// Keys that are no strings are encoded as a list of key, value, key, value, …
  fileprivate static func sorted(_ elements: [JSONValue]) -> [JSONValue] {
    guard elements.count.isMultiple(of: 2) else { return elements }
    let pairs = stride(from: 0, to: elements.count, by: 2).map { (elements[$0], elements[$0 + 1], elements[$0].bytes) }
    return pairs.sorted { $0.2.lexicographicallyPrecedes($1.2) }.flatMap { [$0.0, $0.1] }
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The shortest text that reads back as the same number; what is no number as a string.
  var canonicalJSON: JSONValue {
    if isNaN { return .string("nan") }
    return isInfinite ? .string(self < 0 ? "-inf" : "inf") : .number(description)
  }
}
