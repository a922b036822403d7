// The only code that changes a state after an action.

extension FavoritesState {
  /// Applies an action. Returns false, and changes nothing, if the action has no effect in this state.
  ///
  /// Takes constant time for one item. An action about several or all items takes time proportional to their number.
  mutating func reduce(_ action: FavoritesAction<ID>, policy: FavoritesPolicy) -> Bool {
    switch action {
    case .load: return stepLoad(.load, policy)
    case .toggle(let id): return change([id], to: !contains(id), policy)
    case .set(let id, let isFavorite): return change([id], to: isFavorite, policy)
    case .setAll(let ids, let isFavorite): return change(ids, to: isFavorite, policy)
    case .removeAll: return change(ids, to: false, policy)
    case .retry(let id): return retry([id], policy)
    case .retryAll: return retry(ordered { $0.value.failure != nil || $0.value.isWaiting }, policy)
    case .undo:
      guard let undo = lastUndoable else { return false }
      bookkeeping.undoable.removeSubrange(undo.index...)
      return change(undo.ids, to: undo.isFavorite, isUndoable: false, policy)
    case .dismiss(let id): return step(id, .dismiss, policy)
    case .dismissNotices:
      if notices.isEmpty { return false }
      notices = []
      return true
    case .follow:
      if isFollowing { return false }
      following = .open(attempt: 1, number: bookkeeping.nextNumber())
      bookkeeping.isCurrent = false
      stepLoad(.reconcile, policy)
      return true
    case .unfollow:
      if !isFollowing { return false }
      following = .off
      // A change reported during the fetch may be older than the fetched value, so another fetch follows.
      if load.fetchNumber != nil { stepLoad(.reconcile, policy) }
      return true
    case .reset: return reset()
    case .response(let response): return reduce(response, policy: policy)
    }
  }

  private mutating func reduce(_ response: FavoritesAction<ID>.Response, policy: FavoritesPolicy) -> Bool {
    switch response {
    case .confirmed(let request, let date): return confirm(request, date, policy)
    case .failed(let request, let failure):
      return step(request.id, .failed(number: request.number, attempt: request.attempt, failure), policy)
    case .expired(let failure, let number):
      guard let slot = bookkeeping.slots.first(where: { $0.number == number }) else { return false }
      var reconciles = false
      for request in slot.requests {
        let event = FavoritesItem.Event.failed(number: request.number, attempt: request.attempt, failure)
        if apply(request.id, event, policy)?.reconciles == true { reconciles = true }
      }
      // One fetch that starts now is enough for all items.
      if reconciles { stepLoad(.reconcile, policy) }
      startRequests(policy)
      return true
    case .due(let id, let number, let attempt):
      return step(id, .due(number: number, attempt: attempt), policy)
    case .interrupted(let number):
      let requests = bookkeeping.slots.first { $0.number == number }?.requests ?? []
      return requests.reduce(false) { step($1.id, .interrupted, policy) || $0 }
    case .fetchInterrupted(let number):
      // The fetch is started again only now, so its response contains all changes so far.
      guard load.fetchNumber == number, !bookkeeping.newerThanFetch.isEmpty else { return false }
      bookkeeping.newerThanFetch = OrderedIDs()
      return true
    case .followingInterrupted(let number):
      // Changes while the stream was closed were not reported.
      guard case .open(_, number) = following else { return false }
      return stepLoad(.reconcile, policy)
    case .loaded(let snapshot, let number): return fetched(snapshot, number, policy)
    case .loadFailed(let failure, let number): return stepLoad(.failed(number: number, failure), policy)
    case .loadDue(let number): return stepLoad(.due(number: number), policy)
    case .pushed(let change, let number): return pushed(change, number, policy)
    case .followingEnded(let failure, let number):
      guard case .open(let attempt, number) = following else { return false }
      following = .waiting(attempt: min(attempt, 1_000) + 1, number: number, after: failure?.retryAfter)
      return true
    case .followingDue(let number):
      guard case .waiting(let attempt, number, _) = following else { return false }
      following = .open(attempt: attempt, number: bookkeeping.nextNumber())
      // Changes while the stream was closed were not reported.
      stepLoad(.reconcile, policy)
      return true
    }
  }
}

