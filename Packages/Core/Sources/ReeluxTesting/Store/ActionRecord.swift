public import ReeluxCore

/// One action that a ``TestStore``'s pipeline has processed.
public struct ActionRecord<Action: Sendable, State: Sendable>: Sendable {
  /// The action, as it came out of the interceptors.
  public let action: Action
  /// Where it was sent.
  public let source: ActionSource
  /// Whether the test sent it; otherwise the feature did.
  public let isSent: Bool
  /// The state that the middlewares saw.
  public let before: State
  /// The state after the reducers.
  public let after: State
}
