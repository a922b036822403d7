import Foundation

/// A run of one format. It divides the inputs among worker processes. If an input ends its worker, a new worker
/// continues with the next input.
struct FuzzSupervisor {
  /// The number of crashes that ends a run of a format.
  private static let crashLimit = 20

  let format: FuzzFormat
  let seed: UInt64
  let jobs: Int

  /// A part of the inputs, their worker, and its tally.
  private struct Part {
    var inputs: Range<Int>
    var tally: FuzzTally
    var worker: Process
  }

  /// Tests the inputs, prints a line, and returns the number of failures.
  func run(_ inputs: Range<Int>) throws -> Int {
    let clock = ContinuousClock()
    let begin = clock.now
    let memory = "/dev/shm/"
    let place = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    let folder = place + "fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let length = (inputs.count + jobs - 1) / jobs
    var parts = try stride(from: inputs.lowerBound, to: inputs.upperBound, by: length).map { first in
      let path = "\(folder)/\(first)"
      let part = first..<min(first + length, inputs.upperBound)
      return Part(inputs: part, tally: try FuzzTally(path: path), worker: try self.start(part, path))
    }
    var crashes = 0
    for index in parts.indices {
      while true {
        parts[index].worker.waitUntilExit()
        let worker = parts[index].worker
        if worker.terminationReason == .exit, worker.terminationStatus == 0 { break }
        let number = parts[index].tally.current
        crashes += 1
        FuzzFailure(format: format, number: number, seed: seed).report(reason(worker))
        guard crashes < Self.crashLimit, number + 1 < parts[index].inputs.upperBound else { break }
        parts[index].worker = try self.start(
          (number + 1)..<parts[index].inputs.upperBound, "\(folder)/\(parts[index].inputs.lowerBound)")
      }
    }
    let read = parts.reduce(0) { $0 + $1.tally.read }
    let refused = parts.reduce(0) { $0 + $1.tally.refused }
    let misused = parts.reduce(0) { $0 + $1.tally.misused }
    let wrong = parts.reduce(crashes) { $0 + $1.tally.wrong }
    let tested = read + refused + misused + wrong
    print(
      "\(format.name): \(tested) inputs, seed \(seed), \(read) read, \(refused) refused, "
        + (misused > 0 ? "\(misused) refused by the parser of command lines, " : "")
        + "\(wrong) wrong, \(clock.now - begin)"
    )
    if tested < inputs.count { print("\(format.name): \(inputs.count - tested) inputs were not tested") }
    // In a pipe, the lines would otherwise appear at the end of the run.
    fflush(nil)
    return wrong + inputs.count - tested
  }

  private func start(_ inputs: Range<Int>, _ tally: String) throws -> Process {
    let worker = Process()
    worker.executableURL = Bundle.main.executableURL
    worker.arguments = [
      format.name, "--seed", "\(seed)", "--first", "\(inputs.lowerBound)", "--count", "\(inputs.count)", "--tally",
      tally,
    ]
    var environment = ProcessInfo.processInfo.environment
    environment[FuzzSandbox.variable] = tally + "-sandbox"
    worker.environment = environment
    // Commands with --log write to standard error.
    worker.standardError = FileHandle.nullDevice
    try worker.run()
    return worker
  }

  private func reason(_ worker: Process) -> String {
    guard worker.terminationReason == .uncaughtSignal else {
      return "the worker ended with \(worker.terminationStatus)"
    }
    switch worker.terminationStatus {
    case SIGPROF: return "it takes more than \(FuzzWorker.processorSeconds) s of processor time"
    case SIGALRM: return "it takes more than \(FuzzWorker.wallSeconds) s"
    case let signal: return "it ends the process with signal \(signal)"
    }
  }
}

/// An input with a wrong outcome.
struct FuzzFailure {
  let format: FuzzFormat
  let number: Int
  let seed: UInt64

  /// Writes the input to a file, and prints its path, the reason, and the way to repeat it.
  func report(_ text: String) {
    let path = NSTemporaryDirectory() + "fuzz-\(format.name)-\(seed)-\(number)"
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data(format.input(number, seed: seed).bytes))
    let place = isWritten ? "input in \(path); again: Fuzz \(format.name) --input \(path)" : "again:"
    // Written at once: the worker may crash later.
    FileHandle.standardOutput.write(
      Data(
        "\(format.name): \(text); \(place), or Fuzz \(format.name) --seed \(seed) --first \(number) --count 1\n".utf8))
  }
}
