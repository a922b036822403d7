/// A format whose reader may accept or reject an input, but must not fail in any other way.
struct FuzzFormat: Sendable {
  /// The result for an input.
  enum Outcome {
    /// The reader accepted it.
    case read
    /// The reader rejected it with line and reason.
    case refused
    /// The parser of command lines rejected it, so that no command ran.
    case misused
    /// The reader did something that is not allowed. The text describes it.
    case wrong(String)
  }

  /// The name on the command line.
  var name: String
  /// Creates a valid input.
  var generate: @Sendable (inout FuzzRandom) -> [UInt8]
  /// The texts that mutations insert.
  var dictionary: [String]
  /// Damages a valid input in the terms of its format; `nil` for damage of bytes.
  var damage: @Sendable (_ input: [UInt8], inout FuzzRandom) -> [UInt8]? = { _, _ in nil }
  /// Reads an input. If the flag says that the input is valid, the reader must accept it.
  var check: @Sendable (_ input: [UInt8], _ isValid: Bool) async -> Outcome

  /// The input with this number. One in eight is not mutated.
  func input(_ number: Int, seed: UInt64) -> (bytes: [UInt8], isValid: Bool) {
    var random = FuzzRandom(seed: seed, input: number)
    let valid = generate(&random)
    guard !random.once(in: 8) else { return (valid, true) }
    let damaged = damage(valid, &random) ?? Mutation.mutate(valid, dictionary: dictionary + Mutation.numbers, &random)
    return (damaged, false)
  }
}
