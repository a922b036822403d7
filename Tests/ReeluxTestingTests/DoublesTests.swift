import ReeluxCore
import ReeluxTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct DoublesTests {
  @Test func theSameSeedGivesTheSameNumbers() {
    var first = SeededRandom(seed: 7)
    let second = SeededRandom(seed: 7)
    #expect(
      (0..<100).map { _ in Int.random(in: 1...6, using: &first) } == (0..<100).map { _ in second.integer(in: 1...6) })
    #expect(SeededRandom(seed: 1).next() == 0x910A_2DEC_8902_5CC1)
    #expect(SeededRandom(seed: 1).split().next() != SeededRandom(seed: 1).next())
    let random = SeededRandom(seed: 3)
    #expect((0..<1000).count { _ in random.chance(0.25) } == 250)
    #expect(random.element(of: [Int]()) == nil)
  }

  @Test func aRecorderKeepsActionsAndSources() async {
    let recorder = DispatchRecorder<Int>()
    recorder.dispatch(1)
    recorder.send(2, info: "two")
    #expect(recorder.actions == [1, 2])
    #expect(
      recorder.dispatched.map(\.source) == [ActionSource(line: #line - 3), ActionSource(info: "two", line: #line - 2)])
    Task { recorder.dispatch(3) }
    await recorder.actions(atLeast: 3)
    #expect(recorder.actions == [1, 2, 3])
    recorder.removeAll()
    #expect(recorder.actions.isEmpty)
  }

  @Test func callsAreAnsweredInAnyOrder() async throws {
    let calls = ScriptedCalls<Int, String>()
    let first = Task { try await calls(1) }
    await calls.pending(atLeast: 1)
    let second = Task { try await calls(2) }
    await calls.pending(atLeast: 2)
    #expect(calls.pending == [1, 2])
    await calls.succeed("two", at: 1)
    #expect(try await second.value == "two")
    await calls.fail(Offline())
    await #expect(throws: Offline.self) { try await first.value }
    #expect(calls.requests == [1, 2])
  }

  @Test func preparedAnswersAreGivenInTheirOrder() async throws {
    let calls = ScriptedCalls<Int, String>()
    calls.prepare(.success("a"))
    calls.prepare(.failure(Offline()))
    #expect(try await calls(1) == "a")
    await #expect(throws: Offline.self) { try await calls(2) }
  }

  @Test func aCancelledCallThrowsUnlessItIgnoresThat() async throws {
    let calls = ScriptedCalls<Int, String>()
    let call = Task { try await calls(1) }
    await calls.pending(atLeast: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(calls.pending.isEmpty)

    let late = ScriptedCalls<Int, String>(ignoresCancellation: true)
    let lateCall = Task { try await late(1) }
    await late.pending(atLeast: 1)
    lateCall.cancel()
    await late.succeed("late")
    #expect(try await lateCall.value == "late")
  }

  @Test func everyReaderOfAScriptedSequenceGetsWhatIsSent() async throws {
    let sequence = ScriptedSequence<Int>()
    await sequence.send(0)
    let first = sequence.makeAsyncIterator()
    let second = sequence.makeAsyncIterator()
    #expect(sequence.readerCount == 2)
    await sequence.send(1)
    await sequence.fail(Offline())
    #expect(try await first.next() == 0)
    #expect(try await first.next() == 1)
    #expect(try await second.next() == 1)
    await #expect(throws: Offline.self) { try await second.next() }
    #expect(try await second.next() == nil)
    #expect(sequence.readerCount == 1)
  }

  @Test func aScriptedSequenceEnds() async throws {
    let sequence = ScriptedSequence<Int>()
    let stream = sequence.stream
    await sequence.send(1)
    await sequence.finish()
    var elements: [Int] = []
    for try await element in stream { elements.append(element) }
    #expect(elements == [1])
    #expect(sequence.readerCount == 0)
  }

  @Test func aCancelledReaderEnds() async throws {
    let sequence = ScriptedSequence<Int>()
    let task = Task { for try await _ in sequence {} }
    task.cancel()
    try await task.value
    #expect(sequence.readerCount == 0)
  }

  @Test func anIteratorThatGoesAwayIsNoReader() {
    let sequence = ScriptedSequence<Int>()
    do {
      let iterator = sequence.makeAsyncIterator()
      #expect(sequence.readerCount == 1)
      withExtendedLifetime(iterator) {}
    }
    #expect(sequence.readerCount == 0)
  }

  @Test func whatIsSentAfterAnEarlyEndWaitsForTheNextIterator() async throws {
    let sequence = ScriptedSequence<Int>()
    await sequence.finish()
    await sequence.send(1)
    await sequence.fail(Offline())
    let first = sequence.makeAsyncIterator()
    #expect(try await first.next() == nil)
    let second = sequence.makeAsyncIterator()
    await sequence.finish()
    #expect(try await second.next() == 1)
    await #expect(throws: Offline.self) { try await second.next() }
  }

  @Test func whatIsSentAfterAnEndThatAReaderHasNotReadWaitsForTheNextIterator() async throws {
    let sequence = ScriptedSequence<Int>()
    let first = sequence.makeAsyncIterator()
    await sequence.finish()
    await sequence.send(1)
    #expect(try await first.next() == nil)
    let second = sequence.makeAsyncIterator()
    await sequence.finish()
    #expect(try await second.next() == 1)
    #expect(try await second.next() == nil)
  }

  @Test func whatIsSentAfterAnEndThatAWaitingReaderGotWaitsForTheNextIterator() async throws {
    let sequence = ScriptedSequence<Int>()
    let executor = HeldExecutor()
    let reader = Task(executorPreference: executor) { for try await _ in sequence {} }
    executor.run()
    await sequence.finish()
    await sequence.send(1)
    executor.run()
    try await reader.value
    let next = sequence.makeAsyncIterator()
    await sequence.finish()
    #expect(try await next.next() == 1)
    #expect(try await next.next() == nil)
  }
}

/// An executor that runs its jobs only in `run()`.
private final class HeldExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the jobs until none is left.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
