/// An action together with the place that dispatched it.
public struct DispatchedAction<Action> {
  /// The action.
  public var action: Action
  /// The place that dispatched the action.
  public var source: ActionSource

  /// Pairs an action with its source.
  @inlinable
  public init(_ action: Action, source: ActionSource) {
    self.action = action
    self.source = source
  }

  /// The same source with another action.
  @inlinable
  public func map<Other>(_ transform: (Action) throws -> Other) rethrows -> DispatchedAction<Other> {
    DispatchedAction<Other>(try transform(action), source: source)
  }
}

extension DispatchedAction: Sendable where Action: Sendable {}
extension DispatchedAction: Equatable where Action: Equatable {}
extension DispatchedAction: Hashable where Action: Hashable {}
extension DispatchedAction: Encodable where Action: Encodable {}
extension DispatchedAction: Decodable where Action: Decodable {}
