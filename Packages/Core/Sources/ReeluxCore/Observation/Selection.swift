/// A part of a state, to be read and observed by itself.
public struct Selection<State: Sendable>: StateProvider {
  @usableFromInline typealias Subscribe =
    @Sendable (@escaping @Sendable () -> Void, @escaping @Sendable (State) -> Void) -> Subscription
  @usableFromInline let read: @Sendable () -> State
  @usableFromInline let subscribeEnding: Subscribe

  @inlinable
  init(get: @escaping @Sendable () -> State, subscribe: @escaping Subscribe) {
    self.read = get
    self.subscribeEnding = subscribe
  }

  /// The part now.
  @inlinable
  public var state: State { read() }

  /// Calls `observer` with the part now, and whenever it changed.
  @inlinable
  public func subscribe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    subscribeEnding({}, observer)
  }

  /// As ``subscribe(_:)``, with `end` called once if the store is gone first.
  @inlinable
  public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    subscribeEnding(end, observer)
  }
}

/// A part of a state that is not always there.
///
/// Its observers are called with values only; they are not called when the part goes.
/// As a ``StateProvider`` its state is an optional: `nil` can be read, but is never delivered.
public struct PresentSelection<Part: Sendable>: StateProvider {
  @usableFromInline let base: Selection<Part?>

  @inlinable
  init(base: Selection<Part?>) {
    self.base = base
  }

  /// The part now, or `nil` while it is absent.
  @inlinable
  public var state: Part? { base.state }

  /// Calls `observer` with the part as soon as it is there, and whenever it changed.
  @inlinable
  public func subscribe(_ observer: @escaping @Sendable (Part) -> Void) -> Subscription {
    base.subscribe { part in if let part { observer(part) } }
  }

  /// As ``subscribe(_:)``, for observers of any provider.
  @inlinable
  @_disfavoredOverload
  public func subscribe(_ observer: @escaping @Sendable (Part?) -> Void) -> Subscription {
    subscribe(end: {}, observer)
  }

  /// As ``StateProvider/subscribe(_:)``, with `end` called once if the store is gone first.
  @inlinable
  public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (Part?) -> Void
  ) -> Subscription {
    base.subscribe(end: end) { part in if part != nil { observer(part) } }
  }
}
