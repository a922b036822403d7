extension Store {
  /// A property of the state. Its observers are called when it is different.
  ///
  /// An action that does not touch the property costs nothing for it, not even
  /// a comparison. Each observer keeps the value of its last call, so the next
  /// change of a large collection copies the collection. If this matters,
  /// select something small, or use ``select(everyTouch:)``.
  @inlinable
  public func select<Part: Equatable & Sendable>(_ path: any KeyPath<State, Part> & Sendable) -> Selection<Part> {
    select(path, by: ==)
  }

  /// A property of the state. Its observers are called when `areEqual` returns false for the value of the
  /// last call and the new one.
  @inlinable
  public func select<Part: Sendable>(
    _ path: any KeyPath<State, Part> & Sendable, by areEqual: @escaping @Sendable (Part, Part) -> Bool
  ) -> Selection<Part> {
    core.select(path, by: areEqual)
  }

  /// A property of the state. Its observers are called whenever a reducer of the property accepted an
  /// action, also if the value is the same.
  ///
  /// Keeps no copy of it.
  @inlinable
  public func select<Part: Sendable>(everyTouch path: any KeyPath<State, Part> & Sendable) -> Selection<Part> {
    let core = core
    return Selection(get: core.getState.map(path).callAsFunction) { end, observer in
      core.subscribe(span: StateSpan(of: path), end: end) { observer($0.pointee[keyPath: path]) }
    }
  }

  /// An optional property; observers are not called while it is `nil`.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    present path: any KeyPath<State, Part?> & Sendable
  ) -> PresentSelection<Part> {
    PresentSelection(base: select(path))
  }

  /// A part of the state, computed by a closure. Its observers are called when the part
  /// is different.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    whole.select(transform)
  }

  /// A part of the state, computed by a closure. Its observers are called when `areEqual` returns false for
  /// the part of the last call and the new one.
  @inlinable
  public func select<Part: Sendable>(
    by areEqual: @escaping @Sendable (Part, Part) -> Bool, _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    whole.select(by: areEqual, transform)
  }

  /// An optional part, computed by a closure; observers are not called while it is `nil`.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    present transform: @escaping @Sendable (State) -> Part?
  ) -> PresentSelection<Part> {
    whole.select(present: transform)
  }

  /// The states as an asynchronous sequence; see ``StateProvider/states``. It ends with the store, and does not
  /// keep it.
  public var states: StateSequence<State> { whole.states }

  /// All of the state, without the store: no selection keeps the store alive.
  @inlinable
  var whole: Selection<State> {
    let core = core
    return Selection(get: { core.cell.read { $0.pointee } }) { end, observer in
      core.subscribe(span: .whole, end: end) { observer($0.pointee) }
    }
  }
}

extension StoreCore {
  @inlinable
  func select<Part: Sendable>(
    _ path: any KeyPath<State, Part> & Sendable, by areEqual: @escaping @Sendable (Part, Part) -> Bool
  ) -> Selection<Part> {
    let core = self
    let offset = MemoryLayout<State>.offset(of: path)
    return Selection(get: getState.map(path).callAsFunction) { end, observer in
      let memory = SelectionMemory<Part>()
      guard let offset else {
        return core.subscribe(span: .whole, end: end) { state in
          memory.tell(state.pointee[keyPath: path], unless: areEqual, to: observer)
        }
      }
      return core.subscribe(span: StateSpan(offset: offset, of: Part.self), end: end) { state in
        let part = UnsafeRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Part.self)
        memory.tell(part.pointee, unless: areEqual, to: observer)
      }
    }
  }
}
