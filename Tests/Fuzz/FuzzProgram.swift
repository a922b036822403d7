import Foundation

/// The command line of the fuzzer.
@main struct FuzzProgram {
  private static let formats: [FuzzFormat] = [
    .gpx, .nmea, .time, .movieLens, .imdb, .json, .commands, .scripts, .keys, .recordings, .favorites,
  ]

  private static var usage: String {
    """
    usage: Fuzz [FORMAT...] [--count N] [--seed S] [--first I] [--jobs N]
           Fuzz FORMAT --input FILE

      Fuzz                      every format, 100000 inputs each, and the memory of a million points
      Fuzz gpx --count 1000000  more of one format
      Fuzz gpx --first 4711 --count 1   one input again, which is printed
      Fuzz keys --input FILE    one input from a file

    formats: \(formats.map(\.name).joined(separator: " ")) memory
    An input may take \(FuzzWorker.processorSeconds) s of processor time and \(FuzzWorker.memory >> 20) MB. A failing input is written to a file.
    """
  }

  /// The options and formats of the command line.
  private struct Request {
    var names: [String] = []
    var count = 100_000
    var first = 0
    var seed: UInt64 = 1
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    var input: String?
    /// The file of a worker's tally; `nil` in the first process.
    var tally: String?

    var formats: [FuzzFormat] { FuzzProgram.formats.filter { names.isEmpty || names.contains($0.name) } }
  }

  static func main() async throws {
    let request = read(Array(CommandLine.arguments.dropFirst()))
    if let path = request.tally, let format = request.formats.first {
      let supervisor = getppid()
      try await FuzzWorker(format: format, seed: request.seed, supervisor: supervisor)
        .run(request.first..<(request.first + request.count), tally: FuzzTally(path: path))
      // A supervisor that was killed cannot remove its folder.
      if getppid() != supervisor {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
      }
      return
    }
    var failures = 0
    if request.input != nil || request.count == 1, !request.names.contains("memory") {
      for format in request.formats { failures += try await runOne(format, request) ? 0 : 1 }
    } else {
      for format in request.formats {
        let inputs = request.first..<(request.first + request.count)
        failures += try FuzzSupervisor(format: format, seed: request.seed, jobs: request.jobs).run(inputs)
      }
      if request.names.isEmpty || request.names.contains("memory"),
        let failure = try MemoryCheck.run(points: 1_000_000)
      {
        print("memory: \(failure)")
        failures += 1
      }
    }
    exit(failures > 0 ? 1 : 0)
  }

  /// Tests one input in this process, where a debugger can stop. Returns whether the outcome is right.
  private static func runOne(_ format: FuzzFormat, _ request: Request) async throws -> Bool {
    defer { FuzzSandbox.removeOwnFolder() }
    let made = format.input(request.first, seed: request.seed)
    let file = try request.input.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
    print(String(decoding: file ?? made.bytes, as: UTF8.self))
    switch await format.check(file ?? made.bytes, file == nil && made.isValid) {
    case .read: print("\(format.name): read")
    case .refused: print("\(format.name): refused")
    case .misused: print("\(format.name): refused by the parser of command lines")
    case .wrong(let text):
      print("\(format.name): \(text)")
      return false
    }
    return true
  }

  private static func read(_ words: [String]) -> Request {
    var request = Request()
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--help", "-h":
        print(usage)
        exit(0)
      case "--count": request.count = number(after: word, words.popFirst())
      case "--first": request.first = number(after: word, words.popFirst())
      case "--seed": request.seed = number(after: word, words.popFirst())
      case "--jobs": request.jobs = number(after: word, words.popFirst())
      case "--input": request.input = words.popFirst()
      case "--tally": request.tally = words.popFirst()
      case "memory": request.names.append(word)
      default:
        guard formats.contains(where: { $0.name == word }) else { refuse("unknown format '\(word)'") }
        request.names.append(word)
      }
    }
    guard request.count > 0, request.first >= 0, request.jobs > 0, request.count <= Int.max - request.first else {
      refuse("there is nothing to do")
    }
    if request.input != nil, request.formats.count != 1 { refuse("--input needs one format") }
    return request
  }

  private static func number<Number: FixedWidthInteger>(after option: String, _ text: String?) -> Number {
    guard let number = text.flatMap({ Number($0) }) else { refuse("\(option) wants a number") }
    return number
  }

  private static func refuse(_ text: String) -> Never {
    FileHandle.standardError.write(Data("Fuzz: \(text)\n\n\(usage)\n".utf8))
    exit(64)
  }
}
