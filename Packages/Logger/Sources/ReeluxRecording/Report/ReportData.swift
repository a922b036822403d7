import ReeluxCore
import ReeluxDiff
internal import Foundation
import ReeluxLogger

/// The data of a report, as JSON for its script. They are computed by running the recording through the reducer.
///
/// Rows are written while the recording is played. Besides the initial state, at most two states are kept.
struct ReportData<Action: Codable & Sendable, State: Codable & Sendable> {
  private let recording: Recording<Action, State>
  private let hooks: ReportHooks<Action, State>
  private(set) var redaction: JSONRedaction
  private let whatIf: ReportWhatIf<Action, State>
  private var rows: [UInt8] = []
  private var shapes = ShapeTable()
  private var titles = TextTable()
  private var sources = TextTable()
  private var points: [UInt8] = []
  private var places: [JSONTree] = []
  private var spans = SpanTracker()
  private var problems: [JSONTree] = []
  private var lastTime: Int64
  /// The numbers of the actions that are left out.
  private var skipped: Set<Int> = []
  private var orphaned = 0

  init(
    _ recording: Recording<Action, State>, reducer: Reducer<Action, State>, hooks: ReportHooks<Action, State>,
    redacting: [ValuePathPattern], whatIf: ReportWhatIf<Action, State>
  ) throws {
    self.recording = recording
    self.hooks = hooks
    redaction = JSONRedaction(redacting)
    self.whatIf = whatIf
    lastTime = recording.header.began / 1_000
    if let damage = recording.damage {
      problems.append(
        .string(
          "\(damage). This page shows the \(recording.count) actions before that line; nothing after it was read."))
    }
    if let unfinished = RecordingUnfinished(recording) {
      problems.append(.string("\(unfinished). This page shows the \(recording.count) actions before that."))
    }
    try play(reducer)
  }

  /// Whether the recording is complete and all compared checksums match.
  var isAsRecorded: Bool { problems.isEmpty }

  private mutating func play(_ reducer: Reducer<Action, State>) throws {
    var player = ActionPlayer(
      recording, reducer: reducer, snapshotEvery: max(1_000, recording.count), fit: whatIf.fit)
    player.findsChanges = false
    try player.skip(whatIf.skipping)
    skipped = player.skipped
    // A difference of the initial state belongs to no row.
    do { try player.play(to: 0) } catch let difference as PlaybackDifference {
      problems.append(.string(difference.summary))
    }
    var tree = redaction.redacted(try player.encodedState())
    spans.note(hooks.initialStatuses(player.state), at: 0)
    while player.position < player.count {
      let before = player.state
      var outcome = Outcome.played
      do {
        try player.play(to: player.position + 1)
      } catch var difference as PlaybackDifference {
        outcome = .different
        // The difference contains no changes, because the row shows them. Its action must not contain redacted values.
        if let recorded = player.current {
          difference.action = ActionTitle.of(redaction.redacted(try TreeEncoder().encode(recorded.action)))
        }
        problems.append(.string(difference.summary))
      }
      guard let recorded = player.current else { break }
      if player.skipped.contains(recorded.number) { outcome = .leftOut }
      if let reason = player.orphaned[recorded.number] {
        outcome = .orphaned(reason)
        orphaned += 1
      }
      let after = redaction.redacted(try player.encodedState())
      try addRow(recorded, JSONPatch.between(tree, after), outcome)
      tree = after
      let moment = ReportMoment(before: before, action: recorded.action, after: player.state)
      if let point = hooks.point(moment), point.isOnEarth {
        if !points.isEmpty { points.append(0x2c) }
        JSONTree.array([.number(recorded.number), point.latitude.json, point.longitude.json]).write(to: &points)
      }
      spans.note(hooks.statuses(moment), at: recorded.number)
    }
    spans.finish(at: player.count)
    places = hooks.places(player.state).filter(\.isOnEarth).map {
      .array([.string($0.name), $0.latitude.json, $0.longitude.json])
    }
  }

