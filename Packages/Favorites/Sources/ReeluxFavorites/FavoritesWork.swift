/// A piece of work that a state lists for the middleware.
///
/// Equal states list the same work, whether or not it was started before. So a state that was restored, or whose
/// feature was removed and installed again, lists the same work as before. The feed of a piece of work has the
/// ``FavoritesSession`` of the state in its key. So the work of a state that replaces another one starts, even if the
/// work of the other state has the same numbers.
enum FavoritesWork<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Send these requests as one. The flag shows whether they were started before.
  case request(slot: Int, [FavoritesRequest<ID>], StartFlag)
  /// Cancel the requests in this slot after the time limit. The time limit begins again with each response.
  case requestLimit(slot: Int, [FavoritesRequest<ID>])
  /// Wait before this attempt.
  case delay(ID, number: Int, attempt: Int, after: Duration?)
  /// Fetch the server's favourites. `isAgain`: if this work starts now, the same fetch was started before.
  case fetch(number: Int, isAgain: Bool = false)
  /// Cancel this fetch after the time limit.
  case fetchLimit(number: Int)
  /// Wait before this attempt to fetch.
  case fetchDelay(number: Int, attempt: Int, after: Duration?)
  /// Follow the server's changes. `isAgain`: if this work starts now, it was started before.
  case follow(number: Int, isAgain: Bool = false)
  /// Wait before the changes are followed again.
  case followDelay(number: Int, attempt: Int, after: Duration?)
  /// Report once that no work is left.
  case settled

  /// The identity of a piece of work. The work starts when its key appears, and ends when its key disappears.
  enum Key: Hashable, Sendable {
    case request(slot: Int)
    case requestLimit(slot: Int, missing: Int)
    case delay(number: Int, attempt: Int)
    case fetch(number: Int)
    case fetchLimit(number: Int)
    case fetchDelay(number: Int)
    case follow(number: Int)
    case followDelay(number: Int)
    case settled
  }

  var key: Key {
    switch self {
    case .request(let slot, _, _): .request(slot: slot)
    case .requestLimit(let slot, let requests): .requestLimit(slot: slot, missing: requests.count)
    case .delay(_, let number, let attempt, _): .delay(number: number, attempt: attempt)
    case .fetch(let number, _): .fetch(number: number)
    case .fetchLimit(let number): .fetchLimit(number: number)
    case .fetchDelay(let number, _, _): .fetchDelay(number: number)
    case .follow(let number, _): .follow(number: number)
    case .followDelay(let number, _, _): .followDelay(number: number)
    case .settled: .settled
    }
  }
}

extension FavoritesState {
  /// The largest number of concurrent delays. The next delay starts when one of them has passed (``FavoritesDelays``).
  ///
  /// An action therefore costs the same, however many items wait. A server that is down does not receive the requests
  /// of all items at once.
  static var delaysAtOnce: Int { 64 }

  /// The present work.
  ///
  /// Takes time proportional to the number of request slots, plus at most ``delaysAtOnce``.
  var work: [FavoritesWork<ID>] {
    var work: [FavoritesWork<ID>] = []
    for slot in bookkeeping.slots {
      work.append(.request(slot: slot.number, slot.requests, slot.started))
      work.append(.requestLimit(slot: slot.number, slot.requests))
    }
    for id in bookkeeping.waiting.prefix(Self.delaysAtOnce) {
      guard let item = items[id], case .waiting(let attempt, let after) = item.phase, let sent = item.sent else {
        continue
      }
      work.append(.delay(id, number: sent.number, attempt: attempt, after: after))
    }
    switch load {
    case .loading(_, let number, _):
      // No change is newer than a fetch that starts for the first time.
      work.append(.fetch(number: number, isAgain: !bookkeeping.newerThanFetch.isEmpty))
      work.append(.fetchLimit(number: number))
    case .waiting(let attempt, let number, let after):
      work.append(.fetchDelay(number: number, attempt: attempt, after: after))
    case .idle, .loaded, .failed: break
    }
    switch following {
    case .off: break
    // Following starts together with a fetch.
    case .open(_, let number): work.append(.follow(number: number, isAgain: !load.isUnderWay))
    case .waiting(let attempt, let number, let after):
      work.append(.followDelay(number: number, attempt: attempt, after: after))
    }
    if isSettled { work.append(.settled) }
    return work
  }
}
