/// A handle of a dispatched action. A caller can wait for the action's effects or cancel them.
///
/// Ignoring the handle costs nothing.
public struct ActionTask: Sendable {
  @usableFromInline enum Progress: Sendable {
    /// There is nothing to wait for.
    case finished
    /// The group of the action's effects is known.
    case group(EffectGroup, isQueued: Bool)
    /// Only the action's number in the queue is known.
    case queued(UInt64)
  }

  @usableFromInline let progress: Progress
  /// The store; `nil` if no store handled the action.
  ///
  /// It is a separate property and not part of `progress`, so ignoring the handle needs no switch.
  @usableFromInline let host: (any RootPipeline)?

  @inlinable init(_ progress: Progress, _ host: (any RootPipeline)?) {
    self.progress = progress
    self.host = host
  }

  /// Returns when the action has been reduced and observed. Its effects have started and may still run.
  ///
  /// On an idle store, the action is reduced when `dispatch` returns. On a busy store, this waits for the actions that
  /// are in the queue now. An action that an interceptor drops, or that is discarded with the store, counts as reduced.
  ///
  /// ```swift
  /// await store.dispatch(.rename("Metropolis")).reduced()
  /// print(store.state.name)
  /// ```
  nonisolated(nonsending) public func reduced() async {
    if isQueued { await host?.barrier() }
  }

  /// Returns when the action has been processed and everything that follows from it has ended.
  ///
  /// This includes its effects, their actions, the effects of these actions, and so on. It does not include feeds,
  /// which end when the state no longer requires them. When it returns, another thread may still process other actions.
  /// The next dispatched action may therefore wait in the queue. To wait until that action is reduced, await its
  /// ``reduced()``. Cancelling the task that waits does not end the wait.
  nonisolated(nonsending) public func finish() async {
    if case .queued = progress { await host?.barrier() }
    if let host, let group { await host.effects.wait(for: group) }
  }

  /// Whether everything that follows from the action has ended, for an idle store or a test store.
  package var isFinished: Bool { group?.isLive != true }

  /// The group of the action's effects, if it is known. It may have ended.
  private var group: EffectGroup? {
    switch progress {
    case .finished: nil
    case .group(let group, _): group
    case .queued(let ticket): host?.effects.group(ticket: ticket)
    }
  }

  private var isQueued: Bool {
    switch progress {
    case .finished, .group(_, isQueued: false): false
    case .group(_, isQueued: true), .queued: true
    }
  }

  /// The handle of an action without effects.
  @inlinable package static var complete: ActionTask { ActionTask(.finished, nil) }

  /// The stage of the action when ``whenReduced(_:)`` was called.
  package enum Stage: Sendable {
    /// The action has been reduced and observed.
    case complete
    /// The action is in the queue, and another thread runs the pipeline.
    case queued
    /// The action is in the queue, and the calling thread runs the pipeline. Waiting for the action would never end.
    case queuedByPipeline
  }

  /// Calls `body` on the thread that runs the pipeline when the action has been reduced and observed, unless this has
  /// happened already.
  ///
  /// A view uses it to wait for its own action. If the store is released first, `body` is released without a call.
  package func whenReduced(_ body: @escaping @Sendable () -> Void) -> Stage {
    guard isQueued, let host else { return .complete }
    let isRunByCallingThread = host.isRunByCallingThread
    host.perform("waited for an action", body)
    return isRunByCallingThread ? .queuedByPipeline : .queued
  }

  /// Cancels all running effects that follow from the action, including effects of follow-up actions. The cost grows
  /// with the number of running effects and open feeds of the store.
  public func cancel() {
    guard let host else { return }
    host.diagnoseReducer("cancelled an action's effects")
    if case .queued(let ticket) = progress {
      host.effects.cancel(ticket: ticket)
      host.perform("cancelled an action's effects") { host.effects.forget(ticket: ticket) }
    } else if let group {
      host.effects.cancel(group)
    }
  }
}

extension RootPipeline {
  /// Calls `body` on the pipeline when everything that is now in the queue has been processed, and then returns. If the
  /// store was released, `body` is not called.
  nonisolated(nonsending) func barrier(_ body: @escaping @Sendable () -> Void = {}) async {
    await WaitingTasks.suspend { task in
      // The task continues when the item of the queue that holds it has been processed or discarded.
      let barrier = MemoryCell(WaitingTasks())
      barrier.value.take(&task)
      perform("waited for the queue") { withExtendedLifetime(barrier, body) }
    }
  }
}

/// An action handler that returns a handle for an action with a known source: a store, a projection, a child store.
///
/// `dispatch(_:from:)` of ``ActionHandler`` returns no handle, so other handlers are easy to implement.
package protocol ActionTaskProvider<Action>: ActionHandler {
  /// Sends the action.
  func send(_ action: Action, from source: ActionSource) -> ActionTask
}
