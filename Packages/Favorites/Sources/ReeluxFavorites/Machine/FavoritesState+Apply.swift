extension FavoritesState {
  /// Carries out the changes of a plan that was made for this very state.
  @inlinable
  mutating func apply(_ plan: FavoritesPlan<ID>, undoDepth: Int) {
    for (id, item) in plan.items { replace(id, item) }
    if let (id, value) = plan.confirmed {
      if value { confirmed.append(id) } else { confirmed.remove(id) }
      if case .loading = load { note(id) }
    }
    if let snapshot = plan.snapshot {
      confirmed = snapshot.confirmed
      notices += snapshot.notices
      isLoaded = true
    }
    if let next = plan.load {
      if next.fetchNumber != load.fetchNumber { confirmedDuringLoad = OrderedIDs() }
      load = next
    }
    undoable.removeLast(min(plan.undone, undoable.count))
    if let wish = plan.undoable {
      undoable.append(wish)
      undoable.removeFirst(max(0, undoable.count - undoDepth))
    }
    if plan.dismissesNotices { notices = [] }
    lastNumber = plan.lastNumber
  }

  /// Puts an item into a new state, and into or out of the queue and the places at the server.
  @inlinable
  mutating func replace(_ id: ID, _ item: FavoritesItem?) {
    let before = items[id]
    if before?.isQueued == true, item?.isQueued != true { queue.remove(id) }
    if item?.isQueued == true { queue.append(id) }
    if before?.isRequesting == true { requesting -= 1 }
    if item?.isRequesting == true { requesting += 1 }
    items[id] = item
  }

  /// Remembers that the fetch under way may not have seen this answer; the last answer counts.
  @inlinable
  mutating func note(_ id: ID) {
    confirmedDuringLoad.remove(id)
    confirmedDuringLoad.append(id)
  }
}

extension FavoritesLoad {
  /// The number of the fetch that is with the server.
  @usableFromInline var fetchNumber: Int? {
    guard case .loading(_, let number, _) = self else { return nil }
    return number
  }
}
