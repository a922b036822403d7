extension Store {
  /// Returns a property of the state. Its observers are called when it has changed.
  ///
  /// An action that does not touch a stored property costs nothing, not even a comparison. A computed property is
  /// compared after each accepted action. Each observer keeps the value of its last call, so the next change of a large
  /// collection copies this collection. If this matters, select a small value or use ``select(everyTouch:)``.
  @inlinable
  public func select<Part: Equatable & Sendable>(_ path: any KeyPath<State, Part> & Sendable) -> Selection<Part> {
    select(path, by: ==)
  }

  /// Returns a property of the state. Its observers are called when `areEqual` returns false for the value of the last
  /// call and the new one.
  @inlinable public func select<Part: Sendable>(
    _ path: any KeyPath<State, Part> & Sendable, by areEqual: @escaping @Sendable (Part, Part) -> Bool
  ) -> Selection<Part> {
    select(everyTouch: path).select(by: areEqual) { $0 }
  }

  /// Returns a property of the state. Its observers are called whenever a reducer of the property accepted an action,
  /// even if the value is the same.
  ///
  /// It keeps no copy of the property. If another thread changes any part of the state while an observer subscribes,
  /// the observer is called once more, even if the property was not touched.
  @inlinable
  public func select<Part: Sendable>(everyTouch path: any KeyPath<State, Part> & Sendable) -> Selection<Part> {
    let core = core
    let stored = StoredProperty(path)
    return Selection(get: core.getState.map(path).callAsFunction) { end, observer in
      core.subscribe(span: StateSpan(of: path), end: end) { state in
        if let stored { observer(stored.part(of: state).value) } else { observer(state.value[keyPath: path]) }
      }
    }
  }

  /// Returns an optional property. Observers are not called while it is `nil`.
  @inlinable public func select<Part: Equatable & Sendable>(
    present path: any KeyPath<State, Part?> & Sendable
  ) -> PresentSelection<Part> {
    PresentSelection(base: select(path))
  }

  /// The whole state as a selection. It does not retain the store.
  @inlinable public var whole: Selection<State> {
    let core = core
    return Selection(get: { core.cell.read { $0.value } }) { end, observer in
      core.subscribe(span: .whole, end: end) { observer($0.value) }
    }
  }
}
