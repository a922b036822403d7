public import ReeluxCore
import ReeluxDiff

/// A player that runs a recording through a reducer, without middlewares and effects.
///
/// ```swift
/// let recording = try Recording<AppAction, AppState>(path: "run.jsonl")
/// var player = ActionPlayer(recording, reducer: app.reducer)
/// try player.playToEnd()       // throws PlaybackDifference at the first checksum that differs
/// try player.stepBack()
/// print(player.state)
/// ```
///
/// The player keeps the state after every `snapshotEvery` actions. A step or a jump back to a played position costs at
/// most `snapshotEvery` reductions. Any other jump starts at a snapshot of the file, if there is one.
public struct ActionPlayer<Action: Codable & Sendable, State: Codable & Sendable>: Sendable {
  /// The recording.
  public let recording: Recording<Action, State>
  /// The number of played actions; 0 is the initial state.
  public private(set) var position = 0
  /// The state at the position.
  public private(set) var state: State
  /// The action that led to this state; `nil` at the beginning.
  public private(set) var current: RecordedAction<Action>?
  /// The numbers of actions that are left out.
  public private(set) var skipped: Set<Int> = []
  /// The responses up to the position that were not played because their requests were left out, with the reasons.
  public private(set) var orphaned: [Int: String] = [:]
  /// The number of checksums that matched, each counted once.
  public private(set) var verified = 0

  private let reducer: Reducer<Action, State>
  private let fit: @Sendable (Action, State) -> AnswerFit<Action>
  private let snapshotEvery: Int
  /// The least number in `skipped`. The actions after it may have to be fitted.
  private var firstSkipped = Int.max
  /// The responses that were not played, also those after the position. A jump to a kept state does not find them
  /// again.
  private var knownOrphans: [Int: String] = [:]
  /// States at multiples of `snapshotEvery`, and those of the file from which the player went on.
  private var snapshots: [Int: State]
  private var blocks: ActionBlocks<Action, State>
  private var checksums = SharedChecksums()
  /// The encoded state, until the next action is played.
  private var encoded: JSONTree?
  /// The recorded checksums of the state's properties after the action `partsNumber`; empty for a removed property.
  private var parts: [String: String] = [:]
  private var partsNumber = 0
  private var compared = -1
  /// The number of the last action whose checksum matched.
  private var agreed = 0
  /// Whether a difference contains the changes of its action. They cost up to `snapshotEvery` reductions.
  var findsChanges = true

  /// Creates a player at the initial state.
  /// - Parameters:
  ///   - recording: The recording.
  ///   - reducer: The app's reducer, `feature.reducer`.
  ///   - snapshotEvery: The number of actions between two kept states. Default: 1,000.
  ///   - fit: Decides how an action is played after others were left out. It receives the state before the action.
  ///     Requests may then be missing or have other numbers, and a response must not be used for another request.
  ///     Default: each action is played as it was recorded.
  public init(
    _ recording: Recording<Action, State>, reducer: Reducer<Action, State>, snapshotEvery: Int = 1_000,
    fit: @escaping @Sendable (Action, State) -> AnswerFit<Action> = { _, _ in .asRecorded }
  ) {
    self.recording = recording
    self.reducer = reducer
    self.snapshotEvery = max(1, snapshotEvery)
    self.fit = fit
    state = recording.initialState
    blocks = ActionBlocks(recording)
    snapshots = [0: recording.initialState]
  }

  /// The number of actions in the recording.
  public var count: Int { recording.count }

  /// Plays the next action and compares its checksum.
  /// - Returns: The action; `nil` at the end.
  /// - Throws: ``PlaybackDifference`` if the state differs from the recorded one. The position is then after that
  ///   action.
  @discardableResult public mutating func step() throws -> RecordedAction<Action>? {
    if compared < 0 { try compareInitialState() }
    guard position < count else { return nil }
    let recorded = try advance()
    guard recorded.number > compared, skipped.isEmpty else { return recorded }
    if partsNumber == recorded.number - 1 { add(recorded) }
    guard let expected = recorded.checksum else { return recorded }
    compared = recorded.number
    let tree = try encodedState()
    let found = Digest.text(tree.digest)
    guard found != expected else {
      verified += 1
      agreed = recorded.number
      return recorded
    }
    throw try difference(at: recorded, expected: expected, found: found, parts: try partsThatDiffer(tree))
  }

