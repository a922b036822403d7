import ReeluxCore
import ReeluxDiff

/// An asynchronous function for tests. The test responds to each call, in any order.
///
/// Pass it to the feature in place of the function:
///
/// ```swift
/// let save = ScriptedCalls<Int, Void>()
/// let api = RatingsAPI(save: { stars in try await save(stars) })
/// …
/// #expect(save.pending == [4])
/// await save.fail(Offline())
/// ```
///
/// A call waits in ``pending`` until the test responds, or uses a response that the test has prepared. When a method
/// that responds (`succeed` or `fail`) returns, all work inside a ``TestStore`` that follows from the response has
/// finished.
public final class ScriptedCalls<Request: Sendable, Response: Sendable>: Sendable {
  private struct Call {
    let number: Int
    let request: Request
    let continuation: CheckedContinuation<Response, any Error>
  }

  private struct Contents {
    var count = 0
    var requests: [Request] = []
    var calls: [Call] = []
    var prepared: [Result<Response, any Error>] = []
    var executors = PumpExecutors()
  }

  private let contents = Locked(Contents())
  private let changes = ChangeCounter()
  private let ignoresCancellation: Bool

  /// Creates a function without calls.
  ///
  /// - Parameter ignoresCancellation: Whether a call continues to wait if its task is cancelled. This simulates a
  ///   server whose response arrives too late. If false, the call then throws `CancellationError` immediately.
  public init(ignoresCancellation: Bool = false) {
    self.ignoresCancellation = ignoresCancellation
  }

  /// The requests that wait for a response, the oldest first.
  public var pending: [Request] { contents.withLock { $0.calls.map(\.request) } }

  /// All requests so far.
  public var requests: [Request] { contents.withLock { $0.requests } }

  /// Calls the function, which waits for the test's response.
  public func callAsFunction(_ request: Request) async throws -> Response {
    if !ignoresCancellation { try Task.checkCancellation() }
    let executor = PumpExecutor.current
    let (number, prepared) = contents.withLock { contents in
      contents.count += 1
      contents.requests.append(request)
      contents.executors.insert(executor)
      return (contents.count, contents.prepared.isEmpty ? nil : contents.prepared.removeFirst())
    }
    if let prepared { return try prepared.get() }
    let wait = PumpExecutor.beginWait("waiting for the answer to \(ValueText.describing(request))")
    defer { wait?.end() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Call(number: number, request: request, continuation: continuation))
        // The handler may have run before the call was stored.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  // MARK: Answers

  /// Prepares a response for a later call. Several responses are used in their order.
  public func prepare(_ answer: Result<Response, any Error>) {
    contents.withLock { $0.prepared.append(answer) }
  }

  /// Responds to the waiting call at `index` in ``pending``. Default: the oldest call.
  ///
  /// - Returns: Whether a call was waiting at `index`. If not, the test fails.
  @discardableResult public nonisolated(nonsending) func succeed(
    _ response: Response, at index: Int = 0, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async -> Bool {
    await answer(
      .success(response), at: index,
      TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  /// Lets the waiting call at `index` in ``pending`` throw an error. Default: the oldest call.
  ///
  /// - Returns: Whether a call was waiting at `index`. If not, the test fails.
  @discardableResult public nonisolated(nonsending) func fail(
    _ error: any Error, at index: Int = 0, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async -> Bool {
    await answer(
      .failure(error), at: index,
      TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  /// Returns when at least `count` calls wait. Use it for calls from tasks outside of a test store.
  ///
  /// - Parameter timeout: The longest real time to wait. After it, the test fails. Default: 60 seconds.
  public nonisolated(nonsending) func pending(
    atLeast count: Int, timeout: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    if await changes.wait(until: { pending.count >= count }, timeout: timeout) { return }
    FailureReporter().fail(
      "\(Wording.count(count, "call")) should wait for an answer, but within \(timeout) there were \(pending.count).",
      at: TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  private nonisolated(nonsending) func answer(
    _ answer: Result<Response, any Error>, at index: Int, _ place: TestPlace
  ) async -> Bool {
    await contents.withLock { $0.executors }.pump()
    let call = contents.withLock { contents in
      contents.calls.indices.contains(index) ? contents.calls.remove(at: index) : nil
    }
    guard let call else {
      let pending = self.pending
      let list = pending.map { ValueText.describing($0) }.joined(separator: ", ")
      let text =
        pending.isEmpty
        ? "No call waits for an answer. Send the action that makes the call first, or use prepare(_:)."
        : "There is no call number \(index) to answer. Waiting calls: \(list)."
      FailureReporter().fail(text, at: place)
      return false
    }
    call.continuation.resume(with: answer)
    await contents.withLock { $0.executors }.pump()
    return true
  }

  private func add(_ call: Call) {
    contents.withLock { contents in
      // A call whose task runs on another thread may arrive after a call with a larger number. Most arrive in order.
      let previous = contents.calls.lastIndex { $0.number < call.number }
      contents.calls.insert(call, at: previous.map { $0 + 1 } ?? 0)
    }
    changes.add()
  }

  private func cancel(_ number: Int) {
    if ignoresCancellation { return }
    let call = contents.withLock { contents in
      contents.calls.firstIndex { $0.number == number }.map { contents.calls.remove(at: $0) }
    }
    call?.continuation.resume(throwing: CancellationError())
  }
}