  /// A row: title, source, microseconds since the previous row, duration in nanoseconds, the action's leaves and shape,
  /// and the change's leaves and shape (or `[],-1`). An outcome follows if the action was not played, or if the
  /// checksum of its state differs.
  private mutating func addRow(
    _ recorded: RecordedAction<Action>, _ patch: JSONTree?, _ outcome: Outcome
  ) throws {
    let action = redaction.redacted(try TreeEncoder().encode(recorded.action))
    let source = JSONTree.array([
      .string(recorded.source.file), .number(Int(clamping: recorded.source.line)), .string(recorded.source.function),
      recorded.source.info.map { .string($0) } ?? .null,
    ])
    let title = titles.number(of: JSONTree.string(ActionTitle.of(action)).text)
    // The page adds the numbers of the rows, so the rounding must not add up.
    let time = recorded.time / 1_000
    let elapsed = time - lastTime
    lastTime = time
    if !rows.isEmpty { rows.append(0x2c) }
    rows += "[\(title),\(sources.number(of: source.text)),\(elapsed),\(recorded.duration),".utf8
    shapes.beginRow()
    shapes.write(action, to: &rows)
    rows.append(0x2c)
    if let patch { shapes.write(patch, to: &rows) } else { rows += "[],-1".utf8 }
    switch outcome {
    case .played: break
    case .different: rows += ",1".utf8
    case .leftOut: rows += ",2".utf8
    case .orphaned(let reason):
      rows.append(0x2c)
      JSONTree.string(reason).write(to: &rows)
    }
    rows.append(0x5d)
  }

  /// What happened to an action in the replay.
  private enum Outcome {
    case played, different, leftOut
    case orphaned(String)
  }

  /// Writes the data as JSON that can be part of a web page.
  func write(to bytes: inout [UInt8], title: String, test: GeneratedTest.Setting?) throws {
    let header = recording.header
    var about: [JSONTree] = [
      .string("\(header.app) \(header.version)"), .string("\(recording.count) actions"),
      .string(TimeText.iso8601(Date(timeIntervalSince1970: Double(header.began) / 1e9))),
    ]
    if let seed = header.seed { about.append(.string("seed \(seed)")) }
    if !skipped.isEmpty {
      let numbers = skipped.sorted().prefix(10).map { "\($0)" }.joined(separator: ", ")
      about.append(
        .string("without \(numbers)\(skipped.count > 10 ? ", …" : ""): the states were computed again"))
      if orphaned > 0 { about.append(.string("orphaned responses: \(orphaned)")) }
    }
    let part: (String, JSONTree) -> [UInt8] = { name, value in Array(",\"\(name)\":".utf8) + value.bytes }
    bytes += "{\"format\":\"reelux-report\",\"schema\":1,\"title\":".utf8
    JSONTree.string(title).write(to: &bytes)
    bytes += part("about", .array(about))
    bytes += part("began", (Double(header.began) / 1e6).json)
    bytes += part("problems", .array(problems))
    bytes += ",\"state\":[".utf8
    var (shapes, redaction) = (shapes, redaction)
    shapes.beginRow()
    shapes.write(redaction.redacted(try TreeEncoder().encode(recording.initialState)), to: &bytes)
    bytes.append(0x5d)
    bytes += part("places", .array(places))
    bytes += part("spans", spans.json)
    // A test of redacted text, or of a run without some actions, would fail.
    bytes += part("test", redaction.patterns.isEmpty && skipped.isEmpty ? test?.json ?? .null : .null)
    bytes += part("skip", whatIf.command.map { .string($0.skip) } ?? .null)
    bytes += part("remake", whatIf.command.map { .string($0.report) } ?? .null)
    for (name, texts) in [
      ("points", points), ("shapes", shapes.shapes), ("titles", titles.texts), ("sources", sources.texts),
      ("rows", rows),
    ] {
      bytes += ",\"\(name)\":[".utf8
      bytes += texts
      bytes.append(0x5d)
    }
    bytes.append(0x7d)
  }
}

extension ReportPoint {
  fileprivate var isOnEarth: Bool { latitude.isFinite && longitude.isFinite }
}