// MARK: - Items

extension FavoritesState {
  /// Applies an intent for several items, which `undo` takes back as one change.
  private mutating func change(
    _ ids: [ID], to isFavorite: Bool, isUndoable: Bool = true, _ policy: FavoritesPolicy
  ) -> Bool {
    var isAccepted = false
    var changed: [ID] = []
    for id in ids {
      let shown = contains(id)
      let order = bookkeeping.lastNumber &+ 1
      guard let step = apply(id, .intent(isFavorite, order: order), policy) else { continue }
      if step.item?.order == order { bookkeeping.lastNumber = order }
      isAccepted = true
      if shown != isFavorite { changed.append(id) }
    }
    if isUndoable, !changed.isEmpty {
      bookkeeping.undoable.append(FavoritesBookkeeping.Undo(ids: changed, isFavorite: !isFavorite))
      bookkeeping.undoable.removeFirst(max(0, bookkeeping.undoable.count - policy.undoDepth))
    }
    if isAccepted { startRequests(policy) }
    return isAccepted
  }

  private mutating func retry(_ ids: [ID], _ policy: FavoritesPolicy) -> Bool {
    var isAccepted = false
    for id in ids {
      let order = bookkeeping.lastNumber &+ 1
      guard let step = apply(id, .retry(order: order), policy) else { continue }
      if step.item?.order == order { bookkeeping.lastNumber = order }
      isAccepted = true
    }
    if isAccepted { startRequests(policy) }
    return isAccepted
  }

  private mutating func confirm(
    _ request: FavoritesRequest<ID>, _ date: Double?, _ policy: FavoritesPolicy
  ) -> Bool {
    let id = request.id
    guard let step = apply(id, .confirmed(number: request.number, attempt: request.attempt), policy) else {
      return false
    }
    setConfirmed(id, step.confirmed, date)
    if load.fetchNumber != nil { bookkeeping.noteNewerThanFetch(id) }
    if step.reconciles || isOlderThanFollowing(request) { stepLoad(.reconcile, policy) }
    startRequests(policy)
    return true
  }

  /// Whether a request was sent before the stream of changes was opened. Another client's change may then be newer than
  /// the response, and the stream does not report it.
  private func isOlderThanFollowing(_ request: FavoritesRequest<ID>) -> Bool {
    guard case .open(_, let number) = following else { return false }
    return request.number < number
  }

  /// Applies a step of one item, and starts requests if there are free request slots now.
  @discardableResult
  private mutating func step(_ id: ID, _ event: FavoritesItem.Event, _ policy: FavoritesPolicy) -> Bool {
    guard let step = apply(id, event, policy) else { return false }
    if step.reconciles { stepLoad(.reconcile, policy) }
    startRequests(policy)
    return true
  }

  /// Applies a step of one item.
  private mutating func apply(
    _ id: ID, _ event: FavoritesItem.Event, isCurrent: Bool? = nil, _ policy: FavoritesPolicy
  ) -> FavoritesItem.Step? {
    // An id such as `Double.nan` would not be found again.
    guard id == id else { return nil }
    let before = items[id]
    let known = FavoritesItem.Known(
      confirmed: confirmed.contains(id), isCurrent: isCurrent ?? bookkeeping.isCurrent, attempts: policy.attempts)
    guard let step = FavoritesItem.step(before, on: event, known) else { return nil }
    replace(id, before, with: step.item)
    return step
  }

  /// Sets an item's state, and updates the queue, the delays and the request slots.
  private mutating func replace(_ id: ID, _ before: FavoritesItem?, with item: FavoritesItem?) {
    if before?.phase != item?.phase {
      if let before { bookkeeping.leave(before.phase, id) }
      if let item { bookkeeping.enter(item.phase, id) }
    }
    items[id] = item
  }

