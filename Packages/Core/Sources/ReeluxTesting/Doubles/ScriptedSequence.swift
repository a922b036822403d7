import ReeluxCore

/// An asynchronous sequence for feeds and `Effect.sequence`. The test sends its elements.
///
/// ```swift
/// let fixes = ScriptedSequence<Fix>()
/// let store = TestStore(initialState: Track(), feature: .tracking(fixes: { fixes }))
/// await store.send(.start) { $0.isTracking = true }
/// await fixes.send(Fix(latitude: 48.1, longitude: 11.6))
/// await store.receive(case: Tracking.moved) { $0.fixes = 1 }
/// ```
///
/// Every iterator receives the elements that are sent after its creation. Elements that are sent while there is no
/// iterator wait for the next iterator. When `send`, `finish` or `fail` returns, all work inside a ``TestStore`` that
/// follows from it has finished.
public final class ScriptedSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// An event of an iterator.
  private enum Event {
    case element(Element)
    case end
    case failure(any Error)

    var isEnd: Bool { if case .element = self { false } else { true } }
  }

  private struct Reader {
    var events: [Event] = []
    var continuation: CheckedContinuation<Event, Never>?
    /// Whether the end waits for the reader. Later events belong to the next one.
    var isAtEnd: Bool { events.last?.isEnd == true }
  }

  private struct Contents {
    var count = 0
    var readers: [Int: Reader] = [:]
    var early: [Event] = []
    var executors = PumpExecutors()
  }

  private let contents = Locked(Contents())

  /// Creates a sequence without elements.
  public init() {}

  /// The number of active iterators, for example 1 while one feed is open.
  public var readerCount: Int { contents.withLock { $0.readers.count } }

  /// Sends an element to every iterator.
  public nonisolated(nonsending) func send(_ element: Element) async {
    await deliver(.element(element))
  }

  /// Ends the sequence for all current iterators, or for the next one if there is none. An iterator after that starts a
  /// new sequence.
  public nonisolated(nonsending) func finish() async {
    await deliver(.end)
  }

  /// Lets all current iterators throw, or the next one if there is none. An iterator after that starts a new sequence.
  public nonisolated(nonsending) func fail(_ error: any Error) async {
    await deliver(.failure(error))
  }

  /// The same elements as a stream, for APIs that need one.
  public var stream: AsyncThrowingStream<Element, any Error> {
    let iterator = makeAsyncIterator()
    return AsyncThrowingStream { try await iterator.next() }
  }

  /// Returns an iterator over the elements that are sent from now on, and those that wait for an iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(sequence: self, number: open())
  }

  /// An iterator of a ``ScriptedSequence`` for one consumer.
  public final class Iterator: AsyncIteratorProtocol, Sendable {
    private let sequence: ScriptedSequence
    private let number: Int

    fileprivate init(sequence: ScriptedSequence, number: Int) {
      self.sequence = sequence
      self.number = number
    }

    deinit {
      sequence.close(number)
    }

    /// Returns the next element, or `nil` at the end or if the task is cancelled.
    public func next() async throws -> Element? {
      try await sequence.next(number)
    }
  }

  // MARK: Readers

  private func open() -> Int {
    contents.withLock { contents in
      contents.count += 1
      let end = contents.early.firstIndex(where: \.isEnd)
      let count = end.map { $0 + 1 } ?? contents.early.count
      contents.readers[contents.count] = Reader(events: Array(contents.early.prefix(count)))
      contents.early.removeFirst(count)
      return contents.count
    }
  }

  private func close(_ number: Int) {
    contents.withLock { $0.readers.removeValue(forKey: number) }?.continuation?.resume(returning: .end)
  }

  private func next(_ number: Int) async throws -> Element? {
    let executor = PumpExecutor.current
    contents.withLock { $0.executors.insert(executor) }
    let wait = PumpExecutor.beginWait("waiting for the next \(Element.self) of a ScriptedSequence")
    defer { wait?.end() }
    let event = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event: Event? = contents.withLock { contents in
          guard contents.readers[number] != nil else { return .end }
          if contents.readers[number]?.events.isEmpty == false { return contents.readers[number]?.events.removeFirst() }
          contents.readers[number]?.continuation = continuation
          return nil
        }
        if let event { continuation.resume(returning: event) }
        // The handler may have run before the reader was stored.
        if Task.isCancelled { close(number) }
      }
    } onCancel: {
      close(number)
    }
    switch event {
    case .element(let element): return element
    case .end:
      close(number)
      return nil
    case .failure(let error):
      close(number)
      throw error
    }
  }

  private nonisolated(nonsending) func deliver(_ event: Event) async {
    await contents.withLock { $0.executors }.pump()
    let waiting = contents.withLock { contents in
      if contents.readers.values.allSatisfy(\.isAtEnd) { contents.early.append(event) }
      var waiting: [CheckedContinuation<Event, Never>] = []
      for number in contents.readers.keys.sorted() {
        if let continuation = contents.readers[number]?.continuation.take() {
          waiting.append(continuation)
          // The task of this reader may run later. It receives nothing after the end.
          if event.isEnd { contents.readers[number] = nil }
        } else if contents.readers[number]?.isAtEnd == false {
          contents.readers[number]?.events.append(event)
        }
      }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: event) }
    await contents.withLock { $0.executors }.pump()
  }
}
