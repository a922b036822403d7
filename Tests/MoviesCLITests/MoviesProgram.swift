import Foundation
import Testing

/// The built executable, run in a folder of its own with an environment of its own.
struct MoviesProgram: Sendable {
  /// A folder that is there for one test; the data directory is inside it.
  let folder: Folder
  /// What is added to the environment.
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
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory), !isDirectory.boolValue {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return URL(filePath: "MoviesCLI")
  }()

  /// Runs the program to its end, or kills it after the time limit.
  func run(_ arguments: String..., within limit: Duration = .seconds(60)) async throws -> RunResult {
    try await run(arguments, within: limit)
  }

  /// Runs the program to its end, or kills it after the time limit.
  func run(_ arguments: [String], within limit: Duration = .seconds(60)) async throws -> RunResult {
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

  /// Runs a shell line in which `$MOVIES` is the program, and gives what the line wrote.
  func shell(_ line: String, within limit: Duration = .seconds(60)) async throws -> RunResult {
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
    let ended = AsyncStream<Void> { continuation in
      process.terminationHandler = { _ in continuation.finish() }
    }
    try process.run()
    let identifier = process.processIdentifier
    let guardian = DispatchWorkItem {
      kill(identifier, SIGKILL)
      Issue.record("the program did not end within \(limit)")
    }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .seconds(Int(limit.components.seconds)), execute: guardian)
    for await _ in ended {}
    guardian.cancel()
    return process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
  }
}