  private func difference(
    at recorded: RecordedAction<Action>, expected: String, found: String, parts: [String]
  ) throws -> PlaybackDifference {
    PlaybackDifference(
      number: recorded.number, agreed: agreed, action: ValueText.describing(recorded.action), source: recorded.source,
      expected: expected, found: found, parts: parts,
      changes: findsChanges ? try changesOfLastAction() : ValueDifference())
  }

  private func changesOfLastAction() throws -> ValueDifference {
    // The state before the action is computed again. If it was kept, each action would copy the collections it changes.
    var earlier = self
    earlier.goToKnown(before: position - 1)
    while earlier.position < position - 1 { try earlier.advance() }
    return ValueDifference(from: earlier.state as Any, to: state as Any)
  }

  /// Goes back by one action. Costs at most `snapshotEvery` reductions if the previous position was played, and
  /// otherwise as much as ``jump(to:)``.
  public mutating func stepBack() throws {
    try jump(to: position - 1)
  }

  /// Goes to a position without comparing checksums. A position outside the recording is replaced by the nearest end.
  ///
  /// A jump to a position that was played before costs at most `snapshotEvery` reductions. Any other jump costs at most
  /// one reduction for each action after the last snapshot in the file. A snapshot does not
  /// contain the parts of the state that are not encoded. After the jump, these parts have the values that decoding and
  /// the later actions give them.
  public mutating func jump(to target: Int) throws {
    let target = min(max(0, target), count)
    goToKnown(before: target)
    if skipped.isEmpty, let stored = recording.snapshot(after: position, upTo: target), try fits(stored) {
      go(to: stored.after, stored.state)
      snapshots[position] = state
    }
    while position < target { try advance() }
    if position > 0, current == nil { current = try blocks.action(position) }
  }

  /// Plays up to a position and compares every checksum on the way.
  /// - Throws: ``PlaybackDifference`` at the first difference. The position is then after that action.
  public mutating func play(to target: Int) throws {
    if target < position { return try jump(to: target) }
    if compared < 0 { try compareInitialState() }
    while position < min(target, count) { try step() }
    if position == count { try compareLastState() }
  }

  /// Plays to the end and compares every checksum on the way.
  /// - Throws: ``PlaybackDifference`` at the first difference.
  public mutating func playToEnd() throws { try play(to: count) }

  /// Leaves actions out. With an empty set, all are played. The state at the position is computed again.
  ///
  /// While actions are left out, no checksum after the initial one is compared, because the states differ
  /// intentionally.
  /// - Parameter numbers: The numbers, counted from 1. Other numbers are ignored.
  public mutating func skip(_ numbers: Set<Int>) throws {
    let target = position
    let numbers = numbers.filter { $0 >= 1 && $0 <= count }
    let firstChange = numbers.symmetricDifference(skipped).min() ?? count + 1
    skipped = numbers
    firstSkipped = numbers.min() ?? .max
    knownOrphans = knownOrphans.filter { $0.key < firstChange }
    // Snapshots before the first affected action remain valid.
    snapshots = snapshots.filter { $0.key < firstChange }
    if position >= firstChange { go(to: 0, recording.initialState) }
    try jump(to: target)
  }

  /// Goes to the last kept state up to a target, unless the player is between the two.
  private mutating func goToKnown(before target: Int) {
    let known = snapshots.keys.lazy.filter { $0 <= target }.max()
    if let known, let state = snapshots[known], target < position || known > position { go(to: known, state) }
  }

