/// A view of a store. It maps its actions to the store's actions, and the store's state to its own state.
///
/// By default it does not retain the store. After the store is released, dispatching has no effect, and the state
/// remains the last one. Projections compose and keep every action's source.
public struct StoreProjection<Action: Sendable, State: Sendable>: StoreType, ActionTaskProvider {
  @usableFromInline let sender: @Sendable (Action, ActionSource) -> ActionTask
  @usableFromInline let selection: Selection<State>

  @inlinable init(sender: @escaping @Sendable (Action, ActionSource) -> ActionTask, selection: Selection<State>) {
    self.sender = sender
    self.selection = selection
  }

  /// The current state, mapped from the store's state.
  @inlinable public var state: State { selection.state }

  /// Maps the action and sends it to the store. Records the place of this call as the source.
  ///
  /// - Returns: A handle to wait for the effects of the action, or to cancel them. If the action maps to `nil`, the
  ///   handle has nothing to wait for. Ignoring it costs nothing.
  @inlinable @discardableResult public func dispatch(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> ActionTask {
    sender(action, ActionSource(info: info, file: file, function: function, line: line))
  }

  /// Maps the action and sends it to the store, with its source.
  @inlinable public func dispatch(_ action: Action, from source: ActionSource) {
    _ = sender(action, source)
  }

  /// Calls `observer` with the current state, and then whenever the store emits a change. A projection to one property
  /// calls it only if this property was touched. Each accepted action touches a computed property. See
  /// ``StateProvider/subscribe(end:_:)``.
  @inlinable public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    selection.subscribe(end: end, observer)
  }

  /// The whole state as a selection.
  @inlinable public var whole: Selection<State> { selection }

  /// Returns a projection of this projection.
  @inlinable public func projection<Local: Sendable, Part: Sendable>(
    action: @escaping @Sendable (Local) -> Action?, state: @escaping @Sendable (State) -> Part
  ) -> StoreProjection<Local, Part> {
    let sender = self.sender
    return StoreProjection<Local, Part>(
      sender: { local, source in
        guard let mapped = action(local) else { return .complete }
        return sender(mapped, source)
      },
      selection: selection.map(state))
  }

  package func send(_ action: Action, from source: ActionSource) -> ActionTask {
    sender(action, source)
  }
}

extension Store {
  /// Returns a projection by closures. If an action maps to `nil`, it is dropped.
  ///
  /// - Parameter keepsStore: Whether the projection retains the store. Default: false.
  @inlinable public func projection<Local: Sendable, Part: Sendable>(
    action: @escaping @Sendable (Local) -> Action?, state: @escaping @Sendable (State) -> Part,
    keepsStore: Bool = false
  ) -> StoreProjection<Local, Part> {
    // The state is mapped outside of the read, so a slow mapping does not delay a reducer.
    StoreProjection<Local, Part>(sender: sender(keepsStore, action), selection: whole.map(state))
  }

  /// Returns a projection to one property. Its observers are called when this property was touched.
  @inlinable public func projection<Local: Sendable, Part: Sendable>(
    action: @escaping @Sendable (Local) -> Action?, state: any KeyPath<State, Part> & Sendable,
    keepsStore: Bool = false
  ) -> StoreProjection<Local, Part> {
    StoreProjection<Local, Part>(sender: sender(keepsStore, action), selection: select(everyTouch: state))
  }

