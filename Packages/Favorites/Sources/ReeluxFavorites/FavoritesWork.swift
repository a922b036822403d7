/// Something that the outside should be doing, as a state wants it.
///
/// A state's work depends on nothing but the state. So there is one place that
/// decides what is asked, and a state that was restored, or whose feature was
/// removed and installed again, wants what it wanted before.
enum FavoritesWork<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Make these requests, as one; the last value says whether they were made before.
  case request(place: Int, [FavoritesRequest<ID>], FavoritesOpening)
  /// Give the requests in this place up after the time limit.
  case requestLimit(place: Int)
  /// Wait before this attempt.
  case delay(ID, number: Int, attempt: Int, after: Duration?)
  /// Fetch the server's favourites; `isAgain`: if this is begun now, the same fetch was begun before.
  case fetch(number: Int, isAgain: Bool = false)
  /// Give this fetch up after the time limit.
  case fetchLimit(number: Int)
  /// Wait before this attempt to fetch.
  case fetchDelay(number: Int, attempt: Int, after: Duration?)
  /// Report the server's own changes; `isAgain`: if this is begun now, it was begun before.
  case follow(number: Int, isAgain: Bool = false)
  /// Wait before the changes are followed again.
  case followDelay(number: Int, attempt: Int, after: Duration?)
  /// Say once that nothing is under way.
  case settled

  /// What tells one piece of work from others: it is begun when its key appears, and ended when its key goes.
  enum Key: Hashable, Sendable {
    case request(place: Int)
    case requestLimit(place: Int)
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
    case .request(let place, _, _): .request(place: place)
    case .requestLimit(let place): .requestLimit(place: place)
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
  /// How many delays run at once; the next one begins when one of them has passed.
  ///
  /// So an action costs the same however many items wait, and a server that is down is not asked by all of them at once.
  static var delaysAtOnce: Int { 64 }

  /// What the outside should be doing now.
  ///
  /// Takes time proportional to the number of places at the server, plus at most ``delaysAtOnce``.
  var work: [FavoritesWork<ID>] {
    if isSettled, following == .off { return [.settled] }
    var work: [FavoritesWork<ID>] = []
    for place in bookkeeping.places {
      work.append(.request(place: place.number, place.requests, place.opening))
      work.append(.requestLimit(place: place.number))
    }
    for id in bookkeeping.waiting.prefix(Self.delaysAtOnce) {
      guard let item = items[id], case .waiting(let attempt, let after) = item.phase, let sent = item.sent else {
        continue
      }
      work.append(.delay(id, number: sent.number, attempt: attempt, after: after))
    }
    switch load {
    case .loading(_, let number, _):
      // A fetch that begins has seen everything so far.
      work.append(.fetch(number: number, isAgain: !bookkeeping.newerThanFetch.isEmpty))
      work.append(.fetchLimit(number: number))
    case .waiting(let attempt, let number, let after):
      work.append(.fetchDelay(number: number, attempt: attempt, after: after))
    case .idle, .loaded, .failed: break
    }
    switch following {
    case .off: break
    // Following begins together with a fetch.
    case .open(_, let number): work.append(.follow(number: number, isAgain: !load.isUnderWay))
    case .waiting(let attempt, let number, let after):
      work.append(.followDelay(number: number, attempt: attempt, after: after))
    }
    if isSettled { work.append(.settled) }
    return work
  }
}
