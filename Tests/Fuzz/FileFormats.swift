import Foundation
import MoviesApp
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxLogger
import ReeluxRecording

extension FuzzFormat {
  /// Recordings, as `replay`, `watch` and `report` read them.
  static let recordings = FuzzFormat(
    name: "recordings",
    generate: { _ in SampleRecording.bytes },
    dictionary: [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "{}", "[]", "\n", "\"number\":",
      "\"snapshot\":", "\"end\":", "\"schema\":9", "\"chain\":\"", "\"_0\":", "\u{1B}[2J", "metropolis-1927", "\u{0}",
    ],
    check: { bytes, isValid in
      // Most inputs get valid checksums. Otherwise the readers would reject them before they look at the content.
      let input = bytes.count.isMultiple(of: 4) ? bytes : SampleRecording.chained(bytes)
      let sandbox = FuzzSandbox.shared
      sandbox.reset(["run.jsonl": input])
      let commands = [
        ["replay", "run.jsonl", "--step"], ["replay", "run.jsonl", "--skip", "2", "--json"],
        ["replay", "run.jsonl", "--as-test", "1..3"], ["watch", "run.jsonl", "--once"],
        ["report", "run.jsonl", "--output", "-"],
      ]
      var last = Outcome.read
      // All of them read the same file, so one of them runs for a damaged one.
      for (index, words) in commands.enumerated() where isValid || index == input.count / 4 % commands.count {
        var result = await sandbox.run(words)
        if isValid, result.exitCode != .done { return .wrong("a valid recording is refused: \(result.errors)") }
        // A page may contain control characters; a browser shows it.
        if words[0] == "report" { result.output = "" }
        last = result.outcome(isColored: false)
        if case .wrong(let text) = last { return .wrong("\(words.joined(separator: " ")): \(text)") }
      }
      guard sandbox.files("run.jsonl") == ["run.jsonl": input] else { return .wrong("the recording was changed") }
      return last
    })

  /// Files of favourites, as `favorite add` reads and changes them.
  static let favorites = FuzzFormat(
    name: "favorites",
    generate: { random in
      let ids = (0..<random.below(4)).map { "\"\(random.pick(["faust-1926", "greed-1924", "strange", "é"]))-\($0)\"" }
      let dates = ids.map { "{\"id\": \($0), \"date\": 17000000\(random.below(90) + 10)}" }
      let more = random.pick(["", ", \"future\": {\"a\": [1, 2.5, null]}"])
      let list = ids.joined(separator: ", ")
      return Array(
        (random.once(in: 2)
          ? "{\"schema\": 1, \"favorites\": [\(list)]\(more)}\n"
          : "{\"dates\": [\(dates.joined(separator: ", "))], \"favorites\": [\(list)], \"schema\": 1\(more)}\n").utf8)
    },
    dictionary: [
      "{", "}", "[", "]", ",", ":", "\"", "\\u", "\\ud800", "null", "1e400", "\"schema\": 2", "\"schema\": 0",
      "\"favorites\"", "\"dates\"", "[[[[", "\u{0}", "\u{FEFF}",
    ],
    check: { bytes, isValid in
      let sandbox = FuzzSandbox.shared
      let path = "data/reelux-movies/favorites.json"
      sandbox.reset([path: bytes])
      let result = await sandbox.run(["favorite", "add", "metropolis-1927"], keepsServer: true)
      let files = sandbox.files("data/reelux-movies/favorites.json")
      let isAcknowledged = result.output.contains("metropolis-1927") && result.exitCode == .done
      if isAcknowledged, isValid || bytes.count.isMultiple(of: 4) {
        let list = await sandbox.run(["favorite", "list"], keepsServer: true)
        guard list.output.contains("metropolis-1927") else { return .wrong("an acknowledged favourite is lost") }
      }
      // A file that cannot be read is kept unchanged, under this name or another one.
      let isDamaged = files.keys.contains { $0.contains("damaged") || $0.contains("newer") }
      if isDamaged || !isAcknowledged, !files.values.contains(bytes) { return .wrong("a file was lost: \(files.keys)") }
      if isValid, isDamaged || !isAcknowledged { return .wrong("a valid file is refused: \(result.errors)") }
      return result.outcome(isColored: false)
    })
}

extension Catalog {
  /// A small catalogue: states with it are cheap to compare, to write and to draw.
  static let sample = Catalog(
    name: "sample",
    movies: [
      Movie(id: "metropolis-1927", title: "Metropolis", year: 1927, genres: ["Drama", "Sci-Fi"]),
      Movie(id: "faust-1926", title: "Faust", year: 1926, genres: ["Fantasy"]),
      Movie(id: "caligari-1920", title: "The Cabinet of Dr. Caligari", year: 1920, genres: ["Horror"]),
      Movie(id: "nosferatu-1922", title: "Nosferatu", year: 1922, genres: ["Horror"]),
      Movie(id: "haxan-1922", title: "Häxan", year: nil, genres: []),
    ])
}

/// A recording with the same bytes in every process.
enum SampleRecording {
  static let bytes: [UInt8] = {
    let path = NSTemporaryDirectory() + "fuzz-sample-\(ProcessInfo.processInfo.processIdentifier).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let time = Locked(Int64(1_700_000_000_000_000_000))
    let tick: @Sendable () -> Int64 = {
      time.withLock { time in
        time += 1_000_000
        return time
      }
    }
    do {
      let recorder = try ActionRecorder<AppAction, AppState>(
        path: path, app: "MoviesCLI", version: "1", seed: 1, clock: LogClock(wallTime: tick, uptime: tick))
      // Without middlewares: the actions of effects would come in a different order in each run.
      let store = Store(
        initialState: AppState(), feature: Feature(reducer: .app) <> Feature.recorder(recorder))
      for action in actions { store.dispatch(action) }
      try recorder.close()
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      FileHandle.standardError.write(Data("no sample recording: \(error)\n".utf8))
      exit(74)
    }
  }()

  private static let actions: [AppAction] = [
    .screen(.opened(ScreenSize(columns: 80, rows: 24), failurePercent: 10)), .movies(.load(file: nil)),
    .movies(.loaded(.sample)), .favorites(.load), .favorites(.toggle("metropolis-1927")),
    .favorites(.add("faust-1926")),
    .movies(.show(.search(["caligari"], limit: 3))), .cinemas(.show(at: BuiltInWalk.start, radius: 500)),
    .screen(.key(.down)), .location(.startPosition()), .favorites(.undo), .screen(.key(.text("é"))),
  ]

  /// Gives each line the checksum of its content.
  static func chained(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var chain: UInt64?
    for line in bytes.split(separator: 0x0A) {
      // `,"chain":"0123456789abcdef"}`
      let content = line.dropLast(28)
      let begin = result.count
      result += content
      chain =
        chain.map { RecordingLine.close(&result, from: begin, after: $0) } ?? RecordingLine.close(&result, from: begin)
    }
    return result
  }
}