  private mutating func go(to position: Int, _ state: State) {
    self.position = position
    self.state = state
    encoded = nil
    current = nil
    orphaned = knownOrphans.filter { $0.key <= position }
  }

  /// Plays the next action without comparing its checksum. There must be one.
  @discardableResult mutating func advance() throws -> RecordedAction<Action> {
    let recorded = try blocks.action(position + 1)
    position += 1
    encoded = nil
    current = recorded
    if !skipped.contains(position) { reduce(recorded.action) }
    if position.isMultiple(of: snapshotEvery) { snapshots[position] = state }
    return recorded
  }

  private mutating func reduce(_ action: Action) {
    switch firstSkipped < position ? fit(action, state) : .asRecorded {
    case .asRecorded: reducer.reduce(action, &state)
    case .instead(let other): reducer.reduce(other, &state)
    case .orphaned(let reason):
      knownOrphans[position] = reason
      orphaned[position] = reason
    }
  }

  // MARK: Checksums

  /// The encoded state for a comparison. Costs what changed since the last encoded state.
  mutating func encodedState() throws -> JSONTree {
    if let encoded { return encoded }
    let tree = try checksums.tree(of: state)
    encoded = tree
    return tree
  }

  private mutating func compareInitialState() throws {
    compared = 0
    let tree = try checksums.tree(of: recording.initialState)
    parts = tree.parts.mapValues { Digest.text($0) }
    let (expected, found) = (recording.header.checksum, Digest.text(tree.digest))
    if !expected.isEmpty, found != expected { throw initialDifference(expected: expected, found: found) }
  }

  /// Adds the recorded checksums of the action after `partsNumber`.
  private mutating func add(_ recorded: RecordedAction<Action>) {
    parts.merge(recorded.parts) { $1 }
    partsNumber = recorded.number
  }

  /// The properties whose checksums differ from the recorded ones. Reads the actions over which the player has jumped.
  private mutating func partsThatDiffer(_ tree: JSONTree) throws -> [String] {
    while partsNumber < position {
      for recorded in try recording.actions((partsNumber + 1)...min(partsNumber + 500, position)) { add(recorded) }
    }
    let found = tree.parts.mapValues { Digest.text($0) }
    return Set(found.keys).union(parts.keys).filter { found[$0] ?? "" != parts[$0] ?? "" }.sorted()
  }

  private mutating func compareLastState() throws {
    guard skipped.isEmpty, compared < count, let expected = recording.lastChecksum else { return }
    let found = Digest.text(try encodedState().digest)
    guard expected.isEmpty || found == expected else {
      guard let current else { throw initialDifference(expected: expected, found: found) }
      throw try difference(at: current, expected: expected, found: found, parts: [])
    }
    compared = count
    agreed = count
    verified += 1
  }

  private func initialDifference(expected: String, found: String) -> PlaybackDifference {
    PlaybackDifference(
      number: 0, agreed: agreed, action: "the initial state",
      source: ActionSource(file: recording.header.app, function: recording.header.version, line: 0),
      expected: expected, found: found, parts: [], changes: ValueDifference())
  }

  /// Whether a snapshot in the file equals the recorded state. Not every type can be decoded without a loss.
  private func fits(_ stored: (after: Int, state: State)) throws -> Bool {
    guard let expected = try recording.actions(stored.after...stored.after).first?.checksum else { return false }
    return Digest.text(try TreeEncoder().encode(stored.state).digest) == expected
  }
}

/// An encoder that copies of a player share. The checksum of a state does not depend on the states encoded before.
private final class SharedChecksums: Sendable {
  private struct Encoder: @unchecked Sendable {
    // Unchecked: only used under the lock.
    let encoder = TreeEncoder(remembers: true)
  }

  private let encoder = Locked(Encoder())

  func tree(of state: some Encodable & Sendable) throws -> JSONTree {
    try encoder.withLock { encoder in try encoder.encoder.encode(state) }
  }
}
