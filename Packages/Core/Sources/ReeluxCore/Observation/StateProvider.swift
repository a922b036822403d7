/// Something that has a state and tells observers when it changes: a store, a
/// projection, a selection, a child store.
public protocol StateProvider<State>: Sendable {
  /// What it provides.
  associatedtype State: Sendable

  /// The state now.
  ///
  /// May be read from any thread; it waits at most for one reducer. Not to be
  /// read inside a reducer.
  var state: State { get }

  /// Calls `observer` with the current state at once, and with each emitted change.
  ///
  /// Observers are called in the order of their subscription, on whichever
  /// thread runs the pipeline. Releasing the result ends it.
  func subscribe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription

  /// As ``subscribe(_:)``, with `end` called once if the provider is gone before the subscription.
  func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription
}

extension StateProvider {
  /// The states as an asynchronous sequence: the current one, then the newest whenever the consumer is ready.
  ///
  /// States that the consumer was too slow for are left out. Leaving the loop
  /// unsubscribes. The sequence ends when the store is gone.
  public var states: StateSequence<State> {
    StateSequence { continuation in
      self.subscribe(end: { continuation.finish() }, { continuation.yield($0) })
    }
  }

  /// A part of the state, computed by a closure, that notifies when it became different.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    select(by: ==, transform)
  }

  /// A part of the state, computed by a closure, that notifies when `areEqual` does not hold.
  ///
  /// - Parameter areEqual: Compares the part that was last told with the new one; `{ _, _ in false }`
  ///   notifies every time that the state was touched.
  @inlinable
  public func select<Part: Sendable>(
    by areEqual: @escaping @Sendable (Part, Part) -> Bool, _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    let base = self
    return Selection(get: { transform(base.state) }) { end, observer in
      let memory = SelectionMemory<Part>()
      return base.subscribe(end: end) { state in
        memory.tell(transform(state), unless: areEqual, to: observer)
      }
    }
  }

  /// A part that is not always there: nothing is told while it is absent.
  ///
  /// Reading the selection's state gives `nil` then.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    present transform: @escaping @Sendable (State) -> Part?
  ) -> PresentSelection<Part> {
    PresentSelection(base: select(transform))
  }
}

/// The part that an observer was last told.
///
/// `@unchecked Sendable`: an observer is never called concurrently with itself.
@usableFromInline
final class SelectionMemory<Part>: @unchecked Sendable {
  /// A pointer, since using it costs no exclusivity check.
  @usableFromInline let last: UnsafeMutablePointer<Part?>

  @inlinable
  init() {
    last = .allocate(capacity: 1)
    last.initialize(to: nil)
  }

  deinit {
    last.deinitialize(count: 1)
    last.deallocate()
  }

  /// Tells a part, unless it equals the one that was told last.
  @inlinable
  func tell(_ part: Part, unless areEqual: (Part, Part) -> Bool, to observer: (Part) -> Void) {
    if let told = last.pointee, areEqual(told, part) { return }
    last.pointee = part
    observer(part)
  }
}
