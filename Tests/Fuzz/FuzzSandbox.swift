import Foundation
import MoviesApp
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation

/// A folder with a few files, in which command lines run in this process. Standard input is empty.
struct FuzzSandbox: Sendable {
  /// The result of a command line.
  struct Result: Sendable {
    var exitCode: ExitCode
    var output: String
    var errors: String
  }

  /// The environment variable with the path of the folder. A supervisor sets it and removes the folder.
  static let variable = "REELUX_FUZZ_FOLDER"

  /// The sandbox of this process. The first access changes the working directory to its folder.
  static let shared = FuzzSandbox()

  /// The files that exist before each input.
  static let samples: [String: [UInt8]] = [
    "movies.csv": Array(
      "movieId,title,genres\n1,Toy Story (1995),Animation|Comedy\n2,\"Lost, The (1925)\",Drama\n".utf8),
    "titles.tsv": Array(
      """
      tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres
      tt0000001\tmovie\tThe Kid\tThe Kid\t0\t1921\t\\N\t68\tComedy,Drama

      """.utf8),
    "movies.json": Array(
      "[{\"id\": \"m1\", \"title\": \"H\u{E4}xan\", \"year\": 1922, \"genres\": [\"Drama\"]}]\n".utf8),
    "walk.gpx": Array(
      """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="52.39" lon="13.11"/>
      <trkpt lat="52.391" lon="13.12"/></trkseg></trk></gpx>
      """.utf8),
    "walk.nmea": Array(
      """
      $GPRMC,100000,A,5223.4000,N,01307.2000,E,000.0,000.0,010524,,*1B
      $GPRMC,100001,A,5223.4100,N,01307.2100,E,000.0,000.0,010524,,*1A

      """.utf8),
    "tour.movies": Array("search caligari\nexpect Caligari\n".utf8),
    "run.jsonl": SampleRecording.bytes,
  ]

  /// A track of five points.
  static let track = Track.points(
    (0..<5).map {
      TrackPoint(coordinate: BuiltInWalk.start.moved(by: 40 * Double($0), bearing: 120), timestamp: nil)
    })

  private let folder: String

  /// The folder of a process without a supervisor.
  private static let ownFolder =
    NSTemporaryDirectory() + "fuzz-sandbox-\(ProcessInfo.processInfo.processIdentifier)"

  /// Removes the folder, if this process has no supervisor.
  static func removeOwnFolder() { try? FileManager.default.removeItem(atPath: ownFolder) }

  private init() {
    folder = ProcessInfo.processInfo.environment[Self.variable] ?? Self.ownFolder
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard FileManager.default.changeCurrentDirectoryPath(folder) else { exit(74) }
    let nothing = unsafe open("/dev/null", O_RDONLY)
    dup2(nothing, STDIN_FILENO)
    close(nothing)
  }

  /// Restores the folder, and adds these files. They replace samples of the same name.
  func reset(_ files: [String: [UInt8]] = [:]) {
    let wanted = Self.samples.merging(files, uniquingKeysWith: { $1 })
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? [] where wanted[name] == nil {
      try? manager.removeItem(atPath: "\(folder)/\(name)")
    }
    // Most command lines change no sample, and reading is cheaper than writing.
    for (name, bytes) in wanted where content(name) != bytes {
      let path = URL(fileURLWithPath: "\(folder)/\(name)")
      try? manager.removeItem(at: path)
      try? manager.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try? Data(bytes).write(to: path)
    }
  }

  /// The bytes of a file; `nil` if it cannot be read.
  private func content(_ name: String) -> [UInt8]? {
    let file = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = unsafe max(0, read(file, buffer.baseAddress, buffer.count))
    }
  }

  /// The content of the files whose paths begin with a prefix, by path.
  func files(_ prefix: String) -> [String: [UInt8]] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    var files: [String: [UInt8]] = [:]
    for name in names where name.hasPrefix(prefix) {
      files[name] = (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))).map(Array.init)
    }
    return files
  }

  /// Runs a command line.
  ///
  /// A server without latency replaces the one that keeps its file, unless `keepsServer` is true. If the command line
  /// chooses a speed, a short track replaces its walk, and takes no time.
  ///
  /// - Parameter script: The text of the script that the command line runs.
  func run(_ words: [String], script: String = "", keepsServer: Bool = false) async -> Result {
    let text = Locked((output: "", errors: ""))
    let end = ContinuousClock.now + .seconds(2)
    var console = Console(
      output: { piece, _ in text.withLock { $0.output += piece } },
      errors: { piece in text.withLock { $0.errors += piece } })
    console.style.isForTerminal = true
    // `watch` ends when the reader of its output closes the pipe.
    console.isClosed = { ContinuousClock.now > end }
    let environment = [
      "HOME": folder, "XDG_DATA_HOME": folder + "/data", "XDG_CONFIG_HOME": folder + "/config", "LANG": "sv_SE.UTF-8",
    ]
    var runner = CommandRunner(environment: environment, console: { [console] _ in console })
    let choosesSpeed = script.contains("--speed") || words.contains { $0.contains("--speed") }
    runner.adjust = { outside in
      if !keepsServer {
        outside.favorites = .mock(
          failures: FavoritesFailures(rate: 0.2, kinds: [.offline]), seed: 1, storage: .memory())
      }
      outside.favoritesPolicy = FavoritesPolicy(attempts: 2, backoff: Backoff(first: .zero))
      if choosesSpeed { outside.locations = .simulated(Self.track, speed: .max) }
    }
    let exitCode = await runner.run(words)
    let (output, errors) = text.withLock { $0 }
    return Result(exitCode: exitCode, output: output, errors: errors)
  }

  /// The outcome of a command line or script with this text. It may change a sample only if the text allows this.
  func outcome(of result: Result, for text: String) -> FuzzFormat.Outcome {
    if !text.contains("--force"), !text.contains("log-file") {
      for (name, bytes) in Self.samples where content(name) != bytes { return .wrong("it changes \(name)") }
    }
    return result.outcome(isColored: text.contains("always"))
  }
}

extension FuzzSandbox.Result {
  /// The outcome of a command line. A failure must have a reason, and no text may contain a control character.
  ///
  /// - Parameter isColored: Whether escape sequences are allowed.
  func outcome(isColored: Bool) -> FuzzFormat.Outcome {
    if exitCode != .done, !errors.contains("error:") { return .wrong("it ends with \(exitCode) and no error") }
    for text in [output, errors] {
      if let control = Self.control(in: text, isColored: isColored) {
        return .wrong("it writes the control character U+\(String(control, radix: 16))")
      }
    }
    switch exitCode {
    case .done: return .read
    case .usage: return .misused
    default: return .refused
    }
  }

  /// A control character that a text may not contain.
  private static func control(in text: String, isColored: Bool) -> UInt32? {
    var text = text
    // Bytes are faster to look at than scalars. The bytes of U+0080 and following begin with C2, those of U+2000 with
    // E2.
    let isSuspect = text.withUTF8 { bytes in
      unsafe bytes.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
    }
    guard isSuspect else { return nil }
    return text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x1B: !isColored
      case 0x09, 0x0A, 0x0D: false
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }?.value
  }
}
