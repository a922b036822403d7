public import ReeluxCore

/// Runs a recording through a reducer alone: no middleware, no effect, nothing outside is touched.
///
/// ```swift
/// let recording = try Recording<AppAction, AppState>(path: "run.jsonl")
/// var player = ActionPlayer(recording, reducer: app.reducer)
/// try player.playToEnd()       // throws PlaybackDifference at the first checksum that differs
/// try player.stepBack()
/// print(player.state)
/// ```
///
/// It keeps the state at every `snapshotEvery`th action, so that a step back, or a jump anywhere, costs at most that many
/// reductions once the recording was played that far.
public struct ActionPlayer<Action: Codable & Sendable, State: Codable & Sendable>: Sendable {
  /// What is played.
  public let recording: Recording<Action, State>
  /// How many actions have been played: 0 is the initial state.
  public private(set) var position = 0
  /// The state at the position.
  public private(set) var state: State
  /// The numbers of actions that are left out.
  public private(set) var skipped: Set<Int> = []
  /// How many checksums agreed so far, each counted once.
  public var verified: Int { verifier.verified }

  private let reducer: Reducer<Action, State>
  private let snapshotEvery: Int
  /// The states at 0, `snapshotEvery`, 2 × `snapshotEvery`, …
  private var snapshots: [State]
  private var verifier: ChecksumVerifier

  /// Makes a player at the initial state.
  /// - Parameters:
  ///   - recording: What is played.
  ///   - reducer: The app's reducer, `feature.reducer`.
  ///   - snapshotEvery: After how many actions the state is kept. Default 1,000.
  public init(_ recording: Recording<Action, State>, reducer: Reducer<Action, State>, snapshotEvery: Int = 1_000) {
    self.recording = recording
    self.reducer = reducer
    self.snapshotEvery = max(1, snapshotEvery)
    state = recording.initialState
    snapshots = [recording.initialState]
    verifier = ChecksumVerifier()
  }

  /// How many actions the recording has.
  public var count: Int { recording.actions.count }

  /// The action that led to the state at the position; `nil` at the beginning.
  public var current: RecordedAction<Action>? { position > 0 ? recording.actions[position - 1] : nil }

  /// Plays the next action and compares its checksum.
  /// - Returns: The action; `nil` at the end.
  /// - Throws: ``PlaybackDifference`` if the state is not the recorded one. The player is then after that action.
  @discardableResult
  public mutating func step() throws -> RecordedAction<Action>? {
    if position == 0 { try verifier.begin(recording) }
    guard position < count else { return nil }
    let recorded = recording.actions[position]
    guard verifier.isDue(recorded), skipped.isEmpty else {
      advance()
      if skipped.isEmpty { verifier.passOver(recorded) }
      return recorded
    }
    let before = state
    advance()
    try verifier.check(recorded, from: before, to: state)
    return recorded
  }

  /// Goes back by one action. Cost: at most `snapshotEvery` reductions.
  public mutating func stepBack() {
    jump(to: position - 1)
  }

  /// Goes to a position without comparing checksums; positions outside the recording count as its ends.
  ///
  /// Cost: back, or anywhere the recording was played to before, at most `snapshotEvery` reductions.
  public mutating func jump(to target: Int) {
    let target = min(max(0, target), count)
    let known = min(target / snapshotEvery, snapshots.count - 1)
    if target < position || known * snapshotEvery > position {
      position = known * snapshotEvery
      state = snapshots[known]
    }
    while position < target { advance() }
  }

  /// Plays up to a position, comparing every checksum on the way.
  /// - Throws: ``PlaybackDifference`` at the first difference. The player is then after that action.
  public mutating func play(to target: Int) throws {
    if target < position { return jump(to: target) }
    if count == 0 { try verifier.begin(recording) }
    while position < min(target, count) { try step() }
  }

  /// Plays to the end, comparing every checksum on the way.
  /// - Throws: ``PlaybackDifference`` at the first difference.
  public mutating func playToEnd() throws { try play(to: count) }

  /// Leaves actions out, or with an empty set none; the state at the position is computed anew.
  ///
  /// While actions are left out, checksums are not compared: the states are meant to be others.
  /// - Parameter numbers: Their numbers, counted from 1; others are ignored.
  public mutating func skip(_ numbers: Set<Int>) {
    let target = position
    let firstChange = numbers.symmetricDifference(skipped).min() ?? count + 1
    skipped = numbers
    // Snapshots up to the first action that is treated differently stay right.
    let kept = min(snapshots.count, max(0, firstChange - 1) / snapshotEvery + 1)
    snapshots.removeLast(snapshots.count - kept)
    position = (kept - 1) * snapshotEvery
    state = snapshots[kept - 1]
    jump(to: target)
  }

  private mutating func advance() {
    let recorded = recording.actions[position]
    position += 1
    if !skipped.contains(position) { reducer.reduce(recorded.action, &state) }
    if position == snapshots.count * snapshotEvery { snapshots.append(state) }
  }
}
