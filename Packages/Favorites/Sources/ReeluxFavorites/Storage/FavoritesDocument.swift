import Foundation

/// The content of a file of favourites.
struct FavoritesContents<ID: Hashable & Sendable & Codable>: Equatable, Sendable {
  var ids = OrderedIDs<ID>()
  var dates: [ID: Double] = [:]
  /// Fields that this version does not define. They are kept.
  var others: [String: JSONValue] = [:]
  /// The name of such a field that cannot be kept, because one of its numbers is too large. The file must not be
  /// replaced.
  var unkept: String?
}

/// The format of the file: a JSON object with a schema number, the ids in the order of their addition, and the dates.
enum FavoritesDocument<ID: Hashable & Sendable & Codable> {
  /// A file of this schema.
  case favorites(FavoritesContents<ID>)
  /// A file of a later schema.
  case newer(schema: Int)
  /// Any other content, with the reason.
  case damaged(String)

  /// The schema that is written, and the latest one that can be read.
  static var schema: Int { 1 }

  private struct Header: Codable {
    var schema: Int
  }

  init(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else {
      self = .damaged("it is empty")
      return
    }
    do {
      let data = Data(bytes)
      let header = try JSONDecoder().decode(Header.self, from: data)
      if header.schema > Self.schema {
        self = .newer(schema: header.schema)
      } else if header.schema < 1 {
        self = .damaged("schema \(header.schema) is unknown")
      } else {
        self = .favorites(try JSONDecoder().decode(FavoritesContents<ID>.self, from: data))
      }
    } catch {
      self = .damaged(Self.reason(error))
    }
  }

  static func bytes(of contents: FavoritesContents<ID>) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return [UInt8](try encoder.encode(contents)) + [UInt8(ascii: "\n")]
    } catch {
      throw FavoritesFailure(.storage, "the favourites cannot be written as JSON: \(error)")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    // Foundation reports a number that does not fit its type in the same way as invalid JSON.
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "it is not valid JSON, it is incomplete, or one of its numbers does not fit"
    case .keyNotFound(let key, _): "the key '\(key.stringValue)' is missing"
    case .typeMismatch(_, let context) where context.codingPath.isEmpty,
      .valueNotFound(_, let context) where context.codingPath.isEmpty:
      "it is not a JSON object"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "the value at '\(place(context.codingPath))' has the wrong type"
    case .dataCorrupted(let context): "the value at '\(place(context.codingPath))' cannot be read"
    default: "\(error)"
    }
  }

  /// A path such as `dates[0].date`.
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce("") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
    }
  }
}

/// A field with any name.
private struct Field: CodingKey {
  static let schema = Field("schema")
  static let favorites = Field("favorites")
  static let dates = Field("dates")

  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension FavoritesContents: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    ids = try container.decode(OrderedIDs<ID>.self, forKey: .favorites)
    let dates = try container.decodeIfPresent([FavoriteDate<ID>].self, forKey: .dates) ?? []
    self.dates = FavoriteDate.dictionary(dates.filter { ids.contains($0.id) })
    let known = [Field.schema, .favorites, .dates].map(\.stringValue)
    for key in container.allKeys where !known.contains(key.stringValue) {
      let value = try? container.decode(JSONValue.self, forKey: key)
      if value == nil { unkept = min(unkept ?? key.stringValue, key.stringValue) }
      others[key.stringValue] = value
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Field.self)
    try container.encode(FavoritesDocument<ID>.schema, forKey: .schema)
    try container.encode(ids, forKey: .favorites)
    if !dates.isEmpty { try container.encode(FavoriteDate.list(dates, inOrderOf: ids), forKey: .dates) }
    for (name, value) in others { try container.encode(value, forKey: Field(name)) }
  }
}

/// Any JSON value. It preserves fields that this version does not define.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Decimal.self) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}
