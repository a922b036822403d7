import ReeluxCore
internal import Foundation
import ReeluxLogger

/// Counts recorded actions, from 1.
final class RecordCount: Sendable {
  private let count = Locked(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The first failure of a recorder.
final class RecordFailure: Sendable {
  private let first = Locked<RecordingError?>(nil)

  var error: RecordingError? { first.withLock { $0 } }

  /// Keeps the first failure, and tells it on standard error.
  func note(_ error: RecordingError) {
    let isFirst = first.withLock { first in
      defer { first = first ?? error }
      return first == nil
    }
    if isFirst { StandardError.write("warning: the recording stops: \(error)\n") }
  }
}

/// The file of a recording.
final class RecordFile: Sendable {
  let path: String
  private let descriptor: Int32

  init(creating path: String) throws(RecordingError) {
    self.path = path
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      throw .system(path: path, reason: OutputError.last("open").description)
    }
    guard lseek(descriptor, 0, SEEK_END) <= 0 else { throw .exists(path: path) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func write(_ bytes: [UInt8]) throws(RecordingError) {
    if let error = OutputError.write(Descriptor.write(bytes, to: descriptor).error) {
      throw .system(path: path, reason: error.description)
    }
  }

  func synchronize() throws(RecordingError) {
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw .system(path: path, reason: OutputError.last("fsync").description)
    }
  }
}

/// Encodes what a recorder took down, and appends it to the file.
struct RecordWriter<Action: Codable & Sendable, State: Codable & Sendable>: WriteSink, @unchecked Sendable {
  // Unchecked: the encoder is used under the lock of the queue that owns this writer, and by nobody else.
  enum Entry: Sendable {
    case begin(State)
    /// An action and, if its checksum is wanted, the state after it.
    case action(RecordedAction<Action>, State?)
  }

  let file: RecordFile
  var header: RecordingHeader
  let failure: RecordFailure
  private var buffer: [UInt8] = []
  private let encoder = StateEncoder(keepsJSON: false)
  private var last = [String: String]()
  private(set) var failed = 0
  var holdTime: Duration? { nil }

  init(file: RecordFile, header: RecordingHeader, failure: RecordFailure) {
    self.file = file
    self.header = header
    self.failure = failure
  }

  mutating func write(_ entries: ArraySlice<Entry>, lost: Int) {
    for entry in entries {
      // A recording with a hole could not be replayed: after the first failure nothing more is written.
      guard failure.error == nil else {
        failed += 1
        continue
      }
      do {
        switch entry {
        case .begin(let state): try begin(state)
        case .action(let action, let state): try append(action, state)
        }
        buffer.append(0x0a)
        if buffer.count >= 1 << 16 { flush(releasing: false, durably: false) }
      } catch {
        failed += 1
        failure.note(.system(path: file.path, reason: "the line cannot be encoded: \(error)"))
      }
    }
  }

  mutating func flush(releasing: Bool, durably: Bool) {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure.error == nil else { return }
    do {
      if !buffer.isEmpty { try file.write(buffer) }
      if durably { try file.synchronize() }
    } catch {
      failure.note(error)
    }
  }

  private mutating func begin(_ state: State) throws {
    let encoded = try encoder.encode(state)
    let checksum = StateChecksum(encoded)
    header.checksum = checksum.whole
    last = checksum.parts
    guard case .object(var members) = try CanonicalEncoder().encode(header) else { return }
    members["state"] = encoded.json
    JSONValue.object(members).write(to: &buffer)
  }

  private mutating func append(_ recorded: RecordedAction<Action>, _ state: State?) throws {
    var line = JSONObjectWriter()
    line.add("number", recorded.number)
    line.add("time", Int(recorded.time))
    line.add("nanoseconds", Int(recorded.duration))
    line.add("source", json: try CanonicalEncoder().encode(recorded.source).bytes)
    if let state {
      let (checksum, changed) = try self.checksum(of: state)
      line.add("checksum", checksum.whole)
      if !changed.isEmpty { line.add("parts", json: JSONValue.object(changed.mapValues { .string($0) }).bytes) }
    }
    line.add("action", json: try CanonicalEncoder().encode(recorded.action).bytes)
    buffer.append(contentsOf: line.finished().utf8)
  }

  /// The state's checksum, and those of its properties that are not what they were at the last checksum.
  private mutating func checksum(of state: State) throws -> (StateChecksum, [String: String]) {
    let checksum = StateChecksum(try encoder.encode(state))
    defer { last = checksum.parts }
    return (checksum, checksum.parts.filter { last[$0.key] != $0.value })
  }
}
