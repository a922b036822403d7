/// A part of a state that can be read and observed separately.
public struct Selection<State: Sendable>: StateProvider {
  @usableFromInline typealias Subscribe =
    @Sendable (@escaping @Sendable () -> Void, @escaping @Sendable (State) -> Void) -> Subscription
  /// Whether observers are never called concurrently. A provider of the app may call them on several threads at once.
  @usableFromInline let isSerial: Bool
  @usableFromInline let read: @Sendable () -> State
  @usableFromInline let subscribeEnding: Subscribe

  @inlinable init(isSerial: Bool = true, get: @escaping @Sendable () -> State, subscribe: @escaping Subscribe) {
    self.isSerial = isSerial
    self.read = get
    self.subscribeEnding = subscribe
  }

  /// The current part.
  @inlinable public var state: State { read() }

  /// This selection.
  @inlinable public var whole: Selection { self }

  /// Calls `observer` with the current part and then with each changed one; see ``StateProvider/subscribe(end:_:)``.
  @inlinable public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    subscribeEnding(end, observer)
  }

  /// Returns the same selection with mapped states. It compares nothing and keeps nothing.
  @inlinable func map<Part: Sendable>(_ transform: @escaping @Sendable (State) -> Part) -> Selection<Part> {
    Selection<Part>(isSerial: isSerial, get: { transform(state) }) { end, observer in
      subscribe(end: end) { observer(transform($0)) }
    }
  }
}

/// An optional part of a state.
///
/// Its observers are called only with values, not when the part becomes `nil`. As a ``StateProvider``, its state is an
/// optional. `nil` can be read, but observers are never called with it.
public struct PresentSelection<Part: Sendable>: StateProvider {
  @usableFromInline let base: Selection<Part?>

  @inlinable init(base: Selection<Part?>) {
    self.base = base
  }

  /// The current part, or `nil`.
  @inlinable public var state: Part? { base.state }

  /// Calls `observer` with the part as soon as there is one, and then with each changed one.
  @inlinable public func subscribe(_ observer: @escaping @Sendable (Part) -> Void) -> Subscription {
    base.subscribe { part in if let part { observer(part) } }
  }

  /// Calls `observer` with each part, and never with `nil`. Without this function, a closure without a type would get
  /// an optional, because the compiler would choose the function of ``StateProvider``.
  @_disfavoredOverload @inlinable public func subscribe(
    _ observer: @escaping @Sendable (Part?) -> Void
  ) -> Subscription {
    subscribe(end: {}, observer)
  }

  /// Calls `observer` with each part, and never with `nil`; see ``StateProvider/subscribe(end:_:)``.
  @inlinable public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (Part?) -> Void
  ) -> Subscription {
    base.subscribe(end: end) { part in if part != nil { observer(part) } }
  }
}
