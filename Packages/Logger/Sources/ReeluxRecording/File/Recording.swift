import ReeluxCore
internal import Dispatch
internal import Foundation

/// A recording: its initial state, and its actions, which are read when they are needed.
///
/// Opening a recording reads the whole file once and compares the chain of checksums, which takes about one second
/// for two gigabytes. The actions stay in the file, so a recording of a million actions needs a few megabytes of
/// memory.
public struct Recording<Action: Sendable, State: Sendable>: Sendable {
  private enum Source: Sendable {
    case memory([RecordedAction<Action>])
    case file(RecordingBytes, RecordingScan)
  }

  /// The program that wrote the recording, and the time.
  public let header: RecordingHeader
  /// The state before the first action.
  public var initialState: State
  private let source: Source
  private let sources = SourceCache()
  private let decodeAction: @Sendable (ParsedJSON.Value) throws -> Action
  private let decodeState: @Sendable (ParsedJSON.Value) throws -> State

  /// Whether the actions are in a file or in bytes, and decoded when they are read.
  var isInFile: Bool { if case .file = source { true } else { false } }

  /// The name of the recording in errors.
  var name: String { if case .file(let bytes, _) = source { bytes.name } else { "recording" } }

  /// The path of the file; `nil` if there is none.
  var path: String? { if case .file(let bytes, _) = source { bytes.path } else { nil } }

  /// The first damaged line. This line and the lines after it are not read.
  public var damage: RecordingDamage? { if case .file(_, let scan) = source { scan.damage } else { nil } }

  /// How the recording ends.
  public var ending: RecordingEnding { if case .file(_, let scan) = source { scan.ending } else { .closed } }

  /// The number of actions before a damaged line or the end.
  public var count: Int {
    switch source {
    case .memory(let actions): actions.count
    case .file(_, let scan): scan.count
    }
  }

  /// The number of the line after the last complete one: after the header, the actions and the snapshots.
  var nextLine: Int {
    if case .file(_, let scan) = source { 2 + scan.count + scan.snapshots.count } else { 2 + count }
  }

  /// Reads some of the actions.
  /// - Parameter numbers: The numbers, counted from 1. Numbers outside the recording are ignored. Default: all actions.
  /// - Throws: ``RecordingError/unknownContent(path:line:reason:)`` if an action does not fit the type.
  public func actions(_ numbers: ClosedRange<Int>? = nil) throws -> [RecordedAction<Action>] {
    let first = max(1, numbers?.lowerBound ?? 1)
    let last = min(count, numbers?.upperBound ?? count)
    guard first <= last else { return [] }
    switch source {
    case .memory(let actions): return Array(actions[(first - 1)..<last])
    case .file(let bytes, let scan):
      let mark = (first - 1) / RecordingScan.stride
      var lines = LineReader(bytes, from: scan.marks[mark])
      var number = mark * RecordingScan.stride + 1
      var texts: [(line: LineRange, text: [UInt8])] = []
      texts.reserveCapacity(last - first + 1)
      while number <= last {
        let isAction = try lines.next { line, text -> Bool in
          guard RecordingLine.kind(text)?.kind == .action else { return false }
          if number >= first { texts.append((line, Array(text))) }
          return true
        }
        guard let isAction else {
          throw RecordingError.system(path: bytes.name, reason: "the file was changed while it was read")
        }
        if isAction { number += 1 }
      }
      return try decoded(texts, bytes.name)
    }
  }

  /// Decodes lines, on several threads if there are many.
  private func decoded(
    _ texts: [(line: LineRange, text: [UInt8])], _ path: String
  ) throws -> [RecordedAction<Action>] {
    let pieces = texts.count < 100 ? 1 : 4
    let results = Locked<[Int: Result<[RecordedAction<Action>], any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
      let part = texts[(texts.count * piece / pieces)..<(texts.count * (piece + 1) / pieces)]
      let result = Result {
        try part.map { entry in try decoded(entry.line, entry.text[...], path) }
      }
      results.withLock { $0[piece] = result }
    }
    let all = results.withLock { $0 }
    return try (0..<pieces).flatMap { try all[$0]?.get() ?? [] }
  }

  func decoded(
    _ line: LineRange, _ text: ArraySlice<UInt8>, _ path: String
  ) throws -> RecordedAction<Action> {
    do {
      let json = try JSONParser.parse(text)
      guard let action = json["action"], let source = json["source"] else {
        throw Missing(what: "'action' or 'source'")
      }
      return RecordedAction(
        number: try number(json, "number"), action: try decodeAction(action),
        source: try sources.source(source), time: Int64(try number(json, "time")),
        duration: Int64(try number(json, "nanoseconds")),
        checksum: try json["checksum"].map { try TreeDecoder.decode(String.self, from: $0) },
        parts: try json["parts"].map { try TreeDecoder.decode([String: String].self, from: $0) } ?? [:])
    } catch {
      throw RecordingError.unknownContent(path: path, line: line.number, reason: Self.reason(error))
    }
  }

  private func number(_ json: ParsedJSON.Value, _ name: String) throws -> Int {
    guard let value = json[name] else { throw Missing(what: "'\(name)'") }
    return try TreeDecoder.decode(Int.self, from: value)
  }

  private struct Missing: Error, CustomStringConvertible {
    var what: String
    var description: String { "\(what) is missing" }
  }

  static func reason(_ error: any Error) -> String {
    TreeDecoder.reason(error) + (error is DecodingError ? "; use the version of the app that recorded it" : "")
  }

