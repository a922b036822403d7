/// A source of states that calls observers when the state changes: a store, a
/// projection, a selection, a child store.
public protocol StateProvider<State>: Sendable {
  /// The state that it provides.
  associatedtype State: Sendable

  /// The current state.
  ///
  /// Any thread may read it; reading waits for one reducer at most. Do not read
  /// it inside a reducer.
  var state: State { get }

  /// Calls `observer` at once with the current state, and then with each emitted
  /// change.
  ///
  /// Observers are called in the order of their subscription, on the thread
  /// that runs the pipeline. Releasing the result ends the subscription.
  func subscribe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription

  /// As ``subscribe(_:)``; calls `end` once if the provider is released before the subscription
  /// ends.
  func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription
}

extension StateProvider {
  /// The states as an asynchronous sequence: the current one, then the newest whenever the consumer is ready.
  ///
  /// A slow consumer misses older states. Leaving the loop unsubscribes. The
  /// sequence ends when the store is released.
  public var states: StateSequence<State> {
    StateSequence { continuation in
      self.subscribe(end: { continuation.finish() }, { continuation.yield($0) })
    }
  }

  /// A part of the state, computed by a closure. Its observers are called when the part
  /// is different.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    _ transform: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    select(by: ==, transform)
  }

  /// A part of the state, computed by a closure. Its observers are called when `areEqual`
  /// returns false.
  ///
  /// - Parameter areEqual: Compares the part of the last call with the new one; with `{ _, _ in false
  ///   }` observers are called every time that the state was touched.
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

  /// An optional part; observers are not called while it is `nil`.
  ///
  /// The selection's state is `nil` then.
  @inlinable
  public func select<Part: Equatable & Sendable>(
    present transform: @escaping @Sendable (State) -> Part?
  ) -> PresentSelection<Part> {
    PresentSelection(base: select(transform))
  }
}

/// The part of an observer's last call.
///
/// `@unchecked Sendable`: an observer is never called concurrently with itself.
@usableFromInline
final class SelectionMemory<Part>: @unchecked Sendable {
  /// A pointer, because its use costs no exclusivity check.
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

  /// Calls the observer with a part, unless it equals the part of the last
  /// call.
  @inlinable
  func tell(_ part: Part, unless areEqual: (Part, Part) -> Bool, to observer: (Part) -> Void) {
    if let told = last.pointee, areEqual(told, part) { return }
    last.pointee = part
    observer(part)
  }
}

/// The states of a provider as an asynchronous sequence with room for one.
///
/// Each iterator is a subscription of its own. It begins with the current state,
/// keeps the newest state that its consumer has not taken, and unsubscribes when
/// it is released or its task is cancelled.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// A state.
  public typealias Element = State
  /// It never throws.
  public typealias Failure = Never

  let subscribe: @Sendable (AsyncStream<State>.Continuation) -> Subscription

  /// Begins a subscription.
  public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = subscribe(continuation)
    continuation.onTermination = { _ in subscription.cancel() }
    return stream.makeAsyncIterator()
  }
}
