public import ReeluxCore
public import ReeluxDiff

/// A real store under the control of a test. It runs one feature without the rest of the app.
///
/// ```swift
/// @Test func aFailedSaveGoesBackToTheConfirmedRating() async {
///   let save = ScriptedCalls<Stars, Void>()
///   let store = TestStore(initialState: Rating(), feature: .rating(save: { try await save($0) }))
///   await store.send(.rate(.four)) { $0.shown = .four }
///   await save.fail(Offline())
///   await store.receive(.refused("Offline()")) {
///     $0.shown = nil
///     $0.problem = "Offline()"
///   }
/// }
/// ```
///
/// The test store uses the same store as an app, with its queue, effects and feeds. There are two
/// differences. After 10,000 actions that led to each other, the next one is dropped, and the test fails. And an
/// executor of the test store runs the tasks of effects and feeds. It runs them only while the test waits in a method
/// of the test store, or of ``TestClock``, ``ScriptedCalls`` or ``ScriptedSequence``. So when `send` returns, each
/// effect has ended, or waits for the clock, for a scripted call or for work outside of the test. No test sleeps or
/// polls.
///
/// A test must state each change of the state and each action of an effect. At the end, no effect may be running and no
/// feed may be open. The end is ``assertFinished(timeout:fileID:filePath:function:line:column:)``, or the release of
/// the test store. Change ``exhaustivity`` to turn off single checks. States and actions that are not `Equatable` are
/// compared by structure.
///
/// It works under Swift Testing and XCTest.
public final class TestStore<Action: Sendable, State: Sendable>: Sendable {
  struct Settings {
    var exhaustivity: Exhaustivity
    var showSkipped = false
    var inspectionBudget = InspectionBudget(changes: 20)
    /// The state after the last asserted action.
    var asserted: State
    var isFinished = false
    /// `nil` only while the test store is released.
    var store: Store<Action, State>?
  }

  let settings: Locked<Settings>
  let changes: ChangeCounter
  let executor: PumpExecutor
  let recorder: PipelineRecorder<Action, State>
  let reporter = FailureReporter()
  let creationPlace: TestPlace

  /// Creates a store of a feature, starts its middlewares and opens its feeds.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first action.
  ///   - feature: The feature under test.
  ///   - emits: When observers are notified; see `Store`.
  ///   - exhaustivity: The checks. Default: all.
  ///   - carries: The task-local values that the store carries from a dispatch to its effects. Default: none.
  public init(
    initialState: State, feature: Feature<Action, State>, emits: ShouldEmitValue<State> = .whenReduced,
    exhaustivity: Exhaustivity = .all, carries: [CarriedTaskLocal] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) {
    changes = ChangeCounter()
    executor = PumpExecutor(changes: changes)
    recorder = PipelineRecorder(changes: changes)
    creationPlace = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let store = Store(
      initialState: initialState, feature: recorder.recording(feature), emits: emits,
      runawayGuard: recorder.runawayGuard, effectExecutor: executor, carries: carries)
    settings = Locked(Settings(exhaustivity: exhaustivity, asserted: initialState, store: store))
    if case .endless = executor.pumpIfFree() { failEndless(creationPlace) }
    failRunaway(creationPlace)
  }