  /// The last state in the file between these actions, and the number of the action that it follows.
  func snapshot(after position: Int, upTo number: Int) -> (after: Int, state: State)? {
    guard case .file(let bytes, let scan) = source,
      let place = scan.snapshots.last(where: { $0.after <= number }), place.after > position
    else { return nil }
    let text = try? bytes.read(place.line.begin, place.line.end - place.line.begin)
    guard let text, let json = try? JSONParser.parse(text)["state"], let state = try? decodeState(json) else {
      return nil
    }
    return (place.after, state)
  }

  /// The checksum of the state after the last action, from the last line of the file.
  var lastChecksum: String? {
    guard case .file(let bytes, let scan) = source, let line = scan.end else { return nil }
    return try? JSONParser.parse(bytes.read(line.begin, line.end - line.begin))["checksum"]?.string
  }

  /// Creates a recording in memory. The actions are numbered from 1 in their order, whatever their numbers were.
  public init(header: RecordingHeader, initialState: State, actions: [RecordedAction<Action>]) {
    self.header = header
    self.initialState = initialState
    var actions = actions
    for place in actions.indices where actions[place].number != place + 1 { actions[place].number = place + 1 }
    source = .memory(actions)
    decodeAction = { _ in throw Missing(what: "the file") }
    decodeState = { _ in throw Missing(what: "the file") }
  }
}

extension Recording where Action: Decodable, State: Decodable {
  /// Opens a recording.
  /// - Throws: ``RecordingError`` if the file is not a recording that this version can read, or ``RecordingDamage`` if
  ///   the first line was changed. A recording with another damaged line can be opened; see ``damage``.
  public init(path: String) throws {
    try self.init(try RecordingBytes(path: path))
  }

  /// Reads a recording from its bytes.
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - name: The name of the recording in errors.
  public init(bytes: some Sequence<UInt8>, name: String = "recording") throws {
    try self.init(RecordingBytes(Array(bytes), name: name))
  }

  private init(_ bytes: RecordingBytes) throws {
    // The header is checked first, so that a file that is not a recording is not searched for damaged lines.
    var lines = LineReader(bytes)
    let parsed = try lines.next { _, text in
      try Self.header(text, bytes.name, isOnlyLine: text.count == bytes.count)
    }
    guard let parsed else { throw RecordingError.empty(path: bytes.name) }
    let scan = try RecordingScan(bytes)
    if let damage = scan.damage, damage.line == 1 { throw damage }
    header = parsed.header
    do {
      initialState = try TreeDecoder.decode(State.self, from: parsed.state)
    } catch {
      throw RecordingError.unknownContent(path: bytes.name, line: 1, reason: "state: \(Self.reason(error))")
    }
    source = .file(bytes, scan)
    decodeAction = { try TreeDecoder.decode(Action.self, from: $0) }
    decodeState = { try TreeDecoder.decode(State.self, from: $0) }
  }

  /// A known cause why the first line is not JSON.
  ///
  /// - Parameter isOnlyLine: Whether the text is the whole file, without a line end.
  private static func cause(_ text: ArraySlice<UInt8>, _ isOnlyLine: Bool) -> String {
    if text.starts(with: [0x1f, 0x8b]) {
      return "; it is compressed with gzip. Decompress it first: gzip -dc FILE > NEW"
    }
    if text.starts(with: [0xef, 0xbb, 0xbf]) {
      return "; it begins with a byte order mark. Remove the first three bytes"
    }
    return isOnlyLine && text.first == UInt8(ascii: "{") ? "; the file ends inside this line" : ""
  }

  private static func header(
    _ text: ArraySlice<UInt8>, _ name: String, isOnlyLine: Bool
  ) throws -> (header: RecordingHeader, state: ParsedJSON.Value) {
    let json: ParsedJSON.Value
    do {
      json = try JSONParser.parse(text)
    } catch {
      throw RecordingError.noHeader(path: name, reason: "it is not JSON\(cause(text, isOnlyLine))")
    }
    guard let format = json["format"]?.string, let schema = json["schema"]?.digits else {
      throw RecordingError.noHeader(path: name, reason: "it does not name a format")
    }
    guard format == RecordingHeader.format else {
      throw RecordingError.noHeader(path: name, reason: "its format is '\(format)'")
    }
    guard let found = Int(schema) else {
      throw RecordingError.noHeader(path: name, reason: "its schema is '\(schema)'")
    }
    guard found == RecordingHeader.currentSchema else {
      throw RecordingError.otherSchema(path: name, found: found, known: RecordingHeader.currentSchema)
    }
    guard let state = json["state"] else { throw RecordingError.noHeader(path: name, reason: "it has no state") }
    do {
      return (try TreeDecoder.decode(RecordingHeader.self, from: json), state)
    } catch {
      throw RecordingError.noHeader(path: name, reason: reason(error))
    }
  }
}

/// The sources of a recording, each decoded once. Most actions come from a few sources.
private final class SourceCache: Sendable {
  private static let capacity = 10_000
  /// The sources by their text in the file.
  private let known = Locked<[String: ActionSource]>([:])

  func source(_ json: ParsedJSON.Value) throws -> ActionSource {
    let text = json.source
    if let source = known.withLock({ $0[text] }) { return source }
    let source = try TreeDecoder.decode(ActionSource.self, from: json)
    known.withLock { known in
      if known.count < Self.capacity { known[text] = source }
    }
    return source
  }
}
