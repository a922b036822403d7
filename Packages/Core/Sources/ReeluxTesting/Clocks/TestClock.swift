import ReeluxCore

/// A clock whose time stands still until the test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let store = TestStore(initialState: Search(), feature: .search(clock: clock))
/// await store.send(.typed("metropolis")) { $0.text = "metropolis" }
/// await clock.advance(by: .milliseconds(300))
/// await store.receive(.found(["metropolis-1927"])) { $0.results = ["metropolis-1927"] }
/// ```
///
/// Sleepers wake one after the other, by deadline and, for equal deadlines, in
/// the order in which they fell asleep. Between two of them, everything that
/// the first one led to inside a ``TestStore`` has happened: a timer that
/// sleeps again within the time that is being advanced ticks again.
///
/// Sleepers outside a test store, in tasks of the ordinary executor, wake in
/// the same order, but nothing waits for what they do then. For those there is
/// ``sleepers(atLeast:timeout:fileID:filePath:function:line:column:)``, and an awaited result.
public final class TestClock: Clock {
  /// The time since the clock was made.
  public typealias Instant = TestInstant

  private struct Contents {
    var now = TestInstant()
    var count = 0
    /// Sorted: the next to wake first.
    var sleepers: [Sleeper] = []
    var executors = PumpExecutors()
  }

  private struct Sleeper {
    let number: Int
    let deadline: TestInstant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let contents = Locked(Contents())
  private let bell = Bell()

  /// A clock at its beginning.
  public init() {}

  /// The time that the test has moved the clock to.
  public var now: TestInstant { contents.withLock { $0.now } }

  /// The shortest step; this clock has none that is too short.
  public var minimumResolution: Duration { .zero }

  /// The deadlines that are being slept for, the next one first.
  public var sleepers: [TestInstant] { contents.withLock { $0.sleepers.map(\.deadline) } }

  /// Returns when the clock was moved to `deadline`; at once if it is there already.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: TestInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let executor = PumpExecutor.current
    let number = contents.withLock { contents in
      contents.count += 1
      contents.executors.insert(executor)
      return contents.count
    }
    let wait = PumpExecutor.beginWait("asleep on a TestClock until \(deadline)")
    defer { PumpExecutor.endWait(wait) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(number: number, deadline: deadline, continuation: continuation))
        // The handler may have run before there was anything to remove.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Moves the clock, and wakes the sleepers whose deadlines it reaches.
  ///
  /// A negative duration is zero.
  public nonisolated(nonsending) func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a point in time, and wakes the sleepers whose deadlines it reaches.
  ///
  /// An earlier point than now is now.
  public nonisolated(nonsending) func advance(to instant: TestInstant) async {
    await settle()
    while let sleeper = next(upTo: instant) {
      sleeper.continuation.resume()
      await settle()
    }
    contents.withLock { $0.now = max($0.now, instant) }
  }

  /// Moves the clock from deadline to deadline until no task sleeps.
  ///
  /// - Parameter limit: How many sleepers it wakes at most, since a timer never ends; the rest goes
  ///   on sleeping.
  /// - Returns: Whether no task sleeps.
  @discardableResult
  public nonisolated(nonsending) func run(limit: Int = 10_000) async -> Bool {
    await settle()
    var count = 0
    while count < limit, let sleeper = next(upTo: nil) {
      sleeper.continuation.resume()
      await settle()
      count += 1
    }
    return sleepers.isEmpty
  }

  /// Returns when at least so many tasks sleep, at once if they do already: for tasks of the ordinary executor.
  ///
  /// - Parameter timeout: After what time, in real seconds, it fails the test.
  public nonisolated(nonsending) func sleepers(
    atLeast count: Int, timeout: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    if await bell.wait(until: { sleepers.count >= count }, timeout: timeout) { return }
    FailureReporter().fail(
      "\(Wording.count(count, "task")) should sleep, but within \(timeout) there were \(sleepers.count).",
      at: TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  private func add(_ sleeper: Sleeper) {
    let isAwake = contents.withLock { contents in
      if sleeper.deadline <= contents.now { return true }
      let place = contents.sleepers.firstIndex {
        ($0.deadline, $0.number) > (sleeper.deadline, sleeper.number)
      }
      contents.sleepers.insert(sleeper, at: place ?? contents.sleepers.endIndex)
      return false
    }
    if isAwake { sleeper.continuation.resume() } else { bell.ring() }
  }

  private func cancel(_ number: Int) {
    let sleeper = contents.withLock { contents in
      contents.sleepers.firstIndex { $0.number == number }.map { contents.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Takes the next sleeper out, with the clock moved to its deadline.
  private func next(upTo instant: TestInstant?) -> Sleeper? {
    contents.withLock { contents in
      guard let sleeper = contents.sleepers.first, instant.map({ sleeper.deadline <= $0 }) ?? true else { return nil }
      contents.sleepers.removeFirst()
      contents.now = max(contents.now, sleeper.deadline)
      return sleeper
    }
  }

  /// Lets everything happen that can happen now inside the test stores whose effects slept here.
  private nonisolated(nonsending) func settle() async {
    await contents.withLock { $0.executors }.pump()
  }
}
