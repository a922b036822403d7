public import ReeluxCore

extension MainActorStore {
  /// Returns a store of one property. It tracks each field of the property separately, and maps its actions to this
  /// store's actions.
  ///
  /// ```swift
  /// extension MainActorStore<AppAction, AppState> {
  ///   var favorites: MainActorStore<FavoritesAction<Int>, FavoritesState<Int>> {
  ///     projection(action: AppAction.favorites, state: \.favorites)
  ///   }
  /// }
  /// ```
  ///
  /// With this extension, reading `store.favorites.ids` tracks only this field.
  ///
  /// Each call from the same place returns the same object, so SwiftUI does not redraw a subview that has not changed.
  /// The projection keeps the closure of the first call, so `action` must depend only on its argument. The projection
  /// lives as long as this store but does not retain it, so retain the root store. Without the root store, the
  /// projection keeps its last value and drops actions.
  public func projection<PartAction: Sendable, PartState: Sendable>(
    action: @escaping (PartAction) -> Action, state path: any KeyPath<State, PartState> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<PartAction, PartState> {
    let key = ProjectionKey(action: PartAction.self, file: file, line: line, column: column)
    return part(FieldKey(path: path, kind: .part(key))) {
      PropertyPart(path: path, store: child(shown[keyPath: path], action) { $0[keyPath: path] })
    }.store
  }

  /// Returns a store of an optional part, or `nil`. A tracker is called when the part becomes `nil` or gets a value.
  ///
  /// If the part becomes `nil` and then gets a value again, a new store shows it. The old store keeps its last value
  /// and drops actions that are sent to it.
  public func projection<PartAction: Sendable, PartState: Sendable>(
    action: @escaping (PartAction) -> Action, optional path: any KeyPath<State, PartState?> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<PartAction, PartState>? {
    let key = ProjectionKey(action: PartAction.self, file: file, line: line, column: column)
    return optionalStore(key, optionalPart(path), path, action)
  }

  /// Returns a store of an optional part with an identity. A part with another id gets a new store.
  public func projection<PartAction: Sendable, PartState: Sendable & Identifiable>(
    action: @escaping (PartAction) -> Action, optional path: any KeyPath<State, PartState?> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<PartAction, PartState>? {
    let key = ProjectionKey(action: PartAction.self, file: file, line: line, column: column)
    return optionalStore(key, optionalPart(path), path, action)
  }

  /// Returns a store of one element of a collection, or `nil`. A tracker is called when the element is added or
  /// removed. If the number of requested ids without an element exceeds the number of elements by more than 100, a
  /// change of the list also calls the trackers of these ids.
  ///
  /// A change of one element calls only the trackers of this element. The store of a removed element keeps the last
  /// value, which a row shows if it is drawn once more. It drops actions that are sent to it.
  ///
  /// Costs O(1), or O(count) for the first call after an element was added, removed or moved. An update of the
  /// collection compares its elements in O(count). For a stored property, each action also compares the
  /// ids, until the main actor has shown the latest change of the list. In a computed collection,
  /// an element that was removed and added again between two turns keeps its store.
  @inlinable public func projection<RowAction: Sendable, Elements: RandomAccessCollection & Sendable>(
    element id: Elements.Element.ID, of path: any KeyPath<State, Elements> & Sendable,
    action: @escaping (ElementAction<Elements.Element.ID, RowAction>) -> Action,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> MainActorStore<RowAction, Elements.Element>?
  where Elements.Element: Identifiable & Equatable & Sendable {
    projection(
      element: id, of: path, action: action, file: file, line: line, column: column, compare: compareElements,
      removed: { removedElements($0, $1, $2) })
  }

  /// - Parameters:
  ///   - compare: Compares the elements. It is specialised where the caller is compiled, which is ten times as fast.
  ///   - removed: Finds the removed elements. It is specialised too.
  @usableFromInline func projection<RowAction: Sendable, Elements: RandomAccessCollection & Sendable>(
    element id: Elements.Element.ID, of path: any KeyPath<State, Elements> & Sendable,
    action: @escaping (ElementAction<Elements.Element.ID, RowAction>) -> Action,
    file: StaticString, line: UInt, column: UInt, compare: @escaping ElementComparison<Elements>,
    removed: @escaping ElementRemoval<Elements>
  ) -> MainActorStore<RowAction, Elements.Element>?
  where Elements.Element: Identifiable & Equatable & Sendable {
    let key = ProjectionKey(action: RowAction.self, file: file, line: line, column: column)
    let parts = part(FieldKey(path: path, kind: .elements(key))) {
      ElementParts<State, RowAction, Elements>(
        path: path, compare: compare, removed: removed, watch: { watch($0) }, newest: { [weak self] in self?.newest() })
    }
    return parts.store(id, in: shown) { element in
      let search = ElementSearch(for: element)
      return child(element, { action(ElementAction(id, $0)) }) { search.element(in: $0[keyPath: path]) }
    }
  }

  private func optionalStore<PartAction: Sendable, PartState: Sendable>(
    _ key: ProjectionKey, _ part: OptionalPart<State, PartState>, _ path: any KeyPath<State, PartState?> & Sendable,
    _ action: @escaping (PartAction) -> Action
  ) -> MainActorStore<PartAction, PartState>? {
    part.store(key, in: shown) { part, lifetime in
      child(part, action, lifetime) { $0[keyPath: path] }
    }
  }

  /// - Parameter find: Returns the part in a whole state. The pipeline's thread calls it for the parts of this part.
  private func child<PartAction: Sendable, PartState: Sendable>(
    _ shown: PartState, _ action: @escaping (PartAction) -> Action, _ lifetime: Lifetime = Lifetime(),
    find: @escaping @Sendable (State) -> PartState?
  ) -> MainActorStore<PartAction, PartState> {
    MainActorStore<PartAction, PartState>(shown: shown, lifetime: lifetime) { [weak self] look in
      // A state without the part does not end the watch: a computed collection can have the part again. The end of
      // this store's lifetime does.
      self?.watch { find($0).map(look) ?? true }
    } newest: { [weak self] in
      self?.newest().flatMap(find)
    } deliver: { [weak self] partAction, source, shown in
      self?.send(action(partAction), from: source, shown: shown)
    }
  }

  /// Tracks an optional part for all its projections.
  func optionalPart<PartState: Sendable>(
    _ path: any KeyPath<State, PartState?> & Sendable
  ) -> OptionalPart<State, PartState> {
    part(FieldKey(path: path, kind: .presence(hasIdentity: false))) {
      OptionalPart(path: path, isSame: { _, _ in true }, watch: { [weak self] in self?.watch($0) })
    }
  }

  func optionalPart<PartState: Sendable & Identifiable>(
    _ path: any KeyPath<State, PartState?> & Sendable
  ) -> OptionalPart<State, PartState> {
    part(FieldKey(path: path, kind: .presence(hasIdentity: true))) {
      OptionalPart(path: path, isSame: { $0.id == $1.id }, watch: { [weak self] in self?.watch($0) })
    }
  }
}