  /// Returns a projection whose mapping is usually computed once for each change of the store, for all readers
  /// together.
  ///
  /// The projection keeps the last result. If one thread is computing the result, other readers wait for it. The thread
  /// that runs the pipeline and a thread that subscribes do not wait. They compute the result themselves.
  @inlinable public func bufferedProjection<Local: Sendable, Part: Sendable>(
    action: @escaping @Sendable (Local) -> Action?, state: @escaping @Sendable (State) -> Part,
    keepsStore: Bool = false
  ) -> StoreProjection<Local, Part> {
    let core = self.core
    let buffer = ProjectionBuffer<Part>()
    let read = { @Sendable () -> Part in
      let (whole, change) = core.cell.read { ($0.value, core.cell.changes.value) }
      return buffer.value(change: change, mayWait: !core.cell.gate.isRun(by: currentThreadID())) { state(whole) }
    }
    return StoreProjection<Local, Part>(
      sender: sender(keepsStore, action),
      selection: Selection(get: read) { end, observer in
        core.subscribe(span: .whole, end: end) { [cell = core.cell] whole in
          // A thread that subscribes to a busy store has a copy of the state, which may be older than the last change.
          guard cell.gate.isRun(by: currentThreadID()) else { return observer(state(whole.value)) }
          observer(buffer.value(change: cell.changes.value, mayWait: false) { state(whole.value) })
        }
      })
  }

  /// Returns a projection to one element of a collection. Its state is the element, or `nil` if there is no such
  /// element.
  ///
  /// Each read searches the collection and costs O(count). So does each call of an observer, which follows each emitted
  /// change of the store.
  @inlinable public func projection<Element: Identifiable & Sendable, Elements: Collection & Sendable, Local: Sendable>(
    element id: Element.ID, of path: any KeyPath<State, Elements> & Sendable,
    action: @escaping @Sendable (ElementAction<Element.ID, Local>) -> Action?, keepsStore: Bool = false
  ) -> StoreProjection<Local, Element?> where Elements.Element == Element, Element.ID: Sendable {
    projection(
      action: { action(ElementAction(id, $0)) }, state: { $0[keyPath: path].first { $0.id == id } },
      keepsStore: keepsStore)
  }

  @inlinable func sender<Local: Sendable>(
    _ keepsStore: Bool, _ transform: @escaping @Sendable (Local) -> Action?
  ) -> @Sendable (Local, ActionSource) -> ActionTask {
    let kept = keepsStore ? self : nil
    return { [weak self] action, source in
      guard let store = kept ?? self, let mapped = transform(action) else { return .complete }
      return ActionTask(store.core.dispatch(mapped, from: source), store.core)
    }
  }
}

/// The last result of a projection's mapping, and the change for which it was computed.
///
/// `compute` is code of the app, so it may be slow, read the projection or dispatch. It therefore runs under no lock
/// that the pipeline's thread takes. One reader at a time computes. The readers that wait for it then use its result.
/// The pipeline's thread, a thread that subscribes, and a thread that is already inside a mapping never wait. If there
/// is no result, these threads compute it themselves.
@usableFromInline final class ProjectionBuffer<Part: Sendable>: Sendable {
  private let last = Locked<(change: UInt64, value: Part)?>(nil)
  private let computing = Locked<Void>(())

  @usableFromInline init() {}

  /// The part after a change.
  @usableFromInline func value(change: UInt64, mayWait: Bool, _ compute: () -> Part) -> Part {
    if let part = stored(change) { return part }
    let me = currentThreadID()
    guard mayWait, mappingThreads.withLock({ $0.insert(me).inserted }) else { return store(compute(), change) }
    defer { mappingThreads.withLock { _ = $0.remove(me) } }
    return computing.withLock { _ in stored(change) ?? store(compute(), change) }
  }

  private func stored(_ change: UInt64) -> Part? {
    last.withLock { $0?.change == change ? $0?.value : nil }
  }

  /// Stores a result. A slow reader does not replace the result of a newer change.
  private func store(_ part: Part, _ change: UInt64) -> Part {
    // The old result is released after the lock, because its release may call code of the app.
    _ = last.withLock { change >= $0?.change ?? 0 ? exchange(&$0, with: (change, part)) : nil }
    return part
  }
}

/// The threads that compute a mapping or wait for their turn to compute one. Such a thread does not wait for another
/// mapping.
private let mappingThreads = Locked<Set<UInt>>([])
