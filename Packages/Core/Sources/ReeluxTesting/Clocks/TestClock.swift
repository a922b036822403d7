import ReeluxCore

/// A clock whose time changes only when the test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let store = TestStore(initialState: Search(), feature: .search(clock: clock))
/// await store.send(.typed("metropolis")) { $0.text = "metropolis" }
/// await clock.advance(by: .milliseconds(300))
/// await store.receive(.found(["metropolis-1927"])) { $0.results = ["metropolis-1927"] }
/// ```
///
/// Sleeping tasks wake one after the other, in the order of their deadlines. With equal deadlines, they wake in the
/// order in which they began to sleep. Before the next task wakes, the clock waits for all work inside a ``TestStore``
/// that the previous task led to. A timer that sleeps again within the advanced time therefore ticks again.
///
/// Tasks outside of a test store, on the ordinary executor, wake in the same order, but the clock does not wait for
/// their work. For them, use ``sleepers(atLeast:timeout:fileID:filePath:function:line:column:)``, and await their
/// results.
public final class TestClock: Clock {
  /// The time since the clock was created.
  public typealias Instant = TestInstant

  private struct Contents {
    var now = TestInstant()
    var count = 0
    /// Sorted. The first one wakes next.
    var sleepers: [Sleeper] = []
    var executors = PumpExecutors()

    /// Inserts a sleeper at its place. Takes O(log n) comparisons.
    mutating func insert(_ sleeper: Sleeper) {
      var (low, high) = (0, sleepers.count)
      while low < high {
        let middle = (low + high) / 2
        let other = sleepers[middle]
        if (other.deadline, other.number) < (sleeper.deadline, sleeper.number) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      sleepers.insert(sleeper, at: low)
    }
  }

  private struct Sleeper {
    let number: Int
    let deadline: TestInstant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let contents = Locked(Contents())
  private let changes = ChangeCounter()

  /// Creates a clock at time zero.
  public init() {}

  /// The time to which the test has advanced the clock.
  public var now: TestInstant { contents.withLock { $0.now } }

  /// The smallest step: zero.
  public var minimumResolution: Duration { .zero }

  /// The deadlines of the sleeping tasks in ascending order.
  public var sleepers: [TestInstant] { contents.withLock { $0.sleepers.map(\.deadline) } }

  /// Returns when the clock has reached `deadline`, or after a yield if it already has.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: TestInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    // Without a suspension, a loop that does not sleep would never return to the test.
    guard deadline > now else {
      await Task.yield()
      return try Task.checkCancellation()
    }
    let executor = PumpExecutor.current
    let number = contents.withLock { contents in
      contents.count += 1
      contents.executors.insert(executor)
      return contents.count
    }
    let wait = PumpExecutor.beginWait("asleep on a TestClock until \(deadline)")
    defer { wait?.end() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(number: number, deadline: deadline, continuation: continuation))
        // The handler may have run before the sleeper was stored.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Advances the clock, and wakes the tasks whose deadlines it reaches.
  ///
  /// A negative duration counts as zero.
  public nonisolated(nonsending) func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Advances the clock to an instant, and wakes the tasks whose deadlines it reaches.
  ///
  /// An instant before the current time counts as the current time.
  public nonisolated(nonsending) func advance(to instant: TestInstant) async {
    await settle()
    let instant = max(instant, now)
    while let sleeper = next(upTo: instant) {
      sleeper.continuation.resume()
      await settle()
    }
  }

  /// Advances the clock from deadline to deadline until no task sleeps. If it stops at the limit, a note says so.
  ///
  /// - Parameter limit: The largest number of tasks to wake. It is needed because a timer may never end. The other
  ///   tasks continue to sleep. Default: 10,000.
  /// - Returns: Whether no task sleeps.
  @discardableResult public nonisolated(nonsending) func run(
    limit: Int = 10_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async -> Bool {
    await settle()
    var count = 0
    while count < limit, let sleeper = next(upTo: nil) {
      sleeper.continuation.resume()
      await settle()
      count += 1
    }
    let sleepers = sleepers
    guard let next = sleepers.first else { return true }
    let verb = sleepers.count == 1 ? "sleeps" : "sleep"
    FailureReporter().note(
      "run(limit:) stopped after \(Wording.count(count, "wake-up")). \(Wording.count(sleepers.count, "task")) still \(verb). "
        + "The next deadline is \(next). For work without an end, such as a timer, use advance(by:).",
      at: TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
    return false
  }

  /// Returns when at least `count` tasks sleep on this clock. Use it for tasks on the ordinary executor.
  ///
  /// - Parameter timeout: The longest real time to wait. After it, the test fails. Default: 60 seconds.
  public nonisolated(nonsending) func sleepers(
    atLeast count: Int, timeout: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    if await changes.wait(until: { sleepers.count >= count }, timeout: timeout) { return }
    FailureReporter().fail(
      "\(Wording.count(count, "task")) should sleep, but within \(timeout) there were \(sleepers.count).",
      at: TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  private func add(_ sleeper: Sleeper) {
    let isAwake = contents.withLock { contents in
      if sleeper.deadline <= contents.now { return true }
      contents.insert(sleeper)
      return false
    }
    if isAwake { sleeper.continuation.resume() } else { changes.add() }
  }

  private func cancel(_ number: Int) {
    let sleeper = contents.withLock { contents in
      contents.sleepers.firstIndex { $0.number == number }.map { contents.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Removes the next sleeper and advances the clock to its deadline. Without a sleeper, advances the clock to the
  /// instant.
  private func next(upTo instant: TestInstant?) -> Sleeper? {
    contents.withLock { contents in
      guard let sleeper = contents.sleepers.first, instant.map({ sleeper.deadline <= $0 }) ?? true else {
        // A task that begins to sleep after this step compares its deadline with the instant.
        if let instant { contents.now = max(contents.now, instant) }
        return nil
      }
      contents.sleepers.removeFirst()
      contents.now = max(contents.now, sleeper.deadline)
      return sleeper
    }
  }

  /// Runs the pending work of the test stores whose effects slept on this clock.
  private nonisolated(nonsending) func settle() async {
    await contents.withLock { $0.executors }.pump()
  }
}
