import ReeluxCore

/// The handles that wait until their intents are confirmed or have failed.
///
/// Each wait reads the state to decide whether it has ended. So an additional check is harmless, and elements of a
/// collection may share one value of this type.
final class FavoritesSettling<ID: Hashable & Sendable>: Sendable {
  private struct Waits {
    var items: [ID: [Wait]] = [:]
    var whole: [Wait] = []
  }

  /// The wait of one handle.
  ///
  /// Its states are *open*, *awaited* (a task is suspended) and *ended*.
  final class Wait: Sendable {
    private struct Contents {
      var isEnded = false
      var continuation: CheckedContinuation<Void, Never>?
    }

    let isAtEnd: @Sendable () -> Bool
    private let contents = Locked(Contents())

    init(isAtEnd: @escaping @Sendable () -> Bool) { self.isAtEnd = isAtEnd }

    var isEnded: Bool { contents.withLock(\.isEnded) }

    func end() {
      let continuation = contents.withLock { contents in
        contents.isEnded = true
        return contents.continuation.take()
      }
      continuation?.resume()
    }

    func value() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isEnded = contents.withLock { contents in
            if !contents.isEnded { contents.continuation = continuation }
            return contents.isEnded
          }
          if isEnded { continuation.resume() }
        }
      } onCancel: {
        end()
      }
    }
  }

  private let waits = Locked(Waits())

  /// An effect that ends when the item is not pending, and no fetch is running or delayed. With `nil`, it ends when no
  /// request, delay or fetch of any item is in progress.
  func wait(for id: ID?, _ state: GetState<FavoritesState<ID>>) -> Effect<FavoritesAction<ID>> {
    let wait = Wait { Self.isAtEnd(id, state()) }
    // After the reducer has run, the state contains the result of the intent. No response can have arrived yet.
    return .afterReducer { [self] _ in
      if wait.isAtEnd() { return wait.end() }
      waits.withLock { waits in
        // Under an id such as `Double.nan`, the wait would not be found again.
        if let id, id == id { waits.items[id, default: []].append(wait) } else { waits.whole.append(wait) }
      }
    }
      <> .run { [self] _ in
        // This action may have taken back an earlier intent, whose wait then ends.
        if let id { recheck([id], state) } else { recheckAll(state) }
        await wait.value()
      }
  }

  private static func isAtEnd(_ id: ID?, _ state: FavoritesState<ID>) -> Bool {
    if state.isSettled { return true }
    guard let id, !state.load.isUnderWay else { return false }
    return !state.isPending(id)
  }

  /// Ends the waits for an item, and those for all items, if their condition holds.
  ///
  /// This runs in a task and not as after-reducer work. When a caller resumes after awaiting a handle, all features of
  /// the app, such as a recorder, have therefore processed the response.
  func check(_ id: ID, _ state: GetState<FavoritesState<ID>>) -> Effect<FavoritesAction<ID>> {
    .run { [self] _ in recheck([id], state) }
  }

  /// Ends all waits whose condition holds. This runs in a task.
  func checkAll() -> Effect<FavoritesAction<ID>> {
    .run { [self] _ in recheckAll() }
  }

  /// Ends all waits whose condition holds; see ``recheck(_:_:)``.
  func recheckAll(_ state: GetState<FavoritesState<ID>>? = nil) {
    recheck(waits.withLock { Array($0.items.keys) }, state)
  }

  /// Ends the waits for these items, and those for all items, if their condition holds.
  ///
  /// If a state is given, only the waits whose condition holds in this state are checked. The other waits cannot end,
  /// and there may be many of them.
  private func recheck(_ ids: [ID], _ state: GetState<FavoritesState<ID>>?) {
    let now = state?()
    let isSettled = now?.isSettled ?? true
    let ids = ids.filter { id in now.map { Self.isAtEnd(id, $0) } ?? true }
    let candidates = waits.withLock { waits in
      ids.flatMap { waits.items[$0] ?? [] } + (isSettled ? waits.whole : [])
    }
    let ended = candidates.filter { $0.isEnded || $0.isAtEnd() }
    // Most checks end no wait, and there may be many waits.
    if ended.isEmpty { return }
    for wait in ended { wait.end() }
    waits.withLock { waits in
      for id in ids {
        waits.items[id]?.removeAll(where: \.isEnded)
        if waits.items[id]?.isEmpty == true { waits.items[id] = nil }
      }
      waits.whole.removeAll(where: \.isEnded)
    }
  }
}
