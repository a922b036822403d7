import ReeluxCore

/// The time since the failures of items whose delay cannot begin yet.
///
/// At most ``FavoritesState/delaysAtOnce`` delays run at once. So the delay of an item behind them begins later. It is
/// then shorter by the time since the failure, and all items that failed together are sent again at about the same
/// time. The elements of a collection may share one value of this type. A state that was restored has no entries here,
/// so its delays start again.
final class FavoritesDelays<ID: Hashable & Sendable>: Sendable {
  private struct Key: Hashable {
    var session: String
    var number: Int
    var attempt: Int
  }

  private let elapsed = Locked<[Key: @Sendable () -> Duration]>([:])

  /// Records the time at which these requests failed, if some of their delays cannot begin at once.
  ///
  /// - Parameters:
  ///   - failure: The failure. After a final one, there is no delay.
  ///   - state: The state before the failure.
  func begin(
    _ requests: [FavoritesRequest<ID>], after failure: FavoritesFailure, in state: FavoritesState<ID>,
    clock: any Clock<Duration>
  ) {
    let limit = FavoritesState<ID>.delaysAtOnce
    let waiting = state.bookkeeping.waiting.count
    if waiting <= limit { removeUnneeded(in: state) }
    guard failure.canSucceedLater, waiting + requests.count > limit else { return }
    let session = state.bookkeeping.session.text
    let stopwatch = Self.stopwatch(clock)
    elapsed.withLock { elapsed in
      for request in requests {
        elapsed[Key(session: session, number: request.number, attempt: request.attempt + 1)] = stopwatch
      }
    }
  }

  /// Removes the entries of a state all of whose delays have begun or are about to begin. Only its waiting items still
  /// need theirs.
  private func removeUnneeded(in state: FavoritesState<ID>) {
    if elapsed.withLock(\.isEmpty) { return }
    let session = state.bookkeeping.session.text
    let needed = Set(Self.keys(ofWaitingItemsIn: state))
    elapsed.withLock { $0 = $0.filter { $0.key.session != session || needed.contains($0.key) } }
  }

  /// Removes the entry of an item whose delay begins. Returns the time since its failure; zero if there is no entry.
  func take(number: Int, attempt: Int, of session: FavoritesSession) -> Duration {
    let stopwatch = elapsed.withLock { elapsed in
      elapsed.isEmpty ? nil : elapsed.removeValue(forKey: Key(session: session.text, number: number, attempt: attempt))
    }
    return stopwatch?() ?? .zero
  }

  private static func keys(ofWaitingItemsIn state: FavoritesState<ID>) -> [Key] {
    state.bookkeeping.waiting.compactMap { id in
      guard let item = state.items[id], case .waiting(let attempt, _) = item.phase, let sent = item.sent else {
        return nil
      }
      return Key(session: state.bookkeeping.session.text, number: sent.number, attempt: attempt)
    }
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
