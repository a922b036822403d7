/// The fingerprint of a state: one for the whole, and one for each of its properties.
///
/// FNV-1a with 64 bits over the canonical JSON: it finds differences, it does not protect against forgery.
struct StateChecksum: Hashable, Sendable {
  var whole: String
  /// By property; empty if the state is encoded as something else than an object.
  var parts: [String: String] = [:]

  init(of json: JSONValue) {
    guard case .object(let members) = json else {
      whole = Self.text(Self.hash(json.bytes))
      return
    }
    var hash = Self.seed
    for (name, value) in JSONValue.sorted(members) {
      let part = Self.text(Self.hash(value.bytes))
      parts[name] = part
      hash = Self.hash(Array("\(name)=\(part);".utf8), from: hash)
    }
    whole = Self.text(hash)
  }

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func hash(_ bytes: [UInt8], from seed: UInt64 = seed) -> UInt64 {
    bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private static func text(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
