extension FavoritesState {
  /// What an action leads to in this state, or `nil` if it means nothing.
  ///
  /// Constant in time for one item; `loaded` takes time proportional to the
  /// number of favourites, `undo` at most to the undo depth.
  @inlinable
  func plan(for action: FavoritesAction<ID>, policy: FavoritesPolicy) -> FavoritesPlan<ID>? {
    switch action {
    case .toggle(let id): return planWish(id, !contains(id), policy)
    case .set(let id, let value): return planWish(id, value, policy)
    case .undo: return planUndo(policy)
    case .retry(let id): return planStep(id, policy) { .retry(order: $0) }
    case .dismiss(let id): return planStep(id, policy) { _ in .dismiss }
    case .confirmed(let request): return planStep(request.id, policy) { _ in .confirmed(number: request.number) }
    case .failed(let request, let failure):
      return planStep(request.id, policy) { _ in .failed(number: request.number, failure) }
    case .due(let id, let number): return planStep(id, policy) { _ in .due(number: number) }
    case .load: return planLoad(.load, policy)
    case .loadFailed(let failure, let number): return planLoad(.failed(number: number, failure), policy)
    case .loadDue(let number): return planLoad(.due(number: number), policy)
    case .loaded(let snapshot, let number): return planLoaded(snapshot, number, policy)
    case .dismissNotices:
      guard !notices.isEmpty else { return nil }
      var plan = FavoritesPlan<ID>(lastNumber: lastNumber)
      plan.dismissesNotices = true
      return plan
    case .retryAll: return nil
    }
  }

  /// A wish, which can be undone.
  @inlinable
  func planWish(_ id: ID, _ value: Bool, _ policy: FavoritesPolicy) -> FavoritesPlan<ID>? {
    let shown = contains(id)
    var plan = planStep(id, policy) { .wish(value, order: $0) }
    if shown != value { plan?.undoable = FavoritesUndo(id: id, value: shown) }
    return plan
  }

  /// The opposite of the last wish that is still seen.
  @inlinable
  func planUndo(_ policy: FavoritesPolicy) -> FavoritesPlan<ID>? {
    guard let index = undoable.lastIndex(where: { contains($0.id) != $0.value }) else { return nil }
    let wish = undoable[index]
    var plan = planStep(wish.id, policy) { .wish(wish.value, order: $0) }
    plan?.undone = undoable.count - index
    return plan
  }

  /// One step of one item, and the place at the server that it takes or leaves.
  ///
  /// While items wait in the queue, every place is taken; so one step frees at
  /// most one place, and at most one request begins.
  @inlinable
  func planStep(
    _ id: ID, _ policy: FavoritesPolicy, _ event: (_ order: Int) -> FavoritesItemStep.Event
  ) -> FavoritesPlan<ID>? {
    let before = items[id]
    let order = lastNumber + 1
    let step = FavoritesItemStep.next(
      before, confirmed: confirmed.contains(id), on: event(order), attempts: policy.attempts)
    guard let step else { return nil }

    var plan = FavoritesPlan<ID>(lastNumber: step.item?.order == order ? order : lastNumber)
    if step.isAnswer { plan.confirmed = (id, step.confirmed) }
    if let number = step.endedPause { plan.commands.append(.endPause(number: number)) }
    if case .waiting(let attempt, let number) = step.item?.phase, before?.isRequesting == true {
      plan.commands.append(.pause(id, number: number, attempt: attempt))
    }
    plan.items.append((id, step.item))

    let isRequesting = step.item?.isRequesting ?? false
    let taken = requesting - (before?.isRequesting == true && !isRequesting ? 1 : 0)
    if taken < policy.limit {
      if let next = queue.first, next != id, let item = items[next] {
        plan.start(next, item)
      } else if let item = step.item, item.isQueued {
        plan.items.removeLast()
        plan.start(id, item)
      }
    }
    if step.reconciles { planReconciliation(&plan, policy) }
    return plan
  }

  @inlinable
  func planReconciliation(_ plan: inout FavoritesPlan<ID>, _ policy: FavoritesPolicy) {
    let step = FavoritesLoadStep.next(
      load, on: .reconcile, number: plan.lastNumber + 1, attempts: policy.attempts)
    if let step { plan.apply(step) }
  }

  /// One step of the fetching.
  @inlinable
  func planLoad(_ event: FavoritesLoadStep.Event, _ policy: FavoritesPolicy) -> FavoritesPlan<ID>? {
    var plan = FavoritesPlan<ID>(lastNumber: lastNumber)
    let step = FavoritesLoadStep.next(load, on: event, number: lastNumber + 1, attempts: policy.attempts)
    guard let step else { return nil }
    plan.apply(step)
    return plan
  }

  /// The server's favourites, set against what is known and wished.
  ///
  /// What the server says counts, but for items that were confirmed while the
  /// fetch was under way: it may have been answered before them.
  @inlinable
  func planLoaded(
    _ snapshot: FavoritesSnapshot<ID>, _ number: Int, _ policy: FavoritesPolicy
  ) -> FavoritesPlan<ID>? {
    guard var plan = planLoad(.fetched(number: number), policy), case .loading(_, _, let again) = load else {
      return nil
    }
    var merged = snapshot.ids
    for id in confirmedDuringLoad {
      if confirmed.contains(id) { merged.append(id) } else { merged.remove(id) }
    }
    for (id, item) in items {
      let step = FavoritesItemStep.next(
        item, confirmed: confirmed.contains(id), on: .fetched(merged.contains(id), isRecent: !again),
        attempts: policy.attempts)
      guard let step, step.item != item else { continue }
      plan.items.append((id, step.item))
      if let number = step.endedPause { plan.commands.append(.endPause(number: number)) }
    }
    plan.snapshot = (merged, snapshot.notices)
    return plan
  }
}

extension FavoritesPlan {
  /// Gives a place at the server to a queued item.
  @inlinable
  mutating func start(_ id: ID, _ item: FavoritesItem) {
    guard case .queued(let attempt) = item.phase else { return }
    let request = FavoritesRequest(id: id, value: item.wish, attempt: attempt, number: nextNumber())
    var item = item
    item.phase = .requesting(value: request.value, attempt: attempt, number: request.number)
    items.append((id, item))
    commands.append(.request(request))
  }

  /// Takes over a step of the fetching.
  @inlinable
  mutating func apply(_ step: FavoritesLoadStep) {
    load = step.load
    if let number = step.endedPause { commands.append(.endPause(number: number)) }
    switch step.load {
    case .loading(_, let number, again: false):
      lastNumber = max(lastNumber, number)
      commands.append(.fetch(number: number))
    case .waiting(let attempt, let number):
      commands.append(.pauseFetch(number: number, attempt: attempt))
    case .loading, .idle, .loaded, .failed:
      break
    }
  }
}
