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
      .option("--skip", "N,...", "leave these actions out and compute the later states again; ranges as A..B"),
      .option("--as-test", "A..B", "print a Swift test of the actions A to B"), .jsonLines,
    ],
    summary: "Run a recording again through the reducer, and compare its checksums.",
    details: """
      FILE may be - for standard input. If the catalogue of the recording was moved, --catalog names its new place.

      The checksums of all states are compared. There are two exceptions. With --skip, only that of the initial state is
      compared, because the later states are computed again. With --to before the last action, and without --step, none
      is compared. 'equal' is then null in JSON, unless a difference was found. If a request is left out, its response
      is left out too, and listed as 'orphaned'.

      Exit code 1 means that the recording is damaged or incomplete ('complete' is false in JSON), that an action number
      does not exist, or that the reducer computes another state than the recorded one.

      In JSON, a line with --step has the 'type' action, 'number', 'name', 'action', 'skipped', 'orphaned', 'source' and
      'changes'. The last line has the 'type' summary, 'actions', 'position', 'skipped', 'orphaned', 'verified',
      'equal', 'complete' and 'state'. Every line has the number of this 'schema'.

      --as-test prints a test and takes no other option. Put the test into Tests/MoviesAppTests in a copy of this
      package. If the catalogue has more than 500 movies, the test reads it from the file that the recording names.
      """,
    examples: ["replay run.jsonl --step", "replay run.jsonl --skip 3 --to 10", "replay run.jsonl --as-test 3..9"],
    sendsActions: false
  ) { (arguments) throws(UsageError) in
    let test =
      try arguments.read("--as-test", "the first and the last action, such as 3..9") { text -> (Int, Int)? in
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(DecimalText.wholeNumber)
        guard ends.count == 2, let first = ends[0], let last = ends[1], 1 <= first, 1 <= last else { return nil }
        return (first, last)
      }.map { (ends: (Int, Int)) throws(UsageError) in try arguments.range("--as-test", ends.0, ends.1) }
    if test != nil, let other = ["--to", "--step", "--skip", "--json"].first(where: arguments.has) {
      throw arguments.error("cannot use \(other) together with --as-test")
    }
    let request = ReplayRequest(
      file: arguments.first, to: try arguments.count("--to"), step: arguments.has("--step"),
      skip: try arguments.skippedActions(), test: test)
    return { (context) async throws(CommandFailure) in
      try Replay(request: request, console: context.console, json: arguments.has("--json")).run()
    }
  }
}

extension Arguments {
  /// The numbers of the actions to leave out.
  func skippedActions() throws(UsageError) -> IndexSet {
    // A range takes the same space as a number, so that a range beyond the last action costs nothing.
    var numbers = IndexSet()
    for text in texts("--skip") {
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let ends = part.split(separator: "..", omittingEmptySubsequences: false).map(DecimalText.wholeNumber)
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
          1 <= first, 1 <= last, first < .max / 2, last < .max / 2
        else {
          throw UsageError(
            "--skip needs numbers of actions or ranges of them, such as 3,5,8..10, not '\(text)'", command: command)
        }
        numbers.insert(integersIn: try range("--skip", first, last))
      }
    }
    return numbers
  }

  /// A range of actions. Throws if the first one comes after the last one.
  fileprivate func range(_ option: String, _ first: Int, _ last: Int) throws(UsageError) -> ClosedRange<Int> {
    guard first <= last else {
      throw UsageError("\(option) \(first)..\(last) is reversed; write \(last)..\(first)", command: command)
    }
    return first...last
  }
}

/// A replay of a recording through the app's reducer, without effects.
struct Replay {
  let request: ReplayRequest
  let console: Console
  let json: Bool

  /// Replays the recording as requested, and prints the result.
  func run() throws(CommandFailure) {
    let recording = try RecordingInput.open(request.file)
    try RecordingInput.check(request.skip.integerGreaterThan(recording.count), recording, request.file)
    try RecordingInput.check(request.to, recording, request.file)
    do {
      if let test = request.test {
        try writeTest(test, recording)
        return try RecordingInput.checkWhole(recording)
      }
      // A replay runs only the reducer and calls no service.
      var player = ActionPlayer(recording, reducer: Reducer.app, fit: RecordingFit.fit)
      var difference: PlaybackDifference?
      try play(&player, &difference)
      let isEqual = difference == nil
      if !console.isClosed() {
        console.write { style in
          json
            ? ReplayText.json(player, isEqual: isEqual, isWhole: RecordingInput.isWhole(recording))
            : ReplayText.summary(player, isEqual: isEqual, style: style)
        }
      }
      if let difference { throw difference }
    } catch {
      throw RecordingInput.failure(error, request.file)
    }
    try RecordingInput.checkWhole(recording)
  }

