import Foundation

/// The format of the file: a JSON object with a schema number and the ids in the order of their addition.
enum FavoritesDocument<ID: Hashable & Sendable & Codable> {
  /// A file of this schema.
  case favorites(OrderedIDs<ID>)
  /// A file of a later schema.
  case newer(schema: Int)
  /// Anything else, and what is wrong with it.
  case damaged(String)

  /// The schema that is written, and the last one that is read.
  static var schema: Int { 1 }

  private struct Header: Codable {
    var schema: Int
  }

  private struct Body: Codable {
    var schema: Int
    var favorites: OrderedIDs<ID>
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
        self = .damaged("there is no schema \(header.schema)")
      } else {
        self = .favorites(try JSONDecoder().decode(Body.self, from: data).favorites)
      }
    } catch {
      self = .damaged(Self.reason(error))
    }
  }

  static func bytes(of ids: OrderedIDs<ID>) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return [UInt8](try encoder.encode(Body(schema: schema, favorites: ids))) + [UInt8(ascii: "\n")]
    } catch {
      throw FavoritesFailure(.storage, "the favourites cannot be written as JSON: \(error)")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is not JSON, or not all of it"
    case .keyNotFound(let key, _): "it has no '\(key.stringValue)'"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      "what it says at '\(context.codingPath.map(\.stringValue).joined(separator: "/"))' is of the wrong kind"
    default: "\(error)"
    }
  }
}
