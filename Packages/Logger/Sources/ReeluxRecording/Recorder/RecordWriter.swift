import ReeluxCore
internal import Foundation
import ReeluxLogger

/// The writer of a recorder. It encodes the actions and appends them to the file.
struct RecordWriter<Action: Codable & Sendable, State: Codable & Sendable>: WriteSink, @unchecked Sendable {
  // Unchecked: the encoder is used only under the lock of this writer's queue.
  enum Entry: Sendable {
    case begin(State)
    /// An action, with the state after it if the state gets a checksum. Few actions have a state. It is stored
    /// separately, so that the other entries stay small.
    case action(ActionRecord<Action, KeptState?>)
    /// The last state, if it is known.
    case end(State?)

    var name: String {
      switch self {
      case .begin: "the initial state"
      case .action(let recorded):
        "action \(recorded.number), dispatched at \(recorded.source),"
          + (recorded.after == nil ? "" : " or the state after it")
      case .end: "the last state"
      }
    }
  }

  final class KeptState: Sendable {
    let state: State
    init(_ state: State) { self.state = state }
  }

  /// The time spent on actions and on checksums, in nanoseconds.
  struct Effort {
    var actions: Int64 = 0
    var checksums: Int64 = 0
    var count: Int64 = 0

    /// The number of actions until the next checksum. Checksums may take a tenth of a second in total. After that they
    /// may take a third of the time for the actions.
    func spacing(after took: Int64) -> Int {
      if checksums <= actions / 3 + 100_000_000 { return 1 }
      let meanAction = Double(max(1, actions)) / Double(max(1, count))
      return Int(min(3 * Double(took) / meanAction, 1e18))
    }
  }

  let file: RecordFile
  private let header: RecordingHeader
  private let pace: RecordPace
  private let failure: RecordFailure
  private let encoder = TreeEncoder(remembers: true)
  private var sources = SourceTexts()
  private var buffer: [UInt8] = []
  private var chain = Digest().value
  private var parts: [String: UInt64] = [:]
  private var count = 0
  private var bytesSinceSnapshot = 0
  /// The number of the last action after which a snapshot was considered.
  private var lastSnapshot = 0
  private var effort = Effort()
  private var isClosed = false
  private(set) var failed = 0

  init(file: RecordFile, header: RecordingHeader, pace: RecordPace, failure: RecordFailure) {
    self.file = file
    self.header = header
    self.pace = pace
    self.failure = failure
  }

  mutating func startTimer() -> HoldTimer? { nil }

  mutating func write(_ entries: ArraySlice<Entry>, lost: Int, on threads: WritingThreads) {
    for entry in entries {
      // A recording with a gap could not be replayed. After the first failure nothing more is written.
      guard failure.error == nil, !isClosed else {
        failed += 1
        continue
      }
      do {
        switch entry {
        case .begin(let state): try begin(state)
        case .action(let action): try append(action)
        case .end(let state): try end(state)
        }
        if buffer.count >= 1 << 16 { flush(releasing: .none, durably: false) }
      } catch {
        failed += 1
        // The lines before this one stay readable.
        flush(releasing: .none, durably: false)
        failure.note(
          .system(path: file.path, reason: "\(entry.name) cannot be encoded: \(TreeDecoder.reason(error))"))
      }
    }
  }

  mutating func flush(releasing: HeldRecords, durably: Bool) {
    // If the file is opened only for the first action, the header is not written before it.
    if count == 0, file.waitsForAction { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure.error == nil else { return }
    do {
      if !buffer.isEmpty { try file.write(buffer) }
      if durably { try file.synchronizeKept() }
    } catch {
      failure.note(error)
    }
  }

  private mutating func begin(_ state: State) throws {
    let tree = try encoder.encode(state)
    var header = header
    header.checksum = Digest.text(tree.digest)
    parts = tree.parts
    guard case .object(let members) = try TreeEncoder().encode(header).content else { return }
    add(JSONTree.object(members + [JSONTree.Member(name: "state", value: tree)]).bytes.dropLast())
  }

  private mutating func append(_ recorded: ActionRecord<Action, KeptState?>) throws {
    let begin = Self.now
    var line = JSONWriter()
    line.beginObject()
    line.member("number", recorded.number)
    line.member("time", Int(recorded.time))
    line.member("nanoseconds", Int(recorded.duration))
    line.member("source", json: try sources.json(of: recorded.source))
    line.member("action", try TreeEncoder().encode(recorded.action))
    count += 1
    effort.count += 1
    effort.actions += Self.now - begin
    guard let state = recorded.after?.state else { return add(line.bytes) }

    let middle = Self.now
    let tree = try encoder.encode(state)
    line.member("checksum", Digest.text(tree.digest))
    let newParts = tree.parts
    let changed = newParts.filter { parts[$0.key] != $0.value }
    let removed = parts.keys.filter { newParts[$0] == nil }
    if !changed.isEmpty || !removed.isEmpty {
      line.member(
        "parts",
        .object(
          changed.map { .init(name: $0.key, value: .string(Digest.text($0.value))) }
            + removed.map { .init(name: $0, value: .string("")) }))
    }
    parts = newParts
    add(line.bytes)
    let took = Self.now - middle
    effort.checksums += took
    pace.encoded(recorded.number, took: took, spacing: effort.spacing(after: took))
    if recorded.number - lastSnapshot >= RecordPace.snapshotDistance { addSnapshot(tree) }
  }

  /// Adds a snapshot, unless the file would grow by more than a quarter through its snapshots.
  private mutating func addSnapshot(_ tree: JSONTree) {
    lastSnapshot = count
    let state = tree.bytes
    guard state.count * 4 <= bytesSinceSnapshot else { return }
    var line = JSONWriter()
    line.beginObject()
    line.member("snapshot", count)
    line.member("state", json: state)
    add(line.bytes)
    bytesSinceSnapshot = 0
  }

  private mutating func end(_ state: State?) throws {
    var line = JSONWriter()
    line.beginObject()
    line.member("end", count)
    if let state { line.member("checksum", Digest.text(try encoder.encode(state).digest)) }
    add(line.bytes)
    isClosed = true
  }

  /// Completes an object without its closing brace to a line of the file.
  private mutating func add(_ object: some Collection<UInt8>) {
    let begin = buffer.count
    buffer.append(contentsOf: object)
    chain = RecordingLine.close(&buffer, from: begin, after: chain)
    bytesSinceSnapshot += buffer.count - begin
  }

  private static var now: Int64 { LogClock.system.uptime() }
}

/// The sources of a recording as JSON, each encoded once. Most actions come from a few sources.
private struct SourceTexts {
  private static let capacity = 1_000
  private var known: [ActionSource: [UInt8]] = [:]

