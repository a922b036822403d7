import ReeluxCore

/// A turn of the main actor. At most one is scheduled, however many actions the store processes in the meantime.
///
/// Its states are *clean* and *changed* (the main actor has not read the state since the last change), each with or
/// without a scheduled turn. Only the store's observer marks a change, so a change that the store does not emit is not
/// shown. The main actor clears the mark before it reads the state, so a change after the read is marked again.
final class MainActorTurn: Sendable {
  private struct Contents {
    var isChanged = false
    var isScheduled = false
  }

  private let contents = Locked(Contents())
  /// The work of a turn.
  @MainActor var work: () -> Void = {}

  @MainActor init() {}

  /// Schedules a turn unless one is scheduled.
  ///
  /// The turn is an unstructured task. It has neither the task-local values nor the priority of the calling thread.
  ///
  /// - Parameter isChanged: Whether the state has changed, so that the turn reads it.
  func request(isChanged: Bool = false) {
    let schedules = contents.withLock { contents in
      if isChanged { contents.isChanged = true }
      defer { contents.isScheduled = true }
      return !contents.isScheduled
    }
    guard schedules else { return }
    Task.detached(priority: .high) { @MainActor in
      self.contents.withLock { $0.isScheduled = false }
      self.work()
    }
  }

  /// Whether the state has changed since the main actor last read it.
  var isChanged: Bool { contents.withLock { $0.isChanged } }

  /// Returns whether there was a change since the last call.
  @MainActor
  func takeChange() -> Bool {
    contents.withLock { contents in
      defer { contents.isChanged = false }
      return contents.isChanged
    }
  }
}
