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

  /// The program's name in its own suggestions: its path, because the working folder contains no package.
  static let name =
    executable.path.contains(where: { $0.isWhitespace || $0 == "'" }) ? "'\(executable.path)'" : executable.path

  /// Runs the program to its end, or kills it after the time limit.
  func run(_ arguments: String..., within limit: Duration = .seconds(600)) async throws -> RunResult {
    try await run(arguments, within: limit)
  }

  /// Runs the program to its end, or kills it after the time limit.
  func run(_ arguments: [String], within limit: Duration = .seconds(600)) async throws -> RunResult {
    try await result(of: process(Self.executable, arguments), within: limit)
  }

  /// Runs a shell line in which `$MOVIES` is the program. Returns the output of the line.
  func shell(_ line: String, within limit: Duration = .seconds(600)) async throws -> RunResult {
    try await result(of: process(URL(filePath: "/bin/bash"), ["-c", line]), within: limit)
  }

  private func process(_ executable: URL, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.url.path,
      "XDG_DATA_HOME": dataDirectory, "LANG": "C.UTF-8", "MOVIES": Self.executable.path,
    ].merging(environment) { $1 }
    return process
  }

  /// Runs the process to its end, or kills it after the time limit.
  private func result(of process: Process, within limit: Duration) async throws -> RunResult {
    let output = try folder.newFile()
    let errors = try folder.newFile()
    // An element says that the process was killed, because it did not end within the limit.
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try Self.start(process, output: output, errors: errors)
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
    let status = process.terminationStatus
    return RunResult(
      output: try String(contentsOf: output, encoding: .utf8), errors: try String(contentsOf: errors, encoding: .utf8),
      exitCode: process.terminationReason == .uncaughtSignal ? 128 + status : status)
  }

  /// Starts the process, whose output goes to these files.
  ///
  /// This process closes the files at once. Foundation keeps them open as long as the `Process` exists, and with more
  /// than about 1,300 open descriptors, `Process.run()` reads behind a buffer on Linux (swift-corelibs-foundation
  /// 5472).
  private static func start(_ process: Process, output: URL, errors: URL) throws {
    let files = try [output, errors].map { try FileHandle(forWritingTo: $0) }
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    for file in files { try file.close() }
  }
}
