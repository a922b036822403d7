import ReeluxCore
internal import Dispatch
internal import Foundation

/// A recording: its initial state, and its actions, which are read on request.
///
/// Opening a recording reads the whole file once and compares the chain of checksums, which takes about one second
/// for two gigabytes. The actions stay in the file, so a recording of a million actions needs a few megabytes of
/// memory.
public struct Recording<Action: Sendable, State: Sendable>: Sendable {
  private enum Source: Sendable {
    case memory([RecordedAction<Action>])
    case file(RecordingBytes, RecordingScan)
  }

  /// The program that wrote it, and the time.
  public let header: RecordingHeader
  /// The state before the first action.
  public var initialState: State
  private let source: Source
  private let sources = SourceCache()
  private let decodeAction: @Sendable (JSONTree) throws -> Action
  private let decodeState: @Sendable (JSONTree) throws -> State

  /// Whether its actions are read from a file or from bytes, and decoded then.
  var isInFile: Bool { if case .file = source { true } else { false } }

  /// What errors call it.
  var name: String { if case .file(let bytes, _) = source { bytes.name } else { "recording" } }

  /// The file, if it was read from one.
  var path: String? { if case .file(let bytes, _) = source { bytes.path } else { nil } }

  /// The first damaged line. The lines from there on are not read.
  public var damage: RecordingDamage? { if case .file(_, let scan) = source { scan.damage } else { nil } }

  /// The end of the recording.
  public var ending: RecordingEnding { if case .file(_, let scan) = source { scan.ending } else { .closed } }

  /// The number of its actions, up to a damaged line.
  public var count: Int {
    switch source {
    case .memory(let actions): actions.count
    case .file(_, let scan): scan.count
    }
  }

  /// Reads some of the actions.
  /// - Parameter numbers: Their numbers, counted from 1; those outside the recording are left out. Default: all.
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

  /// Decodes lines, many of them on several threads.
  private func decoded(
    _ texts: [(line: LineRange, text: [UInt8])], _ path: String
  ) throws -> [RecordedAction<Action>] {
    let pieces = texts.count < 100 ? 1 : 4
    let results = Locked<[Int: Result<[RecordedAction<Action>], any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
      let part = texts[(texts.count * piece / pieces)..<(texts.count * (piece + 1) / pieces)]
      let result = Result {
        try part.map { entry in try entry.text.withUnsafeBytes { try decoded(entry.line, $0, path) } }
      }
      results.withLock { $0[piece] = result }
    }
    let all = results.withLock { $0 }
    return try (0..<pieces).flatMap { try all[$0]?.get() ?? [] }
  }

  func decoded(
    _ line: LineRange, _ text: UnsafeRawBufferPointer, _ path: String
  ) throws -> RecordedAction<Action> {
    do {
      let tree = try JSONParser.parse(text.bindMemory(to: UInt8.self))
      guard let action = tree["action"], let source = tree["source"] else {
        throw Missing(what: "'action' or 'source'")
      }
      return RecordedAction(
        number: try number(tree, "number"), action: try decodeAction(action),
        source: try sources.source(source), time: Int64(try number(tree, "time")),
        duration: Int64(try number(tree, "nanoseconds")),
        checksum: try tree["checksum"].map { try TreeDecoder.decode(String.self, from: $0) },
        parts: try tree["parts"].map { try TreeDecoder.decode([String: String].self, from: $0) } ?? [:])
    } catch {
      throw RecordingError.unknownContent(path: path, line: line.number, reason: Self.reason(error))
    }
  }

  private func number(_ tree: JSONTree, _ name: String) throws -> Int {
    guard let value = tree[name] else { throw Missing(what: "'\(name)'") }
    if case .number(let text) = value.content, let number = Int(text) { return number }
    return try TreeDecoder.decode(Int.self, from: value)
  }

  private struct Missing: Error, CustomStringConvertible {
    var what: String
    var description: String { "\(what) is missing" }
  }

  static func reason(_ error: any Error) -> String {
    TreeDecoder.reason(error) + (error is DecodingError ? "; use the version of the app that recorded it" : "")
  }

