#if canImport(Combine)
  public import Combine
  public import ReeluxCore

  extension StateProvider {
    /// The states as a Combine publisher: the current one, and then each emitted change.
    ///
    /// The publisher never fails. It completes when the store is released. If a subscriber requests fewer values
    /// than there are, it receives the newest value at its next request. Values arrive on the thread that runs the
    /// pipeline, but the first value, and a value that waited for a request, on the thread that subscribes or requests.
    /// The publisher of a store does not retain the store. That of a provider of your own retains it, unless the
    /// provider implements `whole`.
    public var publisher: AnyPublisher<State, Never> {
      StatePublisher(states: whole).eraseToAnyPublisher()
    }
  }

  private struct StatePublisher<State: Sendable>: Publisher {
    typealias Output = State
    typealias Failure = Never

    let states: Selection<State>

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let demanding = StateDemand<State>(
        Receiver(receive: { subscriber.receive($0) }, finish: { subscriber.receive(completion: .finished) }))
      subscriber.receive(subscription: demanding)
      demanding.begin(states)
    }
  }

  /// A type-erased subscriber.
  ///
  /// `@unchecked Sendable`: only one thread at a time calls it.
  private struct Receiver<State>: @unchecked Sendable {
    let receive: (State) -> Subscribers.Demand
    let finish: () -> Void
  }

  /// The demand of a subscriber, and the newest state that was not delivered yet.
  ///
  /// The lock protects all variables. One thread at a time calls the subscriber (`isSending`), outside of the lock.
  /// States, the subscriber and the subscription are also released outside of the lock, because their end may call code
  /// of the app.
  private final class StateDemand<State: Sendable>: Combine.Subscription, Sendable {
    private struct Contents: Sendable {
      var receiver: Receiver<State>?
      var demand = Subscribers.Demand.none
      var newest: State?
      var hasEnded = false
      var isSending = false
      var subscription: ReeluxCore.Subscription?
    }

    private let contents: Locked<Contents>

    init(_ receiver: Receiver<State>) {
      contents = Locked(Contents(receiver: receiver))
    }

    func begin(_ states: Selection<State>) {
      let subscription = states.subscribe(
        end: { [weak self] in self?.change { $0.hasEnded = true } },
        { [weak self] state in
          var newest: State? = state
          self?.change { swap(&$0.newest, &newest) }
        })
      // If the subscriber has cancelled in the meantime, the subscription ends when this function returns.
      contents.withLock { if $0.receiver != nil { $0.subscription = subscription } }
    }

    func request(_ demand: Subscribers.Demand) {
      change { $0.demand += demand }
    }

    func cancel() {
      let ended = contents.withLock { contents in
        defer { contents = Contents() }
        return contents
      }
      ended.subscription?.cancel()
    }

    private func change(_ body: (inout Contents) -> Void) {
      contents.withLock { body(&$0) }
      while let send = next() { send() }
    }

    /// Returns the next step, unless another thread performs it.
    private func next() -> (@Sendable () -> Void)? {
      contents.withLock { contents in
        guard !contents.isSending, let receiver = contents.receiver else { return nil }
        if contents.demand > .none, let state = contents.newest.take() {
          contents.demand -= 1
          contents.isSending = true
          return { [self] in
            let more = receiver.receive(state)
            self.contents.withLock { contents in
              contents.demand += more
              contents.isSending = false
            }
          }
        }
        if contents.hasEnded, contents.newest == nil {
          contents.receiver = nil
          let subscription = contents.subscription.take()
          return {
            subscription?.cancel()
            receiver.finish()
          }
        }
        return nil
      }
    }
  }
#endif
