import ReeluxCore
import ReeluxDiff

/// Compares the states of a playback with the recorded checksums, each action once.
struct ChecksumVerifier: Sendable {
  private let checksums = SharedChecksums()

  private(set) var verified = 0
  /// The number of the last action that was compared.
  private var last = 0
  /// The recorded checksums of the state's properties, as far as they are known.
  private var parts: [String: String] = [:]
  private var hasBegun = false

  /// Compares the initial state.
  mutating func begin<Action: Encodable, State: Encodable & Sendable>(_ recording: Recording<Action, State>) throws {
    guard !hasBegun else { return }
    hasBegun = true
    let checksum = try checksums.checksum(of: recording.initialState)
    parts = checksum.parts
    guard !recording.header.checksum.isEmpty, checksum.whole != recording.header.checksum else { return }
    throw PlaybackDifference(
      number: 0, action: "the initial state",
      source: ActionSource(file: recording.header.app, function: recording.header.version, line: 0),
      expected: recording.header.checksum, found: checksum.whole, parts: [], changes: ValueDifference())
  }

  /// Whether the action has a checksum that was not compared yet.
  func isDue(_ recorded: RecordedAction<some Sendable>) -> Bool {
    recorded.number > last && recorded.checksum != nil
  }

  /// Notes an action that is not compared.
  mutating func passOver(_ recorded: RecordedAction<some Sendable>) {
    guard recorded.number > last else { return }
    last = recorded.number
    parts.merge(recorded.parts) { $1 }
  }

  mutating func check<Action: Encodable, State: Encodable & Sendable>(
    _ recorded: RecordedAction<Action>, from before: State, to after: State
  ) throws {
    passOver(recorded)
    let checksum = try checksums.checksum(of: after)
    guard let expected = recorded.checksum, checksum.whole != expected else {
      verified += 1
      return
    }
    throw PlaybackDifference(
      number: recorded.number, action: ValueText.describing(recorded.action), source: recorded.source,
      expected: expected, found: checksum.whole,
      parts: checksum.parts.filter { parts[$0.key] != $0.value }.keys.sorted(),
      changes: ValueDifference(from: before as Any, to: after as Any))
  }
}

/// An encoder that copies of a player share; each state has the same checksum, whoever asked for others before.
private final class SharedChecksums: Sendable {
  private let encoder = Locked(StateEncoder(keepsJSON: false))

  func checksum(of state: some Encodable & Sendable) throws -> StateChecksum {
    try encoder.withLock { encoder in StateChecksum(try encoder.encode(state)) }
  }
}
