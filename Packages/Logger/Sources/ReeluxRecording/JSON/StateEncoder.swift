import ReeluxCore
import ReeluxDiff

/// Encodes successive states of a run: a property that is equal to what it was is neither encoded nor hashed again.
///
/// That goes three levels deep, so an action that changes `movies.view` does not cost a walk over `movies.catalog`. It
/// keeps the last value of each such property. Not for use from two threads at a time.
final class StateEncoder {
  /// A property, or a whole state, as JSON with its digest.
  struct Encoded: Sendable {
    var json: JSONValue
    var digest: UInt64
    /// The digests of its own properties.
    var members: [String: UInt64] = [:]
  }

  private static let depth = 3

  private let keepsJSON: Bool
  private var known: [String: (value: Any, encoded: Encoded)] = [:]

  /// Makes an encoder that knows nothing yet.
  /// - Parameter keepsJSON: Whether the JSON of what does not change is wanted again; without it, `json` is to be used for
  ///   the first state only.
  init(keepsJSON: Bool) {
    self.keepsJSON = keepsJSON
  }

  /// Returns the state as JSON with its digests.
  func encode(_ state: any Encodable) throws -> Encoded {
    try part(state, at: [])
  }

  func part(_ value: any Encodable, at path: [any CodingKey]) throws -> Encoded {
    let place = path.map(\.stringValue).joined(separator: "\u{0}")
    if let last = known[place], ValueInspector.isEqual(last.value, value) == true { return last.encoded }
    var encoded = try encodeNew(value, at: path)
    let result = encoded
    if !keepsJSON { encoded.json = .null }
    known[place] = (value, encoded)
    return result
  }

  private func encodeNew(_ value: any Encodable, at path: [any CodingKey]) throws -> Encoded {
    if path.count < Self.depth, !CanonicalEncoder.isPlain(value) {
      let node = PartNode(encoder: self, path: path)
      try value.encode(to: PartEncoding(node: node))
      if let members = node.members { return Self.joined(members) }
    }
    let json = try CanonicalEncoder.json(of: value, path: path)
    return Encoded(json: json, digest: FNV1a(json.bytes).value)
  }

  private static func joined(_ members: [String: Encoded]) -> Encoded {
    var digest = FNV1a()
    for (name, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      digest.combine("\(name)=\(Digest.text(member.digest));".utf8)
    }
    return Encoded(
      json: .object(members.mapValues(\.json)), digest: digest.value, members: members.mapValues(\.digest))
  }
}

/// How a hash is written.
enum Digest {
  /// The digest as 16 hexadecimal digits.
  static func text(_ digest: UInt64) -> String {
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
