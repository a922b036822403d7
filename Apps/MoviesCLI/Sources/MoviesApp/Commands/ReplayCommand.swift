import Foundation
import ReeluxCore
import ReeluxDiff
import ReeluxFavorites
import ReeluxLocation
import ReeluxRecording

extension Command {
  /// `replay`
  static let replay = Command(
    "replay", .one("FILE", .file),
    options: [
      .option("--to", "N", "stop after action N"), .flag("--step", "show every action and what it changed"),
      .option("--skip", "N,...", "leave these actions out and compute the later ones anew"), .json,
    ],
    summary: "Run a recording again through the reducer, and check every state.",
    examples: ["replay run.jsonl --step", "replay run.jsonl --skip 3 --to 10"]
  ) { (arguments) throws(UsageError) in
    let skip = try arguments.read("--skip", "numbers of actions, such as 3,5,8") { text -> Set<Int>? in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      return numbers.contains { $0 == nil || $0 ?? 0 < 1 } ? nil : Set(numbers.compactMap { $0 })
    }
    let request = ReplayRequest(
      file: arguments.first, to: try arguments.count("--to"), step: arguments.has("--step"), skip: skip ?? [])
    return { (context) async throws(CommandFailure) in
      try Replay(request: request, console: context.console, json: arguments.has("--json")).run()
    }
  }
}

/// A recording run again through the app's reducer, without any effect.
struct Replay {
  let request: ReplayRequest
  let console: Console
  let json: Bool

  /// Plays the recording as it was asked, and shows what came of it.
  func run() throws(CommandFailure) {
    let recording = try Self.recording(request.file)
    if let cutOff = recording.cutOff {
      console.note("\(request.file):\(cutOff.line): the last line is cut off and was left out")
    }
    // Only the reducer is played; nothing of the outside is ever asked.
    var player = ActionPlayer(recording, reducer: Reducer.app)
    player.skip(request.skip)
    let end = min(request.to ?? player.count, player.count)
    var difference: PlaybackDifference?
    while player.position < end, difference == nil {
      let before = player.state
      do { try player.step() } catch { difference = error as? PlaybackDifference }
      if request.step { show(player, from: before) }
    }
    console.write(
      json
        ? ReplayText.json(player, isEqual: difference == nil)
        : ReplayText.summary(player, isEqual: difference == nil, style: console.style))
    if let difference { throw CommandFailure("\(request.file): \(difference)", .failed) }
  }

  /// Reads a recording of this app.
  static func recording(_ file: String) throws(CommandFailure) -> Recording<AppAction, AppState> {
    try InputFile.check(file)
    do {
      return try Recording<AppAction, AppState>(path: file)
    } catch let error as RecordingError {
      if case .system = error { throw CommandFailure(error.description, .missingInput) }
      throw CommandFailure(error.description, .badData)
    } catch {
      throw CommandFailure("\(file): \(error)", .badData)
    }
  }

  private func show(_ player: ActionPlayer<AppAction, AppState>, from before: AppState) {
    guard let recorded = player.current else { return }
    let isSkipped = player.skipped.contains(recorded.number)
    let changes = ValueDifference(from: before as Any, to: player.state as Any)
    console.write(
      json
        ? ReplayText.json(recorded, changes: changes, isSkipped: isSkipped)
        : ReplayText.step(recorded, changes: changes, isSkipped: isSkipped, style: console.style))
  }
}

/// What to do with a recording.
struct ReplayRequest {
  /// The recording.
  var file: String
  /// The number of the action to stop after; `nil` for the last.
  var to: Int?
  /// Whether every step is shown.
  var step: Bool
  /// The numbers of actions to leave out.
  var skip: Set<Int>
}

/// A check that a file which is read as a whole is there.
enum InputFile {
  /// Says so when it is missing, or a folder.
  static func check(_ path: String) throws(CommandFailure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure("\(path): there is no such file", .missingInput)
    }
    if isFolder.boolValue { throw CommandFailure("\(path): this is a folder", .missingInput) }
  }
}

/// A replay as text and as JSON Lines.
enum ReplayText {
  typealias Player = ActionPlayer<AppAction, AppState>

  /// The schema number of JSON Lines.
  static let schema = 1

  /// An action, where it came from, and what it changed.
  static func step(
    _ recorded: RecordedAction<AppAction>, changes: ValueDifference, isSkipped: Bool, style: TextStyle
  ) -> String {
    let number = String(repeating: " ", count: max(0, 5 - "\(recorded.number)".count)) + "\(recorded.number)"
    let source = "\(recorded.source.file):\(recorded.source.line)"
    let action = TextStyle.harmless(ValueText.describing(recorded.action))
    var text = style.fitted("\(number)  \(action)\(isSkipped ? "  (left out)" : "")") + "\n"
    text += style.emphasized(style.fitted("       from \(source)"), .faint) + "\n"
    for change in changes.changes { text += style.fitted("       \(TextStyle.harmless("\(change)"))") + "\n" }
    return text
  }

  /// What the replay came to.
  static func summary(_ player: Player, isEqual: Bool, style: TextStyle) -> String {
    let header = player.recording.header
    let left = player.skipped.filter { (1...max(1, player.position)).contains($0) }.count
    var text = "\(header.app) \(header.version): "
    text += player.position < player.count ? "\(player.position) of " : ""
    text += Prose.count(player.count, "action")
    text += left > 0 ? ", \(left) left out" : ""
    let checked = Prose.count(player.verified, "checksum")
    let verdict =
      !isEqual
      ? style.emphasized("; the states differ", .bad)
      : player.skipped.isEmpty ? style.emphasized("; \(checked) equal", .good) : "; the states are computed anew"
    let state = player.state
    let seen = Prose.count(state.movies.catalog.movies.count, "movie")
    let favorites = state.favorites.ids
    text += "\(verdict)\n"
    text += style.fitted("  movies     \(seen), \(TextStyle.harmless(state.movies.catalog.name))") + "\n"
    text += style.fitted("  favorites  \(favorites.isEmpty ? "none" : favorites.joined(separator: ", "))") + "\n"
    let position = state.location.position
    text += "  walk       \(Prose.count(position.fixes, "fix", "fixes")), \(Prose.metres(position.distance))\n"
    return text
  }

  /// An action as a JSON line.
  static func json(_ recorded: RecordedAction<AppAction>, changes: ValueDifference, isSkipped: Bool) -> String {
    JSONText.line(
      .object([
        ("schema", .int(schema)), ("type", "action"), ("number", .int(recorded.number)),
        ("name", .string(ValueText.caseName(of: recorded.action))),
        ("action", .string(ValueText.describing(recorded.action))), ("skipped", .bool(isSkipped)),
        (
          "source",
          .object([
            ("file", .string(recorded.source.file)), ("function", .string(recorded.source.function)),
            ("line", .int(Int(recorded.source.line))),
          ])
        ),
        ("changes", .array(changes.changes.map { .string("\($0)") })),
      ])) + "\n"
  }

  /// The end of a replay as a JSON line, with the state that it reached.
  static func json(_ player: Player, isEqual: Bool) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let state = (try? encoder.encode(player.state)).map { String(decoding: $0, as: UTF8.self) }
    return JSONText.line(
      .object([
        ("schema", .int(schema)), ("type", "summary"), ("actions", .int(player.count)),
        ("position", .int(player.position)), ("skipped", .array(player.skipped.sorted().map { .int($0) })),
        ("verified", .int(player.verified)), ("equal", .bool(isEqual)), ("state", state.map { .verbatim($0) } ?? .null),
      ])) + "\n"
  }
}
