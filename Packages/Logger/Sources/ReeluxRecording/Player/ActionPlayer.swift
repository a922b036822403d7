public import ReeluxCore
import ReeluxDiff

/// Runs a recording through a reducer, without middlewares and effects.
///
/// ```swift
/// let recording = try Recording<AppAction, AppState>(path: "run.jsonl")
/// var player = ActionPlayer(recording, reducer: app.reducer)
/// try player.playToEnd()       // throws PlaybackDifference at the first checksum that differs
/// try player.stepBack()
/// print(player.state)
/// ```
///
/// It keeps the state after every `snapshotEvery` actions. So a step back, or a jump within the played part, costs at
/// most `snapshotEvery` reductions. A jump forward begins at a snapshot of the file, if there is one.
public struct ActionPlayer<Action: Codable & Sendable, State: Codable & Sendable>: Sendable {
  /// The recording.
  public let recording: Recording<Action, State>
  /// The number of played actions; 0 is the initial state.
  public private(set) var position = 0
  /// The state at the position.
  public private(set) var state: State
  /// The action that led to the state at the position; `nil` at the beginning.
  public private(set) var current: RecordedAction<Action>?
  /// The numbers of actions that are left out.
  public private(set) var skipped: Set<Int> = []
  /// The answers up to the position that were not played, because their requests were left out; with the reasons.
  public private(set) var orphaned: [Int: String] = [:]
  /// The number of checksums that agreed, each counted once.
  public private(set) var verified = 0

  private let reducer: Reducer<Action, State>
  private let fit: @Sendable (Action, State) -> AnswerFit<Action>
  private let snapshotEvery: Int
  /// States at multiples of `snapshotEvery`.
  private var snapshots: [Int: State]
  private var blocks: ActionBlocks<Action, State>
  private var checksums = SharedChecksums()
  /// The recorded checksums of the state's properties, as far as they are known, and the last compared action.
  private var parts: [String: String] = [:]
  private var compared = -1

  /// Makes a player at the initial state.
  /// - Parameters:
  ///   - recording: The recording.
  ///   - reducer: The app's reducer, `feature.reducer`.
  ///   - snapshotEvery: The number of actions between two kept states. Default
  ///     1,000.
  ///   - fit: Decides about an action when others were left out, with the state before it. Then requests may be
  ///     missing or have other numbers, and an answer must not be used for another request.
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
  /// - Throws: ``PlaybackDifference`` if the state is not the recorded one. The player is then after that action.
  @discardableResult
  public mutating func step() throws -> RecordedAction<Action>? {
    if compared < 0 { try compareInitialState() }
    guard position < count else { return nil }
    let before = state
    let recorded = try advance()
    guard recorded.number > compared, skipped.isEmpty else { return recorded }
    parts.merge(recorded.parts) { $1 }
    guard let expected = recorded.checksum else { return recorded }
    let agreed = compared
    compared = recorded.number
    let tree = try checksums.tree(of: state)
    let found = Digest.text(tree.digest)
    guard found != expected else {
      verified += 1
      return recorded
    }
    throw PlaybackDifference(
      number: recorded.number, agreed: agreed, action: ValueText.describing(recorded.action), source: recorded.source,
      expected: expected, found: found,
      parts: tree.parts.filter { parts[$0.key] != Digest.text($0.value) }.keys.sorted(),
      changes: ValueDifference(from: before as Any, to: state as Any))
  }

  /// Goes back by one action. Cost: at most `snapshotEvery` reductions.
  public mutating func stepBack() throws {
    try jump(to: position - 1)
  }

  /// Goes to a position without comparing checksums; positions outside the recording count as its ends.
  ///
  /// Cost: back, or anywhere the recording was played to before, at most `snapshotEvery` reductions; forward, at most as many
  /// as there are actions after the last snapshot in the file.
  public mutating func jump(to target: Int) throws {
    let target = min(max(0, target), count)
    let nearest = target / snapshotEvery * snapshotEvery
    let known = stride(from: nearest, through: 0, by: -snapshotEvery).first { snapshots[$0] != nil }
    if let known, let state = snapshots[known], target < position || known > position { go(to: known, state) }
    if skipped.isEmpty, let stored = recording.snapshot(upTo: target), stored.after > position, try fits(stored) {
      go(to: stored.after, stored.state)
    }
    while position < target { try advance() }
  }

