import ReeluxCore

/// An action that a test has sent: to wait for what it led to, or to cancel that.
public struct SentAction<Action: Sendable, State: Sendable>: Sendable {
  let task: ActionTask
  let testStore: TestStore<Action, State>

  /// Cancels the effects that the action led to, and lets everything happen that this leads to.
  public nonisolated(nonsending) func cancel() async {
    task.cancel()
    await testStore.settle()
  }

  /// Returns when the effects that the action led to, and theirs, have ended; feeds are not waited for.
  ///
  /// - Parameter timeout: After what time, in real seconds, effects that wait for something outside
  ///   fail the test. Effects that wait for the test itself fail it at once.
  public nonisolated(nonsending) func finish(
    timeout: Duration = .seconds(5), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let isDone = await testStore.settle(
      until: { task.isFinished }, timeout: timeout, waitsForOutside: false, countsFeeds: false, place)
    if !isDone {
      testStore.fail("The action's effects have not ended.\n\n\(testStore.runningText())", at: place)
    }
  }
}