  /// The last state that the file holds after an action up to this one, and that action's number.
  func snapshot(upTo number: Int) -> (after: Int, state: State)? {
    guard case .file(let bytes, let scan) = source,
      let place = scan.snapshots.last(where: { $0.after <= number })
    else { return nil }
    let text = try? bytes.read(place.line.begin, place.line.end - place.line.begin)
    guard let text, let tree = try? JSONParser.parse(text)["state"], let state = try? decodeState(tree) else {
      return nil
    }
    return (place.after, state)
  }

  /// The checksum of the state after the last action, from the line that ends the file.
  var lastChecksum: String? {
    guard case .file(let bytes, let scan) = source, let line = scan.end else { return nil }
    let tree = try? JSONParser.parse(bytes.read(line.begin, line.end - line.begin))["checksum"]
    return tree.flatMap { try? TreeDecoder.decode(String.self, from: $0) }
  }

  /// Makes a recording in memory.
  public init(header: RecordingHeader, initialState: State, actions: [RecordedAction<Action>]) {
    self.header = header
    self.initialState = initialState
    source = .memory(actions)
    decodeAction = { _ in throw Missing(what: "the file") }
    decodeState = { _ in throw Missing(what: "the file") }
  }
}

extension Recording where Action: Decodable, State: Decodable {
  /// Opens a recording.
  /// - Throws: ``RecordingError``, if the file is not a recording that this version can read. A recording with a line that
  ///   was changed is opened: see ``damage``.
  public init(path: String) throws {
    try self.init(try RecordingBytes(path: path))
  }

  /// Reads a recording from its bytes.
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - name: Its name in errors.
  public init(bytes: some Sequence<UInt8>, name: String = "recording") throws {
    try self.init(RecordingBytes(Array(bytes), name: name))
  }

  private init(_ bytes: RecordingBytes) throws {
    guard bytes.count > 0 else { throw RecordingError.empty(path: bytes.name) }
    // The header first: a file that is not a recording is not searched for damaged
    // lines.
    var lines = LineReader(bytes)
    let parsed = try lines.next { _, text in try Self.header(text, bytes.name) }
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

  private static func header(
    _ text: UnsafeRawBufferPointer, _ name: String
  ) throws -> (header: RecordingHeader, state: JSONTree) {
    let tree: JSONTree
    do {
      tree = try JSONParser.parse(text.bindMemory(to: UInt8.self))
    } catch {
      throw RecordingError.noHeader(path: name, reason: "it is not JSON")
    }
    guard case .string(let format)? = tree["format"]?.content, case .number(let schema)? = tree["schema"]?.content
    else {
      throw RecordingError.noHeader(path: name, reason: "it does not name a format")
    }
    guard format == RecordingHeader.format else {
      throw RecordingError.noHeader(path: name, reason: "its format is '\(format)'")
    }
    guard let found = Int(schema), found == RecordingHeader.currentSchema else {
      throw RecordingError.otherSchema(
        path: name, found: Int(schema) ?? Int.max, known: RecordingHeader.currentSchema)
    }
    guard let state = tree["state"] else { throw RecordingError.noHeader(path: name, reason: "it has no state") }
    do {
      return (try TreeDecoder.decode(RecordingHeader.self, from: tree), state)
    } catch {
      throw RecordingError.noHeader(path: name, reason: reason(error))
    }
  }
}

/// The sources of a recording, each decoded once: most actions come from a few places.
private final class SourceCache: Sendable {
  private struct Place: Hashable {
    var file: String
    var function: String
    var line: String
    var info: String?
  }

  private static let capacity = 10_000
  private let known = Locked<[Place: ActionSource]>([:])

  func source(_ tree: JSONTree) throws -> ActionSource {
    guard let place = place(tree) else { return try TreeDecoder.decode(ActionSource.self, from: tree) }
    if let source = known.withLock({ $0[place] }) { return source }
    let source = try TreeDecoder.decode(ActionSource.self, from: tree)
    known.withLock { known in
      if known.count < Self.capacity { known[place] = source }
    }
    return source
  }

  private func place(_ tree: JSONTree) -> Place? {
    guard case .string(let file)? = tree["file"]?.content, case .string(let function)? = tree["function"]?.content,
      case .number(let line)? = tree["line"]?.content
    else { return nil }
    guard let info = tree["info"] else { return Place(file: file, function: function, line: line) }
    guard case .string(let text) = info.content else { return nil }
    return Place(file: file, function: function, line: line, info: text)
  }
}