  /// Gives free request slots to the items that have waited longest.
  private mutating func startRequests(_ policy: FavoritesPolicy) {
    while bookkeeping.slots.count < policy.limit, !bookkeeping.queue.isEmpty {
      bookkeeping.lastSlot &+= 1
      var slot = FavoritesBookkeeping<ID>.Slot(number: bookkeeping.lastSlot, requests: [])
      while slot.requests.count < policy.batch, let id = bookkeeping.queue.first {
        bookkeeping.queue.remove(id)
        guard var item = items[id], case .queued(let attempt) = item.phase else { continue }
        // A further attempt for the same value keeps its request number.
        let number = item.sent?.isFavorite == item.intent ? item.sent?.number : nil
        let request = FavoritesRequest(
          id: id, isFavorite: item.intent, attempt: attempt, number: number ?? bookkeeping.nextNumber())
        item.sent = FavoritesItem.Sent(isFavorite: request.isFavorite, number: request.number)
        item.phase = .requesting(attempt: attempt, slot: slot.number)
        items[id] = item
        slot.requests.append(request)
      }
      if !slot.requests.isEmpty { bookkeeping.slots.append(slot) }
    }
  }

  private mutating func setConfirmed(_ id: ID, _ isFavorite: Bool, _ date: Double?) {
    if isFavorite {
      let isNew = confirmed.append(id)
      // An id such as `Double.nan` is not appended.
      if isNew || date != nil, confirmed.contains(id) { dates[id] = date }
    } else {
      confirmed.remove(id)
      dates[id] = nil
    }
  }

  private mutating func reset() -> Bool {
    var fresh = FavoritesState()
    fresh.bookkeeping.lastNumber = bookkeeping.lastNumber
    fresh.bookkeeping.lastSlot = bookkeeping.lastSlot
    fresh.bookkeeping.session = bookkeeping.session
    if self == fresh { return false }
    self = fresh
    return true
  }
}

// MARK: - The server's favourites

extension FavoritesState {
  /// Applies a step of the fetching.
  @discardableResult private mutating func stepLoad(_ event: FavoritesLoad.Event, _ policy: FavoritesPolicy) -> Bool {
    let number = bookkeeping.lastNumber &+ 1
    guard let next = load.next(on: event, number: number, attempts: policy.attempts) else { return false }
    if next.fetchNumber == number { bookkeeping.lastNumber = number }
    if next.fetchNumber != load.fetchNumber { bookkeeping.newerThanFetch = OrderedIDs() }
    load = next
    return true
  }

  /// Compares the server's favourites with the known values and the intents.
  ///
  /// The fetched value is used, except for items whose change the server confirmed or reported during the fetch. The
  /// response of the fetch may be older than this change.
  private mutating func fetched(_ snapshot: FavoritesSnapshot<ID>, _ number: Int, _ policy: FavoritesPolicy) -> Bool {
    guard case .loading(_, number, let again) = load else { return false }
    var merged = snapshot
    // A snapshot is encoded without the dates of other ids.
    merged.dates = merged.dates.filter { merged.ids.contains($0.key) }
    for id in bookkeeping.newerThanFetch {
      if confirmed.contains(id) { merged.ids.append(id) } else { merged.ids.remove(id) }
      if let date = dates[id] { merged.dates[id] = date }
    }
    // A change reported during the fetch may be older than the fetched value.
    let doubtful = isFollowing ? bookkeeping.newerThanFetch : OrderedIDs()
    stepLoad(.fetched(number: number), policy)
    if !again { bookkeeping.isCurrent = !isFollowing }
    replaceAll(by: merged, isRecent: !again, policy) { !again && !doubtful.contains($0) }
    isLoaded = true
    return true
  }

