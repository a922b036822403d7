public import ReeluxCore

/// A recorder of actions and their sources, in the order of their arrival.
///
/// Use it in place of an `ActionHandler` or a `Send`, or add its feature to any store.
///
/// ```swift
/// let recorder = DispatchRecorder<Search>()
/// await search.type("metropolis", into: recorder.send)
/// #expect(recorder.actions == [.typed("metropolis")])
/// ```
public final class DispatchRecorder<Action: Sendable>: ActionHandler {
  private let contents = Locked<[DispatchedAction<Action>]>([])
  private let changes = ChangeCounter()

  /// Creates an empty recorder.
  public init() {}

  /// The recorded actions with their sources.
  public var dispatched: [DispatchedAction<Action>] { contents.withLock { $0 } }

  /// The recorded actions without their sources.
  public var actions: [Action] { dispatched.map(\.action) }

  /// Records an action.
  public func dispatch(_ action: Action, from source: ActionSource) {
    contents.withLock { $0.append(DispatchedAction(action, source: source)) }
    changes.add()
  }

  /// A sender for effects and feeds that records their actions.
  public var send: Send<Action> {
    Send { [self] in dispatch($0, from: $1) }
  }

  /// A feature that only records the actions that reach it.
  public func feature<State: Sendable>(of state: State.Type = State.self) -> Feature<Action, State> {
    Feature(
      middleware: Middleware { [self] action, source, _ in
        dispatch(action, from: source)
        return .none
      })
  }

  /// Returns when at least `count` actions have been recorded.
  ///
  /// - Parameter timeout: The longest real time to wait. After it, the test fails. Default: 60 seconds.
  public nonisolated(nonsending) func actions(
    atLeast count: Int, timeout: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    if await changes.wait(until: { dispatched.count >= count }, timeout: timeout) { return }
    FailureReporter().fail(
      "\(Wording.count(count, "action")) should have arrived, but within \(timeout) there were \(dispatched.count).",
      at: TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  /// Removes all recorded actions.
  public func removeAll() {
    contents.withLock { $0 = [] }
  }
}
