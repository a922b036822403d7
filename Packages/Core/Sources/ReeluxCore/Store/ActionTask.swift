/// What a dispatched action led to: to be waited for, or cancelled.
///
/// It may be thrown away at no cost.
public struct ActionTask: Sendable {
  @usableFromInline
  enum Progress: Sendable {
    case finished
    case group(EffectGroup, any ActionTaskHost, isQueued: Bool)
    case queued(UInt64, any ActionTaskHost)
  }

  @usableFromInline let progress: Progress

  @inlinable
  init(_ progress: Progress) {
    self.progress = progress
  }

  /// Returns when the action has been reduced and observed; its effects have begun, and may still run.
  ///
  /// On an idle store that is so when `dispatch` returns. Otherwise this waits for the actions that are in the queue
  /// now. An action that an interceptor drops, or that the store's end discards, counts as reduced.
  ///
  /// ```swift
  /// await store.dispatch(.rename("Metropolis")).reduced()
  /// print(store.state.name)
  /// ```
  public func reduced() async {
    switch progress {
    case .finished, .group(_, _, isQueued: false): break
    case .group(_, let host, isQueued: true), .queued(_, let host): await host.barrier()
    }
  }

  /// Returns when the action has been processed, and everything that it led to has ended.
  ///
  /// That is: its effects, the actions they sent, those actions' effects, and
  /// so on; not feeds, which end when the state no longer wants them.
  public func finish() async {
    switch progress {
    case .finished: break
    case .group(let group, let host, _): await host.effects.wait(for: group)
    case .queued(let ticket, let host):
      await host.barrier()
      if let group = host.effects.group(ticket: ticket) { await host.effects.wait(for: group) }
    }
  }

  /// Whether everything that it led to has ended; for an idle store, and for a test store.
  package var isFinished: Bool {
    switch progress {
    case .finished: true
    case .group(let group, let host, _): !host.effects.isLive(group)
    case .queued(let ticket, let host): host.effects.group(ticket: ticket) == nil
    }
  }

  /// The handle of an action that leads to nothing.
  package static var complete: ActionTask { ActionTask(.finished) }

  /// How far the action was when ``whenReduced(_:)`` was called.
  package enum Reduction: Sendable {
    /// It is reduced and observed.
    case complete
    /// It is in the queue, and another thread runs the pipeline.
    case queued
    /// It is in the queue, and the calling thread runs the pipeline: waiting for it would never end.
    case queuedByPipeline
  }

  /// Calls `body` on the pipeline when the action is reduced and observed, unless it is so already.
  ///
  /// For a view that waits for its own action. If the store goes first, `body` is released without a call.
  package func whenReduced(_ body: @escaping @Sendable () -> Void) -> Reduction {
    let host: any ActionTaskHost
    switch progress {
    case .finished, .group(_, _, isQueued: false): return .complete
    case .group(_, let queue, isQueued: true), .queued(_, let queue): host = queue
    }
    let isRunByCallingThread = host.isRunByCallingThread
    host.perform("waited for an action", body)
    return isRunByCallingThread ? .queuedByPipeline : .queued
  }

  /// Cancels the effects that it led to and that are still running.
  public func cancel() {
    switch progress {
    case .finished: break
    case .group(let group, let host, _):
      host.diagnoseReducer("cancelled an action's effects")
      host.effects.cancel(group)
    case .queued(let ticket, let host):
      host.perform("cancelled an action's effects") {
        if let group = host.effects.group(ticket: ticket) { host.effects.cancel(group) }
      }
    }
  }
}

/// The store as a waiting action sees it.
@usableFromInline
protocol ActionTaskHost: AnyObject, Sendable {
  var effects: EffectTable { get }
  /// Whether the calling thread runs the pipeline.
  var isRunByCallingThread: Bool { get }
  /// Runs work on the pipeline, in the queue's order.
  func perform(_ deed: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void)
  /// Ends the program if the calling thread is inside a reducer.
  func diagnoseReducer(_ deed: @autoclosure () -> String)
}

extension ActionTaskHost {
  /// Returns when everything that is in the queue now has been processed.
  func barrier() async {
    await withCheckedContinuation { continuation in
      let barrier = Barrier(continuation)
      perform("waited for the queue") { barrier.pass() }
    }
  }
}

/// An action handler that gives a handle for an action whose source is known: a store, a projection, a child store.
///
/// `dispatch(_:from:)` of ``ActionHandler`` gives none, so that a handler of another kind is easy to write.
package protocol ActionTaskProvider<Action>: ActionHandler {
  /// Sends the action.
  func send(_ action: Action, from source: ActionSource) -> ActionTask
}

/// A continuation that is resumed once, by being passed or by being thrown away with a closed queue.
@usableFromInline
final class Barrier: Sendable {
  private let continuation: Locked<CheckedContinuation<Void, Never>?>

  @usableFromInline
  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Locked(continuation)
  }

  deinit { pass() }

  @usableFromInline
  func pass() {
    let waiting = continuation.withLock { $0.take() }
    waiting?.resume()
  }
}
