import ReeluxCore

/// A recorder of the actions that pass a test store's pipeline.
///
/// An interceptor before all others detects the action that the test is sending. The next actions in the pipeline are
/// those that the other interceptors return for this action. A middleware after all others records them as sent by the
/// test.
final class PipelineRecorder<Action: Sendable, State: Sendable>: Sendable {
  typealias Record = ActionRecord<Action, State>

  private struct Contents {
    /// The source of the action that the test is sending, until the pipeline processes it.
    var awaited: ActionSource?
    var isSent = false
    var begun: (action: Action, source: ActionSource, before: State)?
    var sent: [Record] = []
    /// A slice, so that removing the first actions does not move the others.
    var received: ArraySlice<Record> = []
    var history: [DispatchedAction<Action>] = []
    var runaway: DispatchedAction<Action>?
  }

  private let contents = Locked(Contents())
  private let changes: ChangeCounter

  init(changes: ChangeCounter) {
    self.changes = changes
  }

  /// The feature, with the recorder around it.
  func recording(_ feature: Feature<Action, State>) -> Feature<Action, State> {
    let first = Interceptor<Action, State> { [self] _, source, _ in
      contents.withLock { contents in
        contents.isSent = contents.awaited == source
        if contents.isSent { contents.awaited = nil }
      }
      return .pass
    }
    let last = Middleware<Action, Action, State> { [self] action, source, state in
      let before = state()
      contents.withLock { $0.begun = (action, source, before) }
      return .afterReducer { [self] _ in end(after: state()) }
    }
    return Feature(
      reducer: feature.reducer, middleware: feature.middleware <> last, interceptor: first <> feature.interceptor)
  }

  private func end(after: State) {
    contents.withLock { contents in
      guard let (action, source, before) = contents.begun.take() else { return }
      contents.history.append(DispatchedAction(action, source: source))
      let record = Record(
        number: contents.history.count, action: action, source: source, before: before, after: after)
      if contents.isSent { contents.sent.append(record) } else { contents.received.append(record) }
    }
    changes.add()
  }

  /// A guard that stops actions which endlessly lead to further actions, so that the test ends.
  var runawayGuard: RunawayGuard<Action> {
    RunawayGuard(limit: 10_000) { [self] dropped in contents.withLock { $0.runaway = dropped } }
  }

  /// Returns the action that the guard dropped, only once.
  func takeRunaway() -> DispatchedAction<Action>? {
    contents.withLock { $0.runaway.take() }
  }

  // MARK: Sent by the test

  /// Marks the next action with this source as the test's action.
  func expect(_ source: ActionSource) {
    contents.withLock { contents in
      contents.awaited = source
      contents.sent = []
    }
  }

  /// The test's action, or the actions that replaced it; empty if an interceptor dropped it.
  func takeSent() -> [Record] {
    contents.withLock { contents in
      let sent = contents.sent
      contents.sent = []
      return sent
    }
  }

  // MARK: Received

  /// The actions that the test has not received yet.
  var received: ArraySlice<Record> { contents.withLock { $0.received } }

  /// All actions so far.
  var history: [DispatchedAction<Action>] { contents.withLock { $0.history } }

  /// Removes and returns the first `count` received actions.
  func take(_ count: Int) -> ArraySlice<Record> {
    contents.withLock { contents in
      let taken = contents.received.prefix(count)
      contents.received.removeFirst(taken.count)
      // The storage of the slice keeps removed records, and the states in them.
      if contents.received.isEmpty { contents.received = [] }
      return taken
    }
  }
}

extension Wording {
  /// Received actions with their sources, one on each line. After the first ten, the number of the others.
  static func list<Action, State>(_ records: ArraySlice<ActionRecord<Action, State>>) -> String {
    shortened(Array(records)) { "  - \(action($0.action)), sent at \($0.source)" }
  }
}
