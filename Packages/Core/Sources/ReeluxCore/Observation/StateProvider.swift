/// A source of states that notifies observers when the state changes: a store, a projection, a selection, a child
/// store.
public protocol StateProvider<State>: Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The current state.
  ///
  /// Any thread may read it. Reading waits for the reducers of at most one action. Do not read it inside a reducer.
  var state: State { get }

  /// Calls `observer` immediately with the current state, and then with each emitted change. Calls `end` once if the
  /// store is released before the subscription ends.
  ///
  /// The thread that subscribes makes the first call. Later, observers are called in the order of their subscription,
  /// on the thread that runs the pipeline. Releasing the result ends the subscription.
  ///
  /// A provider of your own must not call an observer before the previous call of this observer has returned. It must
  /// pass the states in their order.
  func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription

  /// The whole state as a selection.
  ///
  /// ``states`` and the selections by closure use it. The selection of a store or of a child store does not retain the
  /// store. Default: a selection that retains this provider.
  var whole: Selection<State> { get }
}

extension StateProvider {
  /// The whole state as a selection that retains this provider.
  @inlinable public var whole: Selection<State> {
    Selection(isSerial: false, get: { state }) { end, observer in subscribe(end: end, observer) }
  }

  /// Calls `observer` immediately with the current state, and then with each emitted change; see
  /// ``subscribe(end:_:)``.
  @inlinable public func subscribe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    subscribe(end: {}, observer)
  }

  /// The states as an asynchronous sequence: the current one, and then the newest one whenever the consumer is ready.
  ///
  /// A slow consumer misses states. Leaving the loop unsubscribes. The sequence of a store does not retain the store,
  /// and ends when the store is released. That of a provider of your own retains it, unless the provider implements
  /// ``whole``.
  public var states: StateSequence<State> { StateSequence(selection: whole) }

  /// Returns a part of the state, computed by a closure. Its observers are called when the part has changed.
  ///
  /// The closure is called at each read, and for each observer after each emitted change, also if the part is the same.
  @inlinable public func select<Part: Equatable & Sendable>(
    _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    select(by: ==, transform)
  }

  /// Returns a part of the state, computed by a closure. Its observers are called when `areEqual` returns false. The
  /// closure is called as often as that of `select(_:)`.
  ///
  /// - Parameter areEqual: Compares the part of the last call with the new one. With `{ _, _ in false }`, observers are
  ///   called whenever the state was touched.
  @inlinable public func select<Part: Sendable>(
    by areEqual: @escaping @Sendable (Part, Part) -> Bool, _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    let whole = whole
    return Selection(isSerial: whole.isSerial, get: { transform(whole.state) }) { end, observer in
      if !whole.isSerial {
        let last = Locked<Part?>(nil)
        return whole.subscribe(end: end) { state in
          let part = transform(state)
          if let previous = last.withLock({ $0 }), areEqual(previous, part) { return }
          // The old part is released after the lock, because its release may call code of the app.
          _ = last.withLock { exchange(&$0, with: part) }
          observer(part)
        }
      }
      let last = MemoryCell<Part?>(nil)
      return whole.subscribe(end: end) { state in
        let part = transform(state)
        if let previous = last.value, areEqual(previous, part) { return }
        last.value = part
        observer(part)
      }
    }
  }

  /// Returns an optional part. Observers are not called while it is `nil`.
  ///
  /// The selection's state is then `nil`. Without the label `present`, `select { $0.guest }` also delivers `nil`.
  @_disfavoredOverload @inlinable public func select<Part: Equatable & Sendable>(
    present transform: @escaping @Sendable (State) -> Part?
  ) -> PresentSelection<Part> {
    PresentSelection(base: select(transform))
  }
}

/// The states of a provider as an asynchronous sequence that buffers one state.
///
/// Each iterator has its own subscription. It starts with the current state, keeps the newest state that its consumer
/// has not read, and unsubscribes when it is released or its task is cancelled.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// A state.
  public typealias Element = State
  /// The sequence never throws.
  public typealias Failure = Never

  let selection: Selection<State>

  /// Starts a subscription.
  public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = selection.subscribe(end: { continuation.finish() }) { continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream.makeAsyncIterator()
  }
}
