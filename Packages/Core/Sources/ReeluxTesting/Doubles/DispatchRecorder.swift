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
  private struct Contents {
    var dispatched: [DispatchedAction<Action>] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let contents = Locked(Contents())

  /// A recorder of nothing yet.
  public init() {}

  /// What came so far, with sources.
  public var dispatched: [DispatchedAction<Action>] { contents.withLock { $0.dispatched } }

  /// What came so far, without sources.
  public var actions: [Action] { dispatched.map(\.action) }

  /// Writes an action down.
  public func dispatch(_ action: Action, from source: ActionSource) {
    let waiters = contents.withLock { contents in
      contents.dispatched.append(DispatchedAction(action, source: source))
      let count = contents.dispatched.count
      let waiters = contents.waiters.filter { $0.count <= count }.map(\.continuation)
      contents.waiters.removeAll { $0.count <= count }
      return waiters
    }
    for waiter in waiters { waiter.resume() }
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

  /// Returns when so many actions have come, at once if they have already; it waits without polling.
  public nonisolated(nonsending) func actions(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        if contents.dispatched.count >= count { return true }
        contents.waiters.append((count, continuation))
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Forgets what came so far.
  public func removeAll() {
    contents.withLock { $0.dispatched = [] }
  }
}
