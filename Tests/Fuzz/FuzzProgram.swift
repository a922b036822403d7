import Foundation

/// The command line of the fuzzer.
@main struct FuzzProgram {
  private static let formats: [FuzzFormat] = [.gpx, .nmea, .time, .movieLens, .imdb, .json]

  private static var usage: String {
    """
    usage: Fuzz [FORMAT...] [--count N] [--seed S] [--first I]

      Fuzz                      every format, 100000 inputs each, and the memory of a million points
      Fuzz gpx --count 1000000  more of one format
      Fuzz gpx --first 4711 --count 1   one input again, which is printed

    formats: \(formats.map(\.name).joined(separator: " ")) memory
    """
  }

  static func main() throws {
    var names: [String] = []
    var count = 100_000
    var first = 0
    var seed: UInt64 = 1
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h":
        print(usage)
        return
      case "--count": count = number(after: argument, arguments.popFirst())
      case "--first": first = number(after: argument, arguments.popFirst())
      case "--seed": seed = number(after: argument, arguments.popFirst())
      case "memory": names.append(argument)
      default:
        guard formats.contains(where: { $0.name == argument }) else { refuse("unknown format '\(argument)'") }
        names.append(argument)
      }
    }
    guard count > 0, first >= 0, count <= Int.max - first else { refuse("there is nothing to do") }
    var failures = 0
    for format in formats where names.isEmpty || names.contains(format.name) {
      failures += run(format, inputs: first..<(first + count), seed: seed)
    }
    if names.isEmpty || names.contains("memory"), let failure = try MemoryCheck.run(points: 1_000_000) {
      print("memory: \(failure)")
      failures += 1
    }
    exit(failures > 0 ? 1 : 0)
  }

  private static func number<Number: FixedWidthInteger>(after option: String, _ text: String?) -> Number {
    guard let number = text.flatMap({ Number($0) }) else { refuse("\(option) wants a number") }
    return number
  }

  /// Tries the inputs of one format, and returns how many went wrong.
  private static func run(_ format: FuzzFormat, inputs: Range<Int>, seed: UInt64) -> Int {
    let clock = ContinuousClock()
    let start = clock.now
    var (read, refused, wrong) = (0, 0, 0)
    for number in inputs {
      // Should a reader trap after all, the last line says where.
      if number.isMultiple(of: 10_000) { note("\(format.name): from \(number) with --seed \(seed)") }
      let input = format.input(number, seed: seed)
      if inputs.count == 1 { print(String(decoding: input.bytes, as: UTF8.self)) }
      switch format.check(input.bytes, input.isValid) {
      case .read: read += 1
      case .refused: refused += 1
      case .wrong(let text):
        wrong += 1
        print("\(format.name): \(text); again: Fuzz \(format.name) --seed \(seed) --first \(number) --count 1")
      }
    }
    print(
      "\(format.name): \(inputs.count) inputs, \(read) read, \(refused) refused, \(wrong) wrong, \(clock.now - start)")
    return wrong
  }

  private static func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  private static func refuse(_ text: String) -> Never {
    note("Fuzz: \(text)\n\n\(usage)")
    exit(64)
  }
}
