import ReeluxCore
import ReeluxDiff
internal import Foundation
import ReeluxLogger

/// Everything that a report shows, as JSON for its script: made by running the recording through the reducer.
struct ReportData<Action: Codable & Sendable, State: Codable & Sendable> {
  private let recording: Recording<Action, State>
  private let hooks: ReportHooks<Action, State>
  private let inspector: ValueInspector
  private let redacting: [ValuePathPattern]
  private let encoder = StateEncoder(keepsJSON: true)
  private var rows: [JSONValue] = []
  private var points: [JSONValue] = []
  private var spans = SpanTracker()
  private var differences: [JSONValue] = []

  init(
    _ recording: Recording<Action, State>, reducer: Reducer<Action, State>, hooks: ReportHooks<Action, State>,
    redacting: [ValuePathPattern]
  ) throws {
    self.recording = recording
    self.hooks = hooks
    self.redacting = redacting
    inspector = ValueInspector(
      budget: InspectionBudget(changes: 40, textLength: 400), hiding: redacting)
    try play(reducer)
  }

  private mutating func play(_ reducer: Reducer<Action, State>) throws {
    var player = ActionPlayer(recording, reducer: reducer, snapshotEvery: max(1_000, recording.actions.count))
    var json = try encoded(player.state)
    spans.note(hooks.statuses(player.state), at: 0)
    while player.position < player.count {
      let before = player.state
      var isSame = true
      do {
        try player.step()
      } catch let difference as PlaybackDifference {
        isSame = false
        differences.append(.string(difference.description))
      }
      guard let recorded = player.current else { break }
      let hasChanged = ValueInspector.isEqual(before, player.state) != true
      let after = hasChanged ? try encoded(player.state) : json
      rows.append(row(recorded, before, player.state, patch: JSONPatch.between(json, after), isSame: isSame))
      json = after
      if let point = hooks.point(recorded.action, player.state), point.latitude.isFinite, point.longitude.isFinite {
        points.append(
          .array([.number("\(recorded.number)"), point.latitude.canonicalJSON, point.longitude.canonicalJSON]))
      }
      if hasChanged { spans.note(hooks.statuses(player.state), at: recorded.number) }
    }
    spans.finish(at: player.count)
  }

  private func encoded(_ state: State) throws -> JSONValue {
    try encoder.encode(state).json.redacted(redacting)
  }

  private func row(
    _ recorded: RecordedAction<Action>, _ before: State, _ after: State, patch: JSONValue?, isSame: Bool
  ) -> JSONValue {
    let (name, text) = inspector.nameAndText(of: recorded.action)
    var row: [String: JSONValue] = [
      "name": .string(name), "action": .string(text), "file": .string(recorded.source.file),
      "line": .number("\(recorded.source.line)"), "function": .string(recorded.source.function),
      "time": .string(TimeText.iso8601(Date(timeIntervalSince1970: Double(recorded.time) / 1e9))),
      "ms": .string(TimeText.milliseconds(.nanoseconds(recorded.duration))),
    ]
    if let info = recorded.source.info { row["info"] = .string(info) }
    if let patch { row["patch"] = patch }
    if !isSame { row["differs"] = .bool(true) }
    let difference = inspector.difference(from: before, to: after)
    if !difference.changes.isEmpty {
      row["changes"] = .array(
        difference.changes.map { change in
          .array([
            .string(change.kind.rawValue), .string(change.path.description), .string(change.old ?? ""),
            .string(change.new ?? ""),
          ])
        })
    }
    if difference.isTruncated { row["truncated"] = .bool(true) }
    return .object(row)
  }

  /// The data as JSON text that can stand inside a web page.
  func text(title: String) throws -> String {
    let header = recording.header
    var about: [JSONValue] = [
      .string("\(header.app) \(header.version)"), .string("\(recording.actions.count) actions"),
      .string(TimeText.iso8601(Date(timeIntervalSince1970: Double(header.began) / 1e9))),
    ]
    if let seed = header.seed { about.append(.string("seed \(seed)")) }
    if let cutOff = recording.cutOff {
      about.append(.string("line \(cutOff.line) was cut off and left out"))
    }
    let json = JSONValue.object([
      "title": .string(title), "about": .array(about), "state": try encoded(recording.initialState),
      "rows": .array(rows), "points": .array(points), "spans": spans.json, "differences": .array(differences),
    ])
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
