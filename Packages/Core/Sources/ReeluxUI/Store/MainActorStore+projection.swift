public import ReeluxCore

extension MainActorStore {
  /// A store of one property: its fields are tracked one by one, its actions are mapped up.
  ///
  /// ```swift
  /// extension MainActorStore<AppAction, AppState> {
  ///   var favorites: MainActorStore<FavoritesAction<Int>, FavoritesState<Int>> {
  ///     projection(action: AppAction.favorites, state: \.favorites)
  ///   }
  /// }
  /// ```
  ///
  /// With these lines, `store.favorites.ids` is tracked as that field alone.
  ///
  /// The same call gives the same object each time, so that SwiftUI finds a subview unchanged. Therefore `action` must
  /// depend on nothing but its argument: the closure of the first call is kept. The projection lives as long as the store
  /// that it comes from, and it needs that store: keep the root of the tree.
  public func projection<PartAction: Sendable, PartState: Sendable>(
    action: @escaping (PartAction) -> Action, state path: KeyPath<State, PartState>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<PartAction, PartState> {
    let key = ProjectionKey(action: PartAction.self, file: file, line: line, column: column)
    return part(FieldKey(path: path, kind: .part(key))) {
      PropertyPart(path: path, store: child(shown[keyPath: path], action))
    }.store
  }

  /// A store of an optional part while it is there, else `nil`; a tracker is called when the part comes or goes.
  ///
  /// A part that comes after another one has gone is shown by a new store. The old one keeps the last value that it
  /// showed, and drops what is sent to it.
  public func projection<PartAction: Sendable, PartState: Sendable>(
    action: @escaping (PartAction) -> Action, optional path: KeyPath<State, PartState?>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<PartAction, PartState>? {
    let key = ProjectionKey(action: PartAction.self, file: file, line: line, column: column)
    return optionalPart(path).store(key, in: shown) { child($0, action) }
  }

  /// A store of an optional part with an identity: a part with another id is shown by a new store.
  public func projection<PartAction: Sendable, PartState: Sendable & Identifiable>(
    action: @escaping (PartAction) -> Action, optional path: KeyPath<State, PartState?>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<PartAction, PartState>? {
    let key = ProjectionKey(action: PartAction.self, file: file, line: line, column: column)
    return optionalPart(path).store(key, in: shown) { child($0, action) }
  }

  /// A store of one element of a collection while it is there, else `nil`; a tracker is called when it comes or goes.
  ///
  /// Its fields are tracked by themselves: a change of one element calls the trackers of that element only. The store of
  /// an element that has gone keeps the last value, so that a row which is drawn once more shows that, and drops what
  /// is sent to it.
  ///
  /// Cost: O(1), and O(count) for the first call after an element came, went or moved. An update of the collection
  /// compares its elements, O(count).
  @inlinable
  public func projection<ElementAction: Sendable, Elements: RandomAccessCollection & Sendable>(
    element id: Elements.Element.ID, of path: KeyPath<State, Elements>,
    action: @escaping (ReeluxCore.ElementAction<Elements.Element.ID, ElementAction>) -> Action,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<ElementAction, Elements.Element>?
  where Elements.Element: Identifiable & Equatable & Sendable {
    projection(
      element: id, of: path, action: action, file: file, line: line, column: column, compare: compareElements)
  }

  /// - Parameter compare: Specialised for the collection where the caller is compiled; that is ten times as fast.
  @usableFromInline
  func projection<ElementAction: Sendable, Elements: RandomAccessCollection & Sendable>(
    element id: Elements.Element.ID, of path: KeyPath<State, Elements>,
    action: @escaping (ReeluxCore.ElementAction<Elements.Element.ID, ElementAction>) -> Action,
    file: StaticString, line: UInt, column: UInt, compare: @escaping ElementComparison<Elements>
  ) -> MainActorStore<ElementAction, Elements.Element>?
  where Elements.Element: Identifiable & Equatable & Sendable {
    let key = ProjectionKey(action: ElementAction.self, file: file, line: line, column: column)
    return part(FieldKey(path: path, kind: .elements(key))) {
      ElementParts<State, ElementAction, Elements>(path: path, compare: compare)
    }.store(id, in: shown) { child($0) { action(ReeluxCore.ElementAction(id, $0)) } }
  }

  private func child<PartAction: Sendable, PartState: Sendable>(
    _ shown: PartState, _ action: @escaping (PartAction) -> Action
  ) -> MainActorStore<PartAction, PartState> {
    MainActorStore<PartAction, PartState>(shown: shown) { [weak self] partAction, source, shown in
      guard let self else {
        shown()
        return .complete
      }
      return send(action(partAction), from: source, shown: shown)
    }
  }

  /// What follows an optional part; one for all that look at it.
  func optionalPart<PartState: Sendable>(
    _ path: KeyPath<State, PartState?>
  ) -> OptionalPart<State, PartState> {
    part(FieldKey(path: path, kind: .presence)) { OptionalPart(path: path) { _, _ in true } }
  }

  func optionalPart<PartState: Sendable & Identifiable>(
    _ path: KeyPath<State, PartState?>
  ) -> OptionalPart<State, PartState> {
    part(FieldKey(path: path, kind: .presence)) { OptionalPart(path: path) { $0.id == $1.id } }
  }
}