  /// Plays the actions. Stops at a difference, and when nobody reads the output.
  private func play(
    _ player: inout ActionPlayer<AppAction, AppState>, _ difference: inout PlaybackDifference?
  ) throws {
    try player.skip(Set(request.skip))
    let end = min(request.to ?? player.count, player.count)
    // If the replay ends early, shows no step and leaves no action out, it starts at a snapshot of the file.
    if !request.step, request.skip.isEmpty, end < player.count { return try player.jump(to: end) }
    while player.position < end, difference == nil, !console.isClosed() {
      let before = request.step ? player.state : nil
      do { try player.play(to: player.position + 1) } catch let found as PlaybackDifference { difference = found }
      if let before { show(player, from: before) }
    }
  }

  private func writeTest(_ numbers: ClosedRange<Int>, _ recording: RecordingInput.AppRecording) throws {
    if let damage = recording.damage { throw damage }
    let test = try GeneratedTest(of: numbers, in: recording, reducer: Reducer.app, setting: RecordingInput.test)
    console.write(test.source)
  }

  private func show(_ player: ActionPlayer<AppAction, AppState>, from before: AppState) {
    guard let recorded = player.current else { return }
    let treatment: ReplayText.Treatment =
      player.skipped.contains(recorded.number)
      ? .leftOut : player.orphaned[recorded.number].map { .orphaned($0) } ?? .played
    let changes = ValueDifference(from: before as Any, to: player.state as Any)
    console.write { style in
      json
        ? ReplayText.json(recorded, changes: changes, treatment: treatment)
        : ReplayText.step(recorded, changes: changes, treatment: treatment, style: style)
    }
  }
}

/// The options of a replay.
struct ReplayRequest {
  /// The recording.
  var file: String
  /// The number of the action to stop after; `nil` for the last.
  var to: Int?
  /// Whether each step is shown.
  var step: Bool
  /// The numbers of actions to leave out.
  var skip: IndexSet
  /// The actions that become a test, if any.
  var test: ClosedRange<Int>?
}

/// The output of a replay, as text and as JSON Lines.
enum ReplayText {
  typealias Player = ActionPlayer<AppAction, AppState>

  /// The schema number of JSON Lines.
  static let schema = 1

  /// The treatment of an action in a replay.
  enum Treatment {
    case played
    case leftOut
    /// No request waits for this response, for this reason. It is not run.
    case orphaned(String)

    var note: String {
      switch self {
      case .played: ""
      case .leftOut: "  (left out)"
      case .orphaned(let reason): "  (orphaned: \(reason))"
      }
    }
  }

  /// An action, its source and its changes.
  static func step(
    _ recorded: RecordedAction<AppAction>, changes: ValueDifference, treatment: Treatment, style: TextStyle
  ) -> String {
    let number = String(repeating: " ", count: max(0, 5 - "\(recorded.number)".count)) + "\(recorded.number)"
    let source = TextStyle.harmless("\(recorded.source.file):\(recorded.source.line)")
    let action = TextStyle.harmless(ValueText.describing(recorded.action))
    var text = style.fitted("\(number)  \(action)\(TextStyle.harmless(treatment.note))") + "\n"
    text += style.emphasized(style.fitted("       from \(source)"), .faint) + "\n"
    for change in changes.changes { text += style.fitted("       \(TextStyle.harmless("\(change)"))") + "\n" }
    return text
  }