  /// Creates a store of a reducer and a middleware.
  public convenience init(
    initialState: State, reducer: Reducer<Action, State>,
    middleware: Middleware<Action, Action, State> = .identity, emits: ShouldEmitValue<State> = .whenReduced,
    exhaustivity: Exhaustivity = .all, carries: [CarriedTaskLocal] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      initialState: initialState, feature: Feature(reducer: reducer, middleware: middleware), emits: emits,
      exhaustivity: exhaustivity, carries: carries, fileID: fileID, filePath: filePath, function: function, line: line,
      column: column)
  }

  deinit {
    _ = executor.pumpIfFree()
    if !settings.withLock({ $0.isFinished }) { failLeftovers(creationPlace) }
    // The store is released first, so that its effects end here.
    releaseStore()
    _ = executor.pumpIfFree()
    executor.release()
  }

  private func releaseStore() {
    let store = settings.withLock { $0.store.take() }
    withExtendedLifetime(store) {}
  }

  // MARK: The store and its states

  /// The real store, for observers, projections and other uses in a test.
  ///
  /// If you dispatch to it directly, call ``settle(fileID:filePath:function:line:column:)`` afterwards. Such an action
  /// is received like an action of an effect.
  public var store: Store<Action, State> {
    guard let store = settings.withLock({ $0.store }) else { preconditionFailure("The test store has been released.") }
    return store
  }

  /// The state after the last asserted action.
  ///
  /// If some actions have not been received yet, the real store has a newer state: the state of ``store``.
  public var state: State { settings.withLock { $0.asserted } }

  /// All actions that have passed the pipeline, in order, as the interceptors returned them.
  public var history: [DispatchedAction<Action>] { recorder.history }

  /// The checks of this store.
  public var exhaustivity: Exhaustivity {
    get { settings.withLock { $0.exhaustivity } }
    set { settings.withLock { $0.exhaustivity = newValue } }
  }

  /// The limits of the differences in messages.
  ///
  /// It does not change whether two states are equal. Default: 20 changes, and otherwise the standard budget.
  public var inspectionBudget: InspectionBudget {
    get { settings.withLock { $0.inspectionBudget } }
    set { settings.withLock { $0.inspectionBudget = newValue } }
  }

  /// Whether skipped checks are reported. They do not fail the test. Default: false.
  public var showSkipped: Bool {
    get { settings.withLock { $0.showSkipped } }
    set { settings.withLock { $0.showSkipped = newValue } }
  }

  // MARK: Sending

  /// Sends an action, and compares its changes of the state with the expected ones.
  ///
  /// Returns when each effect of the action has ended, or waits for the clock or for work outside of the test.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - info: A text for the `info` of the action's source. Default: none.
  ///   - expected: Changes the state before the action to the expected state. Without it, no change is expected.
  /// - Returns: A handle to wait for the effects of the action or to cancel them.
  @discardableResult public nonisolated(nonsending) func send(
    _ action: Action, info: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    function: StaticString = #function, line: UInt = #line, column: UInt = #column,
    _ expected: ((inout State) throws -> Void)? = nil
  ) async -> TestTask<Action, State> {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    await settle(place)
    skipReceived(before: "sending \(Wording.action(action))", place)
    let (task, sent) = await perform(action, info: info, place)
    if let first = sent.first, let last = sent.last {
      verify(Wording.action(action), before: first.before, after: last.after, expected, place)
    } else {
      verify("\(Wording.action(action)) (which an interceptor dropped)", before: state, after: state, expected, place)
    }
    return TestTask(task: task, testStore: self)
  }

  /// Sends an action without comparing states, and returns the records of the pipeline.
  nonisolated(nonsending) func perform(
    _ action: Action, info: String? = nil, _ place: TestPlace
  ) async -> (ActionTask, [ActionRecord<Action, State>]) {
    settings.withLock { $0.isFinished = false }
    recorder.expect(ActionSource(info: info, file: place.fileID, function: place.function, line: place.line))
    let task = store.dispatch(action, info: info, file: place.fileID, function: place.function, line: place.line)
    // Another thread may be running the pipeline.
    await task.reduced()
    let sent = recorder.takeSent()
    await settle(place)
    return (task, sent)
  }

  /// Runs effects until each has ended, or waits for the clock or for work outside of the test.
  ///
  /// This is needed only after an action that was not sent through the test store.
  public nonisolated(nonsending) func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
  ) async {
    await settle(
      TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  nonisolated(nonsending) func settle(_ place: TestPlace) async {
    if await !executor.pump() { failEndless(place) }
    failRunaway(place)
  }
}
