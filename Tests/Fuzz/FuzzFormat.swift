/// A format whose reader is given inputs that it may read or refuse, but must survive.
struct FuzzFormat: Sendable {
  /// What became of an input.
  enum Outcome {
    /// It was read.
    case read
    /// It was refused with line and reason.
    case refused
    /// The reader did what it must not; the text says what.
    case wrong(String)
  }

  /// The name on the command line.
  var name: String
  /// Makes a valid input.
  var generate: @Sendable (inout FuzzRandom) -> [UInt8]
  /// What mutations put in.
  var dictionary: [String]
  /// Reads an input; the flag says that it is valid, and so must not be refused.
  var check: @Sendable (_ input: [UInt8], _ isValid: Bool) -> Outcome

  /// The input of a number; one in eight is left valid.
  func input(_ number: Int, seed: UInt64) -> (bytes: [UInt8], isValid: Bool) {
    var random = FuzzRandom(seed: seed, input: number)
    let valid = generate(&random)
    guard !random.once(in: 8) else { return (valid, true) }
    return (Mutation.mutate(valid, dictionary: dictionary + Mutation.numbers, &random), false)
  }
}
