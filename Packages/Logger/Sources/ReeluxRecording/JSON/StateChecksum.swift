/// The fingerprint of a state: one for the whole, and one for each of its properties.
struct StateChecksum: Hashable, Sendable {
  var whole: String
  /// By property; empty if the state is encoded as something else than an object.
  var parts: [String: String]

  init(_ encoded: StateEncoder.Encoded) {
    whole = Digest.text(encoded.digest)
    parts = encoded.members.mapValues { Digest.text($0) }
  }
}
