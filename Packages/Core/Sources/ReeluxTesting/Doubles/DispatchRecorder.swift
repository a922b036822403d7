public import ReeluxCore

/// Writes down actions and their sources, in the order in which they come.
///
/// Use it where an `ActionHandler` or a `Send` is wanted, or put its feature
/// into a store of any kind.
///
/// ```swift
/// let recorder = DispatchRecorder<Search>()
/// await search.type("metropolis", into: recorder.send)
/// #expect(recorder.actions == [.typed("metropolis")])
/// ```
public final class DispatchRecorder<Action: Sendable>: ActionHandler {
  private let contents = Locked<[DispatchedAction<Action>]>([])
  private let bell = Bell()

  /// A recorder of nothing yet.
  public init() {}

  /// What came so far, with sources.
  public var dispatched: [DispatchedAction<Action>] { contents.withLock { $0 } }

  /// What came so far, without sources.
  public var actions: [Action] { dispatched.map(\.action) }

  /// Writes an action down.
  public func dispatch(_ action: Action, from source: ActionSource) {
    contents.withLock { $0.append(DispatchedAction(action, source: source)) }
    bell.ring()
  }

  /// A sender, as effects and feeds get it, that writes down what is sent.
  public var send: Send<Action> {
    Send { [self] in dispatch($0, from: $1) }
  }

  /// A feature that does nothing but write down the actions that come to its place in a store.
  public func feature<State: Sendable>(of state: State.Type = State.self) -> Feature<Action, State> {
    Feature(
      middleware: Middleware { [self] action, source, _ in
        dispatch(action, from: source)
        return .none
      })
  }

  /// Returns when so many actions have come, at once if they have already.
  ///
  /// - Parameter timeout: After what time, in real seconds, it fails the test.
  public nonisolated(nonsending) func actions(
    atLeast count: Int, timeout: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    if await bell.wait(until: { dispatched.count >= count }, timeout: timeout) { return }
    FailureReporter().fail(
      "\(Wording.count(count, "action")) should have come, but within \(timeout) there were \(dispatched.count).",
      at: TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
  }

  /// Forgets what came so far.
  public func removeAll() {
    contents.withLock { $0 = [] }
  }
}
