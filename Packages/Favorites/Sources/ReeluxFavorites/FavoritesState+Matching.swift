extension FavoritesState {
  /// Converts a response of another run to a response for this state. Returns `nil` if no request of this state waits
  /// for it.
  ///
  /// A request's number depends on all requests before it. So a response is matched by its content: the item and the
  /// value, the fetch, or the stream of changes. A failure of several requests together and an interruption have no
  /// such content, so they are matched by the number of their slot, and may hit other requests. A replay uses this if
  /// actions of the recording are left out.
  package func matching(_ response: FavoritesAction<ID>.Response) -> FavoritesAction<ID>.Response? {
    switch response {
    case .confirmed(let request, let date): matching(request).map { .confirmed($0, date: date) }
    case .failed(let request, let failure): matching(request).map { .failed($0, failure) }
    case .expired(_, let number): bookkeeping.slots.contains { $0.number == number } ? response : nil
    case .due(let id, _, _):
      if let item = items[id], case .waiting(let attempt, _) = item.phase, let sent = item.sent {
        .due(id, number: sent.number, attempt: attempt)
      } else {
        nil
      }
    case .interrupted(let number): bookkeeping.slots.contains { $0.number == number } ? response : nil
    case .fetchInterrupted: load.fetchNumber.map { .fetchInterrupted(number: $0) }
    case .followingInterrupted:
      if case .open(_, let number) = following { .followingInterrupted(number: number) } else { nil }
    case .loaded(let snapshot, _): load.fetchNumber.map { .loaded(snapshot, number: $0) }
    case .loadFailed(let failure, _): load.fetchNumber.map { .loadFailed(failure, number: $0) }
    case .loadDue: if case .waiting(_, let number, _) = load { .loadDue(number: number) } else { nil }
    case .pushed(let change, _):
      if case .open(_, let number) = following { .pushed(change, number: number) } else { nil }
    case .followingEnded(let failure, _):
      if case .open(_, let number) = following { .followingEnded(failure, number: number) } else { nil }
    case .followingDue:
      if case .waiting(_, let number, _) = following { .followingDue(number: number) } else { nil }
    }
  }

  private func matching(_ request: FavoritesRequest<ID>) -> FavoritesRequest<ID>? {
    guard let item = items[request.id], case .requesting(let attempt, _) = item.phase, let sent = item.sent,
      sent.isFavorite == request.isFavorite
    else { return nil }
    return FavoritesRequest(id: request.id, isFavorite: sent.isFavorite, attempt: attempt, number: sent.number)
  }
}
