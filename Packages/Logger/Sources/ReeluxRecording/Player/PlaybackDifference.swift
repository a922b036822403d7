public import ReeluxCore
public import ReeluxDiff

/// The first checksum that differs between a recording and the reducer.
public struct PlaybackDifference: Error, Hashable, Sendable {
  /// The number of the action after which the checksums differ; 0 if the initial state already differs.
  public var number: Int
  /// The number of the last action whose checksum agreed: one of the actions after it leads to another state.
  public var agreed: Int
  /// The action, as text.
  public var action: String
  /// The place that dispatched it.
  public var source: ActionSource
  /// The recorded checksum of the state after it.
  public var expected: String
  /// The checksum of the state that the reducer gives.
  public var found: String
  /// The state's properties whose checksums differ.
  public var parts: [String]
  /// The changes by the reducer for this action.
  public var changes: ValueDifference
}

extension PlaybackDifference: CustomStringConvertible {
  /// The difference, the source of the action, and the changes by the reducer.
  public var description: String {
    var lines = [
      number - agreed > 1
        ? "one of the actions \(agreed + 1) to \(number) leads to another state than the recorded one; the last: \(action)"
        : "action \(number) leads to another state than the recorded one: \(action)"
    ]
    lines.append("  from \(source)")
    lines.append("  checksum \(found), recorded \(expected)")
    if !parts.isEmpty { lines.append("  differing: \(parts.joined(separator: ", "))") }
    lines.append(changes.changes.isEmpty ? "  here the action changes nothing" : "  here the action changes:")
    lines += changes.changes.map { "    \($0)" }
    return lines.joined(separator: "\n")
  }
}

/// The decision about a recorded action when other actions were left out.
public enum AnswerFit<Action: Sendable>: Sendable {
  /// It is played as it was recorded.
  case asRecorded
  /// Its request has another number: this action is played in its place.
  case instead(Action)
  /// Its request is missing: it is not played, for this reason.
  case orphaned(String)
}
