/// An action for one element of a collection.
public struct ElementAction<ID, Action> {
  /// Which element: its id, index or key.
  public var id: ID
  /// What it is to do.
  public var action: Action

  /// Addresses an action.
  @inlinable
  public init(_ id: ID, _ action: Action) {
    self.id = id
    self.action = action
  }
}

extension ElementAction: Sendable where ID: Sendable, Action: Sendable {}
extension ElementAction: Equatable where ID: Equatable, Action: Equatable {}
extension ElementAction: Hashable where ID: Hashable, Action: Hashable {}
extension ElementAction: Encodable where ID: Encodable, Action: Encodable {}
extension ElementAction: Decodable where ID: Decodable, Action: Decodable {}

/// A collection that finds an element by its id without looking at the others.
///
/// Conform a collection of yours to make lifts by id O(1); for any other the
/// element is searched, which is O(count).
public protocol IdentifiedCollection: MutableCollection where Element: Identifiable {
  /// The place of the element with this id, or `nil`; O(1).
  func index(id: Element.ID) -> Index?
}
