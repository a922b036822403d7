public import Foundation
public import ReeluxCore
public import ReeluxDiff

/// The first difference between a recorded checksum and the state that the reducer computes.
public struct PlaybackDifference: Error, Hashable, Sendable {
  /// The number of the action after which the checksums differ; 0 if the initial states differ.
  public var number: Int
  /// The number of the last action whose checksum matched. The first different state belongs to an action after it.
  public var agreed: Int
  /// The action, as text.
  public var action: String
  /// The place that dispatched the action.
  public var source: ActionSource
  /// The recorded checksum of the state after the action.
  public var expected: String
  /// The checksum of the state that the reducer computes.
  public var found: String
  /// The state's properties whose checksums differ, and those that only one of the two states has.
  public var parts: [String]
  /// The changes of the reducer for this action.
  public var changes: ValueDifference
}

extension PlaybackDifference: CustomStringConvertible {
  /// The difference, the source of the action, and the changes of the reducer.
  public var description: String {
    if number == 0 { return summary }
    let lines = changes.changes.isEmpty ? ["  here the action changes nothing"] : ["  here the action changes:"]
    return ([summary] + lines + changes.changes.map { "    \($0)" }).joined(separator: "\n")
  }

  /// The description without the changes.
  var summary: String {
    if number == 0 {
      return "the initial state has another checksum after it was decoded: its type has changed since the recording, "
        + "or decoding the encoded value gives another value\n  checksum \(found), recorded \(expected)"
    }
    var lines = [
      number - agreed > 1
        ? "one of the actions \(agreed + 1) to \(number) leads to another state than the recorded one; the last: \(action)"
        : "action \(number) leads to another state than the recorded one: \(action)"
    ]
    lines.append("  from \(source)")
    lines.append("  checksum \(found), recorded \(expected)")
    if !parts.isEmpty { lines.append("  differing: \(parts.joined(separator: ", "))") }
    return lines.joined(separator: "\n")
  }
}

extension PlaybackDifference: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The way to play an action after other actions were left out.
public enum AnswerFit<Action: Sendable>: Sendable {
  /// Play the action as it was recorded.
  case asRecorded
  /// Play this action instead, because the request has another number.
  case instead(Action)
  /// Do not play the action, because its request is missing. The text is the reason.
  case orphaned(String)
}