  mutating func json(of source: ActionSource) throws -> [UInt8] {
    if let json = known[source] { return json }
    let json = try TreeEncoder().encode(source).bytes
    if known.count < Self.capacity { known[source] = json }
    return json
  }
}

extension JSONTree {
  /// The checksums of an object's members.
  var parts: [String: UInt64] {
    guard case .object(let members) = content else { return [:] }
    return Dictionary(members.map { ($0.name, $0.value.digest) }) { $1 }
  }
}

/// The first failure of a recorder.
final class RecordFailure: Sendable {
  private let first = Locked<RecordingError?>(nil)
  private let isReported: Bool

  /// - Parameter isReported: Whether the failure is reported on standard error. Default: yes.
  init(isReported: Bool = true) { self.isReported = isReported }

  var error: RecordingError? { first.withLock { $0 } }

  /// Keeps the first failure.
  func note(_ error: RecordingError) {
    let isFirst = first.withLock { first in
      defer { first = first ?? error }
      return first == nil
    }
    if isFirst, isReported { StandardError.write("warning: the recording stops: \(error)\n") }
  }
}

/// The file of a recording. Only one thread at a time uses it.
final class RecordFile {
  let path: String
  /// Whether the file is opened only when the first action is written.
  let waitsForAction: Bool
  private let replaces: Bool
  private var file: OpenFile?
  private var written = 0
  /// Whether the folder was synced, so that the file's name is kept after a loss of power.
  private var isNameKept = false

  /// Opens a file, which must be missing or empty.
  init(creating path: String) throws(RecordingError) {
    self.path = path
    (waitsForAction, replaces) = (false, false)
    _ = try opened()
  }

  /// A file that is opened by the first write. It must be missing or empty then, unless it may be replaced.
  init(waitingAt path: String, replacing: Bool) {
    self.path = path
    (waitsForAction, replaces) = (true, replacing)
  }

  func write(_ bytes: [UInt8]) throws(RecordingError) {
    let file = try opened()
    do throws(RecordingError) {
      try convertingErrors { () throws(OutputError) in
        if let error = OutputError.write(Descriptor.write(bytes, to: file.descriptor).error) { throw error }
        try file.takePlace()
      }
      written += bytes.count
    } catch {
      // The recorder writes nothing after a failure. The process may end before the file is released.
      file.removeReplacement()
      throw error
    }
  }

  func synchronize() throws(RecordingError) {
    let file = try opened()
    try convertingErrors(file.synchronize)
  }

  /// Syncs the content to the disk. Throws an error if the file has been removed or made shorter, because its content
  /// is then lost.
  func synchronizeKept() throws(RecordingError) {
    try synchronize()
    if file?.isRemoved == true {
      throw .system(path: path, reason: "the file was removed or replaced while the recording ran")
    }
    if let size = file?.currentSize, size < written {
      throw .system(path: path, reason: "another program made the file shorter while the recording ran")
    }
    if !isNameKept, file?.isRegular == true { isNameKept = OpenFile.synchronize(OpenFile.folder(of: path)) }
  }

  private func opened() throws(RecordingError) -> OpenFile {
    if let file { return file }
    let opened = try convertingErrors { () throws(OutputError) in
      try replaces ? OpenFile.replacing(path) : OpenFile(appendingTo: path)
    }
    guard opened.size == 0 else { throw .exists(path: path) }
    // The other recorder may not have written its header yet.
    if opened.isRegular, !opened.lock() { throw .system(path: path, reason: "another recorder uses the file") }
    file = opened
    return opened
  }

  private func convertingErrors<Result>(
    _ body: () throws(OutputError) -> Result
  ) throws(RecordingError) -> Result {
    do { return try body() } catch { throw .unwritable(path, error.reason) }
  }
}
