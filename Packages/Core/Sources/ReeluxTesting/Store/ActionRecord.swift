public import ReeluxCore

/// One action that a ``TestStore``'s pipeline has processed.
public struct ActionRecord<Action: Sendable, State: Sendable>: Sendable {
  /// The action that the interceptors returned.
  public let action: Action
  /// The place that sent it.
  public let source: ActionSource
  /// Whether the test sent it; otherwise the feature did.
  public let isSent: Bool
  /// The state that the middlewares saw.
  public let before: State
  /// The state after the reducers.
  public let after: State
}

extension Wording {
  /// Received actions, one a line, with the places that sent them.
  static func list<Action, State>(_ records: [ActionRecord<Action, State>]) -> String {
    records.map { "  - \(action($0.action)), sent at \($0.source)" }.joined(separator: "\n")
  }
}
