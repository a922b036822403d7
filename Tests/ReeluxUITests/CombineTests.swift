// Scripts/test-apple runs these tests on systems without Combine.
#if canImport(Combine)
  import Combine
  import ReeluxCore
  import ReeluxUI
  import Testing

  /// The publishers of states.
  @Suite(.timeLimit(.minutes(15))) struct CombineTests {
    /// A subscriber that keeps what it receives. It requests `first` values, and then `more` after each value.
    ///
    /// `@unchecked Sendable`: the publisher calls it one call at a time, and the test reads it when no call can run.
    private final class Reader: Subscriber, @unchecked Sendable {
      typealias Input = Int
      typealias Failure = Never

      private let first: Subscribers.Demand
      private let more: @Sendable (Int, Reader) -> Subscribers.Demand
      private(set) var subscription: (any Combine.Subscription)?
      private(set) var values: [Int] = []
      private(set) var completions = 0

      init(
        _ first: Subscribers.Demand = .unlimited,
        more: @escaping @Sendable (Int, Reader) -> Subscribers.Demand = { _, _ in .none }
      ) {
        self.first = first
        self.more = more
      }

      func receive(subscription: any Combine.Subscription) {
        self.subscription = subscription
        subscription.request(first)
      }

      func receive(_ input: Int) -> Subscribers.Demand {
        values.append(input)
        return more(input, self)
      }

      func receive(completion: Subscribers.Completion<Never>) { completions += 1 }

      func request(_ count: Int) { subscription?.request(.max(count)) }
      func cancel() { subscription?.cancel() }
    }

    private final class Token: Sendable {}

    private static func counter() -> Store<Int, Int> {
      Store(initialState: 0, reducer: Reducer { number, sum in sum += number })
    }

    @Test func aPublisherSendsTheCurrentStateAndThenEachChange() {
      let store = Self.counter()
      let reader = Reader()
      store.publisher.receive(subscriber: reader)
      store.dispatch(1)
      store.dispatch(0)
      #expect(reader.values == [0, 1, 1])
    }

    @Test func aPublisherOfASelectionSendsOnlyDifferences() {
      let store = Self.counter()
      let reader = Reader()
      store.select(\.self).publisher.receive(subscriber: reader)
      store.dispatch(1)
      store.dispatch(0)
      #expect(reader.values == [0, 1])
    }

    @Test func aPublisherDoesNotKeepTheStoreAndCompletesWhenTheStoreIsReleased() {
      var store: Store<Int, Int>? = Self.counter()
      weak let released = store
      let publisher = store?.publisher
      let reader = Reader()
      publisher?.receive(subscriber: reader)
      store = nil
      #expect(released == nil)
      #expect(reader.values == [0] && reader.completions == 1)
      withExtendedLifetime(publisher) {}
    }

    @Test func aPublisherOfAReleasedStoreSendsTheLastStateAndCompletes() {
      var store: Store<Int, Int>? = Self.counter()
      let publisher = store?.publisher
      store?.dispatch(7)
      store = nil
      let reader = Reader()
      publisher?.receive(subscriber: reader)
      #expect(reader.values == [7] && reader.completions == 1)
    }

    @Test func aSubscriberReceivesAsManyValuesAsItRequestsAndTheNewestOneAtTheNextRequest() {
      let store = Self.counter()
      let reader = Reader(.none)
      store.publisher.receive(subscriber: reader)
      #expect(reader.values == [])
      reader.request(1)
      store.dispatch(1)
      store.dispatch(1)
      #expect(reader.values == [0])
      reader.request(2)
      #expect(reader.values == [0, 2])
      store.dispatch(1)
      store.dispatch(1)
      #expect(reader.values == [0, 2, 3])
    }

    @Test func theResultOfASubscriberIsAFurtherRequest() {
      let store = Self.counter()
      let reader = Reader(.max(1)) { value, _ in value < 3 ? .max(1) : .none }
      store.publisher.receive(subscriber: reader)
      for _ in 0..<9 { store.dispatch(1) }
      #expect(reader.values == [0, 1, 2, 3])
    }

    @Test func aValueThatWaitsForARequestIsSentBeforeTheCompletion() {
      var store: Store<Int, Int>? = Self.counter()
      let reader = Reader(.max(1))
      store?.publisher.receive(subscriber: reader)
      store?.dispatch(1)
      store = nil
      #expect(reader.values == [0] && reader.completions == 0)
      reader.request(1)
      #expect(reader.values == [0, 1] && reader.completions == 1)
    }

    @Test func aSubscriberThatCancelsReceivesNothingMore() {
      let store = Self.counter()
      let reader = Reader { value, reader in
        if value == 2 { reader.cancel() }
        return .none
      }
      store.publisher.receive(subscriber: reader)
      for _ in 0..<5 { store.dispatch(1) }
      reader.request(1)
      #expect(reader.values == [0, 1, 2] && reader.completions == 0)
      #expect(store.observerCount == 0)
    }

    @Test func aSubscriberMayCancelAtTheFirstValue() {
      let store = Self.counter()
      let reader = Reader { _, reader in
        reader.cancel()
        return .none
      }
      store.publisher.receive(subscriber: reader)
      store.dispatch(1)
      #expect(reader.values == [0])
      #expect(store.observerCount == 0)
    }

    @Test func aSubscriberMayDispatch() {
      let store = Self.counter()
      let reader = Reader { value, _ in
        if value < 5 { store.dispatch(1) }
        return .none
      }
      store.publisher.receive(subscriber: reader)
      #expect(reader.values == [0, 1, 2, 3, 4, 5])
    }

    @Test func aSubscriberIsNotCalledInsideOfItsOwnCall() {
      let store = Self.counter()
      let reader = Reader(.none) { value, reader in
        if value == 0 { store.dispatch(1) }
        // A nested call would already have added the next value.
        #expect(reader.values.last == value)
        return .none
      }
      store.publisher.receive(subscriber: reader)
      reader.request(2)
      #expect(reader.values == [0, 1])
    }

    @Test func aCancelledOrCompletedSubscriptionReleasesTheSubscriber() {
      var store: Store<Int, Int>? = Self.counter()
      weak var cancelled: Token?
      weak var completed: Token?
      var subscription: (any Combine.Subscription)?
      for isCancelled in [true, false] {
        let token = Token()
        if isCancelled { cancelled = token } else { completed = token }
        let reader = Reader { _, _ in withExtendedLifetime(token) { .none } }
        store?.publisher.receive(subscriber: reader)
        if isCancelled { reader.cancel() } else { subscription = reader.subscription }
      }
      #expect(cancelled == nil)
      #expect(completed != nil)
      store = nil
      #expect(completed == nil)
      withExtendedLifetime(subscription) {}
    }

    @Test(arguments: 0..<20) func theLastValueIsTheNewestStateAndNoneIsOlderThanOneBefore(run: Int) async {
      let store = Self.counter()
      let reader = Reader(.max(run))
      store.publisher.receive(subscriber: reader)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<200 { store.dispatch(1) } }
        }
        group.addTask { for _ in 0..<100 { reader.request(1) } }
      }
      await store.settle()
      reader.request(1000)
      #expect(reader.values.last == 800)
      #expect(zip(reader.values, reader.values.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }
#endif
