import ReeluxCore

/// The effects of an action that a test has sent. The test can wait for them or cancel them.
public struct TestTask<Action: Sendable, State: Sendable>: Sendable {
  let task: ActionTask
  let testStore: TestStore<Action, State>

  /// Cancels the effects of the action. Returns when all resulting work has finished.
  public nonisolated(nonsending) func cancel(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
  ) async {
    task.cancel()
    await testStore.settle(
      TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  /// Returns when the effects of the action, and the effects that follow from them, have ended. It does not wait for
  /// feeds.
  ///
  /// - Parameter timeout: The longest real time to wait for effects that wait for work outside of the test. Default:
  ///   five seconds. If an effect waits for the test itself, for example for its clock, the test fails immediately. An
  ///   effect that waits for a child task (`async let`, a task group) counts as waiting for work outside.
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
