import ReeluxCore
import ReeluxDiff
internal import Foundation
import ReeluxLogger

/// Everything that a report shows, as JSON for its script: made by running the recording through the reducer.
///
/// The rows are written while the recording is played; no more than two states are kept.
struct ReportData<Action: Codable & Sendable, State: Codable & Sendable> {
  private let recording: Recording<Action, State>
  private let hooks: ReportHooks<Action, State>
  private let redacting: [ValuePathPattern]
  private let encoder = TreeEncoder(remembers: true)
  private var rows: [UInt8] = []
  private var shapes = ShapeTable()
  private var titles = TextTable()
  private var sources = TextTable()
  private var points: [UInt8] = []
  private var places: [JSONTree] = []
  private var spans = SpanTracker()
  private var problems: [JSONTree] = []
  private var lastTime: Int64

  init(
    _ recording: Recording<Action, State>, reducer: Reducer<Action, State>, hooks: ReportHooks<Action, State>,
    redacting: [ValuePathPattern]
  ) throws {
    self.recording = recording
    self.hooks = hooks
    self.redacting = redacting
    lastTime = recording.header.began
    if let damage = recording.damage {
      problems.append(
        .string(
          "\(damage). This page shows the \(recording.count) actions before that line; nothing after it was read."))
    }
    try play(reducer)
  }

  /// Whether everything that was compared was as it was recorded.
  var isAsRecorded: Bool { problems.isEmpty }

  private mutating func play(_ reducer: Reducer<Action, State>) throws {
    var player = ActionPlayer(recording, reducer: reducer, snapshotEvery: max(1_000, recording.count))
    var tree = try encoded(player.state)
    spans.note(hooks.initialStatuses(player.state), at: 0)
    while player.position < player.count {
      let before = player.state
      var isSame = true
      do {
        try player.play(to: player.position + 1)
      } catch let difference as PlaybackDifference {
        isSame = false
        problems.append(.string(difference.description))
      }
      guard let recorded = player.current else { break }
      let after = try encoded(player.state)
      try addRow(recorded, JSONPatch.between(tree, after), isSame)
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

  private func encoded(_ state: State) throws -> JSONTree {
    try encoder.encode(state).redacted(redacting)
  }

  /// A row: title, source, microseconds since the row before, nanoseconds of duration, the action's leaves and shape, the
  /// change's leaves and shape (or `[],-1`), and a 1 if the state is not the recorded one.
  private mutating func addRow(
    _ recorded: RecordedAction<Action>, _ patch: JSONTree?, _ isSame: Bool
  ) throws {
    let action = try TreeEncoder().encode(recorded.action).redacted(redacting)
    let source = JSONTree.array([
      .string(recorded.source.file), .number(Int(clamping: recorded.source.line)), .string(recorded.source.function),
      recorded.source.info.map { .string($0) } ?? .null,
    ])
    let title = titles.number(of: JSONTree.string(ActionTitle.of(action)).text)
    let (elapsed, overflow) = recorded.time.subtractingReportingOverflow(lastTime)
    lastTime = recorded.time
    if !rows.isEmpty { rows.append(0x2c) }
    rows += "[\(title),\(sources.number(of: source.text)),\(overflow ? 0 : elapsed / 1_000),\(recorded.duration),".utf8
    shapes.beginRow()
    shapes.write(action, to: &rows)
    rows.append(0x2c)
    if let patch { shapes.write(patch, to: &rows) } else { rows += "[],-1".utf8 }
    rows += (isSame ? "]" : ",1]").utf8
  }

  /// The data as JSON text that can stand inside a web page.
  func write(to bytes: inout [UInt8], title: String, test: GeneratedTest.Setting?) throws {
    let header = recording.header
    var about: [JSONTree] = [
      .string("\(header.app) \(header.version)"), .string("\(recording.count) actions"),
      .string(TimeText.iso8601(Date(timeIntervalSince1970: Double(header.began) / 1e9))),
    ]
    if let seed = header.seed { about.append(.string("seed \(seed)")) }
    switch recording.ending {
    case .closed: break
    case .open:
      about.append(.string("the recording has no end: the program did not close it, or its last lines are lost"))
    case .cutOff(let line, _): about.append(.string("line \(line) is cut off and left out"))
    }
    let part: (String, JSONTree) -> [UInt8] = { name, value in Array(",\"\(name)\":".utf8) + value.bytes }
    bytes += "{\"title\":".utf8
    JSONTree.string(title).write(to: &bytes)
    bytes += part("about", .array(about))
    bytes += part("began", (Double(header.began) / 1e6).json)
    bytes += part("problems", .array(problems))
    bytes += ",\"state\":[".utf8
    var shapes = shapes
    shapes.beginRow()
    shapes.write(try encoded(recording.initialState), to: &bytes)
    bytes.append(0x5d)
    bytes += part("places", .array(places))
    bytes += part("spans", spans.json)
    bytes += part("test", redacting.isEmpty ? test?.json ?? .null : .null)
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

extension JSONTree {
  /// The value with everything that a pattern names replaced by ``ValueText/redacted``.
  ///
  /// A payload without a label is `_0`, `_1`, … in JSON, and `0`, `1`, … in a pattern.
  func redacted(_ patterns: [ValuePathPattern], at path: ValuePath = .root) -> JSONTree {
    if patterns.isEmpty { return self }
    if patterns.contains(where: { $0.matches(path) }) { return .string(ValueText.redacted) }
    switch content {
    case .object(let members):
      return .object(
        members.map { member in
          let isNumbered = member.name.hasPrefix("_") && Int(member.name.dropFirst()) != nil
          let name = isNumbered ? String(member.name.dropFirst()) : member.name
          let inner = ValuePath(path.components + [.field(name)])
          return Member(name: member.name, value: member.value.redacted(patterns, at: inner))
        })
    case .array(let elements):
      return .array(
        elements.enumerated().map { position, element in
          element.redacted(patterns, at: ValuePath(path.components + [.index(position)]))
        })
    case .null, .bool, .number, .string: return self
    }
  }
}