  /// The result of the replay.
  static func summary(_ player: Player, isEqual: Bool, style: TextStyle) -> String {
    let header = player.recording.header
    let left = player.skipped.filter { (1...max(1, player.position)).contains($0) }.count
    var text = TextStyle.harmless("\(header.app) \(header.version): ")
    text += player.position < player.count ? "\(player.position) of " : ""
    text += Prose.count(player.count, "action")
    text += left > 0 ? ", \(left) left out" : ""
    text += player.orphaned.isEmpty ? "" : ", \(player.orphaned.count) orphaned"
    text += "; \(verdict(player, isEqual, style))\n"
    let state = player.state
    let seen = Prose.count(state.movies.catalog.movies.count, "movie")
    text += style.fitted("  movies     \(seen), \(TextStyle.harmless(state.movies.catalog.name))") + "\n"
    text += style.fitted("  favorites  \(TextStyle.harmless(favorites(state.favorites)))") + "\n"
    let position = state.location.position
    text += "  walk       \(Prose.count(position.fixes, "fix", "fixes")), \(Prose.metres(position.distance))\n"
    for (number, reason) in player.orphaned.sorted(by: { $0.key < $1.key }).prefix(20) {
      text += style.fitted("  orphaned   action \(number): \(TextStyle.harmless(reason))") + "\n"
    }
    if player.orphaned.count > 20 { text += "  orphaned   and \(player.orphaned.count - 20) more\n" }
    return text
  }

  private static func verdict(_ player: Player, _ isEqual: Bool, _ style: TextStyle) -> String {
    if player.recording.damage != nil { return style.emphasized("the recording is damaged", .bad) }
    if !isEqual { return style.emphasized("the states differ", .bad) }
    if !player.skipped.isEmpty { return "the states were computed again" }
    if !isCompared(player) { return "no checksum was compared" }
    return style.emphasized("\(Prose.count(player.verified, "checksum")) equal", .good)
  }

  /// Whether checksums were compared. In a recording without actions, there are none.
  private static func isCompared(_ player: Player) -> Bool { player.verified > 0 || player.position == 0 }

  /// The displayed favourites, each with its pending or failed change.
  private static func favorites(_ favorites: FavoritesState<Movie.ID>) -> String {
    let shown = favorites.ids.map { id -> String in
      if favorites.isSettled(id) { return id }
      if !favorites.isCertain(id) { return "\(id) (unknown)" }
      if favorites.isPending(id) { return "\(id) (pending)" }
      return "\(id) (not removed: \(favorites.failure(of: id)?.reason ?? "failed"))"
    }
    let removing = favorites.pending.filter { !favorites.contains($0) }.map { "\($0) (removal pending)" }
    let refused = favorites.failed.filter { !favorites.contains($0) }.map { id in
      "\(id) (not added: \(favorites.failure(of: id)?.reason ?? "failed"))"
    }
    let all = shown + removing + refused
    return all.isEmpty ? "none" : all.joined(separator: ", ")
  }

  /// An action as a line of JSON.
  static func json(_ recorded: RecordedAction<AppAction>, changes: ValueDifference, treatment: Treatment) -> String {
    var members: [(String, JSONOutput.Value)] = [
      ("schema", .int(schema)), ("type", "action"), ("number", .int(recorded.number)),
      ("name", .string(ValueText.caseName(of: recorded.action))),
      ("action", .string(ValueText.describing(recorded.action))),
    ]
    switch treatment {
    case .played: members.append(("skipped", false))
    case .leftOut: members.append(("skipped", true))
    case .orphaned(let reason): members += [("skipped", false), ("orphaned", .string(reason))]
    }
    members += [
      (
        "source",
        .object([
          ("file", .string(recorded.source.file)), ("function", .string(recorded.source.function)),
          ("line", .int(Int(clamping: recorded.source.line))),
        ])
      ),
      ("changes", .array(changes.changes.map { .string("\($0)") })),
    ]
    return JSONOutput.line(.object(members)) + "\n"
  }

  /// The end of a replay and the state that it reached, as a line of JSON. `equal` is `null` if no checksum was
  /// compared. `complete` is false if the recording is damaged or has no end.
  static func json(_ player: Player, isEqual: Bool, isWhole: Bool) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let state = (try? encoder.encode(player.state)).map { String(decoding: $0, as: UTF8.self) }
    let orphaned = player.orphaned.sorted { $0.key < $1.key }.map {
      JSONOutput.Value.object([("number", .int($0.key)), ("reason", .string($0.value))])
    }
    let equal: JSONOutput.Value = isEqual && !isCompared(player) ? .null : .bool(isEqual)
    return JSONOutput.line(
      .object([
        ("schema", .int(schema)), ("type", "summary"), ("actions", .int(player.count)),
        ("position", .int(player.position)), ("skipped", .array(player.skipped.sorted().map { .int($0) })),
        ("orphaned", .array(orphaned)), ("verified", .int(player.verified)), ("equal", equal),
        ("complete", .bool(isWhole)),
        ("state", state.map { .verbatim($0) } ?? .null),
      ])) + "\n"
  }
}
