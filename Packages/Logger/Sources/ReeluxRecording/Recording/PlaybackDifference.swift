public import ReeluxCore
public import ReeluxDiff

/// The first action of a recording after which the reducer gives another state than the one recorded.
public struct PlaybackDifference: Error, Hashable, Sendable {
  /// The action's number; 0 if the initial state already differs.
  public var number: Int
  /// The action, as text.
  public var action: String
  /// Where it was dispatched.
  public var source: ActionSource
  /// The recorded checksum of the state after it.
  public var expected: String
  /// The checksum of the state that the reducer gives.
  public var found: String
  /// The state's properties whose checksums differ.
  public var parts: [String]
  /// What the reducer changed with this action.
  public var changes: ValueDifference
}

extension PlaybackDifference: CustomStringConvertible {
  /// What differs, where the action came from, and what the reducer did with it.
  public var description: String {
    var lines = ["action \(number) leads to another state than the recorded one: \(action)"]
    lines.append("  from \(source)")
    lines.append("  checksum \(found), recorded \(expected)")
    if !parts.isEmpty { lines.append("  differing: \(parts.joined(separator: ", "))") }
    lines.append(changes.changes.isEmpty ? "  here the action changes nothing" : "  here the action changes:")
    lines += changes.changes.map { "    \($0)" }
    return lines.joined(separator: "\n")
  }
}
