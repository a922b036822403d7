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
