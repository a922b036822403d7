extension Reducer {
  @inlinable
  func lift<GlobalAction: Sendable, GlobalState: Sendable, ID: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, ElementAction<ID, Action>>,
    elements: any WritableKeyPath<GlobalState, Elements> & Sendable,
    find: @escaping @Sendable (Elements, ID) -> Elements.Index?
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State {
    Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.elementLift(action: action, span: StateSpan(of: elements)) { id, whole, run in
          guard let index = find(whole.pointee[keyPath: elements], id) else { return false }
          return withUnsafeMutablePointer(to: &whole.pointee[keyPath: elements][index]) { run($0) }
        }
      })
  }

  /// The same reducer for each element of a collection that finds elements by id in O(1).
  ///
  /// Only the addressed element changes, in place; a missing one is no error.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: IdentifiedCollection & Sendable>(
    action: Prism<GlobalAction, ElementAction<State.ID, Action>>,
    element: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State, State: Identifiable, State.ID: Sendable {
    lift(action: action, elements: element) { $0.index(id: $1) }
  }

  /// The same reducer for each element of a collection, found by its id; O(count).
  ///
  /// Only the addressed element changes, in place; a missing one is no error.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, ElementAction<State.ID, Action>>,
    element: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State, State: Identifiable, State.ID: Sendable {
    lift(action: action, elements: element) { elements, id in elements.firstIndex { $0.id == id } }
  }

  /// The same reducer for each element of a collection, found by a property of your choice; O(count).
  @inlinable
  public func lift<
    GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable, ID: Equatable & Sendable
  >(
    action: Prism<GlobalAction, ElementAction<ID, Action>>,
    element: any WritableKeyPath<GlobalState, Elements> & Sendable,
    id path: any KeyPath<State, ID> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State {
    lift(action: action, elements: element) { elements, id in elements.firstIndex { $0[keyPath: path] == id } }
  }

  /// The same reducer for each element of a collection, found by its index; an index outside is no error.
  @inlinable
  public func lift<
    GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & RandomAccessCollection & Sendable
  >(
    action: Prism<GlobalAction, ElementAction<Elements.Index, Action>>,
    index: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State, Elements.Index: Sendable {
    lift(action: action, elements: index) { elements, index in
      index >= elements.startIndex && index < elements.endIndex ? index : nil
    }
  }

  /// The same reducer for each value of a dictionary, found by its key in O(1); a missing key is no error.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Key: Hashable & Sendable>(
    action: Prism<GlobalAction, ElementAction<Key, Action>>,
    key: any WritableKeyPath<GlobalState, [Key: State]> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> {
    Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.elementLift(action: action, span: StateSpan(of: key)) { id, whole, run in
          guard let index = whole.pointee[keyPath: key].index(forKey: id) else { return false }
          return withUnsafeMutablePointer(to: &whole.pointee[keyPath: key].values[index]) { run($0) }
        }
      })
  }

  /// The same reducer for all elements of a collection: each action reaches each element once, in order.
  @inlinable
  public func lift<GlobalAction: Sendable, GlobalState: Sendable, Elements: MutableCollection & Sendable>(
    action: Prism<GlobalAction, Action>, each: any WritableKeyPath<GlobalState, Elements> & Sendable
  ) -> Reducer<GlobalAction, GlobalState> where Elements.Element == State {
    Reducer<GlobalAction, GlobalState>(
      units: units.map { unit in
        unit.lift(action: action, span: StateSpan(of: each)) { (whole: UnsafeMutablePointer<GlobalState>, run) in
          var accepted = false
          var index = whole.pointee[keyPath: each].startIndex
          while index != whole.pointee[keyPath: each].endIndex {
            if withUnsafeMutablePointer(to: &whole.pointee[keyPath: each][index], { run($0) }) { accepted = true }
            whole.pointee[keyPath: each].formIndex(after: &index)
          }
          return accepted
        }
      })
  }
}

extension ReducerUnit {
  /// The unit for wholes that hold many states of its kind.
  ///
  /// - Parameter visit: Calls its third argument with the addressed state in place, if it is there.
  @inlinable
  func elementLift<GlobalAction: Sendable, GlobalState: Sendable, ID: Sendable>(
    action prism: Prism<GlobalAction, ElementAction<ID, Action>>, span property: StateSpan,
    visit: @escaping @Sendable (ID, UnsafeMutablePointer<GlobalState>, (UnsafeMutablePointer<State>) -> Bool) -> Bool
  ) -> ReducerUnit<GlobalAction, GlobalState> {
    let run = self.run
    let matches = self.matches
    let extract = prism.extract
    return ReducerUnit<GlobalAction, GlobalState>(
      claims: prism.claims,
      matches: { action in
        guard let element = extract(action.pointee) else { return false }
        guard let matches else { return true }
        return withUnsafePointer(to: element.action) { matches($0) }
      },
      span: property
    ) { action, state in
      guard let element = extract(action.pointee) else { return false }
      return withUnsafePointer(to: element.action) { local in
        if let matches, !matches(local) { return false }
        return visit(element.id, state) { run(local, $0) }
      }
    }
  }
}
