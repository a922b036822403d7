import Foundation
import Testing

/// The built executable, with a folder and an environment for each test.
struct MoviesProgram: Sendable {
  /// A folder for one test. The data directory is inside it.
  let folder: Folder
  /// Additional environment variables.
  var environment: [String: String] = [:]

  init() throws {
    folder = try Folder()
  }

  /// The data directory that every run uses unless its arguments say otherwise.
  var dataDirectory: String { folder.path("data") }

  /// The executable beside the test bundle.
  static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let start = bundle ?? URL(filePath: CommandLine.arguments.first ?? ".").resolvingSymlinksInPath()
    var folder = start.deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appending(path: "MoviesCLI")
      var isDirectory: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return URL(filePath: "MoviesCLI")
  }()

  /// The program's name in its own suggestions. Outside of `.build`, it is the path of the executable.
  static let name = executable.path.contains(".build/") ? "swift run MoviesCLI" : executable.path

  /// Runs the program to its end, or kills it after the time limit.
  func run(_ arguments: String..., within limit: Duration = .seconds(600)) async throws -> RunResult {
    try await run(arguments, within: limit)
  }

  /// Runs the program to its end, or kills it after the time limit.
  func run(_ arguments: [String], within limit: Duration = .seconds(600)) async throws -> RunResult {
    let output = try folder.newFile()
    let errors = try folder.newFile()
    let process = process(arguments)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let exitCode = try await Self.exitCode(of: process, within: limit)
    return RunResult(
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8),
      exitCode: exitCode)
  }

  /// Runs a shell line in which `$MOVIES` is the program. Returns the output of the line.
  func shell(_ line: String, within limit: Duration = .seconds(600)) async throws -> RunResult {
    let output = try folder.newFile()
    let errors = try folder.newFile()
    let process = process([])
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let exitCode = try await Self.exitCode(of: process, within: limit)
    return RunResult(
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8),
      exitCode: exitCode)
  }

  private func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.url.path,
      "XDG_DATA_HOME": dataDirectory, "LANG": "C.UTF-8", "MOVIES": Self.executable.path,
    ].merging(environment) { $1 }
    return process
  }

  private static func exitCode(of process: Process, within limit: Duration) async throws -> Int32 {
    // An element says that the program was killed, because it did not end within the limit.
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    let identifier = process.processIdentifier
    let guardian = DispatchWorkItem {
      continuation.yield()
      kill(identifier, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .seconds(Int(limit.components.seconds)), execute: guardian)
    for await _ in ended {
      let line = (process.arguments ?? []).joined(separator: " ")
      Issue.record("The program did not end within \(limit): \(line)")
    }
    guardian.cancel()
    return process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
  }
}