  /// Applies a change that the server reported.
  private mutating func pushed(_ change: FavoritesChange<ID>, _ number: Int, _ policy: FavoritesPolicy) -> Bool {
    guard case .open(_, number) = following else { return false }
    following = .open(attempt: 1, number: number)
    switch change {
    case .set(let id, let isFavorite, let date):
      _ = apply(id, .pushed(isFavorite), policy)
      setConfirmed(id, isFavorite, date)
      if load.fetchNumber != nil { bookkeeping.noteNewerThanFetch(id) }
    case .replaced(let snapshot):
      let reported = load.fetchNumber == nil ? [] : Array(confirmed) + snapshot.ids
      for request in bookkeeping.slots.flatMap(\.requests) {
        _ = apply(request.id, .pushed(snapshot.ids.contains(request.id)), policy)
      }
      replaceAll(by: snapshot, isRecent: false, policy) { _ in false }
      // The response of a running fetch may be older than this change, so another fetch follows.
      if load.fetchNumber != nil {
        for id in reported { bookkeeping.noteNewerThanFetch(id) }
        stepLoad(.reconcile, policy)
      }
    }
    startRequests(policy)
    return true
  }

  private mutating func replaceAll(
    by snapshot: FavoritesSnapshot<ID>, isRecent: Bool, _ policy: FavoritesPolicy, isCurrent: (ID) -> Bool
  ) {
    for id in Array(items.keys) {
      let event = FavoritesItem.Event.fetched(snapshot.ids.contains(id), isRecent: isRecent)
      _ = apply(id, event, isCurrent: isCurrent(id), policy)
    }
    confirmed = snapshot.ids
    dates = snapshot.dates.filter { snapshot.ids.contains($0.key) }
    notices += snapshot.notices.filter { !notices.contains($0) }
    startRequests(policy)
  }
}

extension FavoritesItem {
  fileprivate var isWaiting: Bool {
    guard case .waiting = phase else { return false }
    return true
  }
}

// MARK: - Checking

extension FavoritesState {
  /// A contradiction in the state, or `nil`. The queue, the delays and the slots must contain exactly the items in the
  /// corresponding phases.
  var contradiction: String? {
    var counts = (queued: 0, waiting: 0, requesting: 0)
    let slots = Dictionary(
      bookkeeping.slots.map { slot in
        (slot.number, Dictionary(slot.requests.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
      }, uniquingKeysWith: { $1 })
    for (id, item) in items {
      switch item.phase {
      case .queued:
        counts.queued += 1
        if !bookkeeping.queue.contains(id) { return "an item is queued, but it is missing in the queue" }
      case .waiting:
        counts.waiting += 1
        if !bookkeeping.waiting.contains(id) { return "an item waits, but it is missing in the list of waiting items" }
        if item.sent == nil { return "an item waits, but it was never sent" }
      case .requesting(let attempt, let number):
        counts.requesting += 1
        let request = slots[number]?[id]
        if request?.number != item.sent?.number || request?.attempt != attempt {
          return "an item has a request, but no slot contains it"
        }
      case .failed, .uncertain: break
      }
      switch item.phase {
      case .queued(let attempt), .waiting(let attempt, _), .requesting(let attempt, _):
        if !(1...Int.max / 2).contains(attempt) { return "the number of an attempt is too small or too large" }
      case .failed, .uncertain: break
      }
      if max(item.order, item.sent?.number ?? 0) > bookkeeping.lastNumber {
        return "a number is larger than the last used number"
      }
    }
    let requests = bookkeeping.slots.reduce(0) { $0 + $1.requests.count }
    if !(0...Int.max / 2).contains(bookkeeping.lastNumber) || !(0...Int.max / 2).contains(bookkeeping.lastSlot) {
      return "a last used number is negative or too large"
    }
    if slots.count != bookkeeping.slots.count { return "two slots have the same number" }
    if (bookkeeping.slots.last?.number ?? 0) > bookkeeping.lastSlot {
      return "a slot's number is larger than the last used number"
    }
    if bookkeeping.slots.contains(where: \.requests.isEmpty) { return "a slot has no requests" }
    if counts != (bookkeeping.queue.count, bookkeeping.waiting.count, requests) {
      return "the queue, the delays or the slots contain unknown items"
    }
    return nil
  }
}
