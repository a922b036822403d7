import ReeluxCore

/// A handle of an action that a ``MainActorStore`` has sent. A caller can wait for the action's effects or cancel them.
///
/// It does the same as an `ActionTask`. When a wait ends, the main-actor store also shows the changes:
///
/// ```swift
/// await store.send(.reload).finish()
/// print(store.films.count)
/// ```
public struct MainActorTask: Sendable {
  private let task: ActionTask
  private let show: @MainActor @Sendable () -> Void

  init(_ task: ActionTask, show: @escaping @MainActor @Sendable () -> Void) {
    self.task = task
    self.show = show
  }

  /// The handle of an action that was dropped, because its part no longer exists.
  static var dropped: MainActorTask { MainActorTask(.complete) {} }

  /// Returns when the action has been reduced and its change is shown. Its effects may still run. With a `StoreType` of
  /// your own, it returns at once.
  @MainActor public func reduced() async {
    await task.reduced()
    show()
  }

  /// Returns when the action and everything that follows from it have ended, and their changes are shown.
  ///
  /// It waits as `ActionTask.finish()` does: for effects, their actions, the effects of these actions, and so on, but
  /// not for feeds. It returns at once if the action was dropped, or with a `StoreType` of your own.
  @MainActor public func finish() async {
    await task.finish()
    show()
  }

  /// Cancels all running effects that follow from the action, including effects of follow-up actions. With a
  /// `StoreType` of your own, it cancels nothing.
  public func cancel() {
    task.cancel()
  }
}