  /// Plays up to a position, comparing every checksum on the way.
  /// - Throws: ``PlaybackDifference`` at the first difference. The player is then after that action.
  public mutating func play(to target: Int) throws {
    if target < position { return try jump(to: target) }
    if compared < 0 { try compareInitialState() }
    while position < min(target, count) { try step() }
    if position == count { try compareLastState() }
  }

  /// Plays to the end, comparing every checksum on the way.
  /// - Throws: ``PlaybackDifference`` at the first difference.
  public mutating func playToEnd() throws { try play(to: count) }

  /// Leaves actions out; an empty set leaves out none. The state at the position is computed
  /// again.
  ///
  /// While actions are left out, checksums are not compared, because the states are different
  /// on purpose.
  /// - Parameter numbers: Their numbers, counted from 1; others are ignored.
  public mutating func skip(_ numbers: Set<Int>) throws {
    let target = position
    let firstChange = numbers.symmetricDifference(skipped).min() ?? count + 1
    skipped = numbers
    orphaned = orphaned.filter { $0.key < firstChange }
    // Snapshots before the first action that is treated differently stay right.
    snapshots = snapshots.filter { $0.key < firstChange }
    if position >= firstChange { go(to: 0, recording.initialState) }
    try jump(to: target)
  }

  private mutating func go(to position: Int, _ state: State) {
    self.position = position
    self.state = state
    current = nil
    orphaned = orphaned.filter { $0.key <= position }
  }

  @discardableResult
  private mutating func advance() throws -> RecordedAction<Action> {
    let recorded = try blocks.action(position + 1)
    position += 1
    current = recorded
    if !skipped.contains(position) { reduce(recorded.action) }
    if position.isMultiple(of: snapshotEvery) { snapshots[position] = state }
    return recorded
  }

  private mutating func reduce(_ action: Action) {
    let isChanged = skipped.contains { $0 < position }
    switch isChanged ? fit(action, state) : .asRecorded {
    case .asRecorded: reducer.reduce(action, &state)
    case .instead(let other): reducer.reduce(other, &state)
    case .orphaned(let reason): orphaned[position] = reason
    }
  }

  // MARK: Checksums

  /// The state as it is compared. Cost: what changed since the state that was encoded before.
  func encodedState() throws -> JSONTree { try checksums.tree(of: state) }

  private mutating func compareInitialState() throws {
    compared = 0
    let tree = try checksums.tree(of: recording.initialState)
    parts = tree.parts.mapValues { Digest.text($0) }
    try compare(tree, recording.header.checksum, 0, "the initial state")
  }

  private mutating func compareLastState() throws {
    guard skipped.isEmpty, compared < count, let expected = recording.lastChecksum else { return }
    let tree = try checksums.tree(of: state)
    try compare(tree, expected, count, "the end")
    compared = count
    verified += 1
  }

  private func compare(_ tree: JSONTree, _ expected: String, _ number: Int, _ name: String) throws {
    let found = Digest.text(tree.digest)
    guard !expected.isEmpty, found != expected else { return }
    throw PlaybackDifference(
      number: number, agreed: max(0, compared), action: name,
      source: ActionSource(file: recording.header.app, function: recording.header.version, line: 0),
      expected: expected, found: found, parts: [], changes: ValueDifference())
  }

  /// Whether the state of a file's snapshot is the one that was recorded: not every type reads back as it was written.
  private func fits(_ stored: (after: Int, state: State)) throws -> Bool {
    guard let expected = try recording.actions(stored.after...stored.after).first?.checksum else { return false }
    return Digest.text(try TreeEncoder().encode(stored.state).digest) == expected
  }
}

/// An encoder that copies of a player share; each state has the same checksum, whatever was encoded before.
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
