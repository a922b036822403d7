extension FavoritesState {
  /// The response for this state that corresponds to a response of another run; `nil` if no request waits for it.
  ///
  /// The numbers of requests depend on all requests before them. So a response is matched by what it answers: the item
  /// and the value, the fetch, the stream of changes. For replaying a recording from which actions were left out.
  package func matching(_ response: FavoritesAction<ID>.Response) -> FavoritesAction<ID>.Response? {
    switch response {
    case .confirmed(let request, let date): matching(request).map { .confirmed($0, date: date) }
    case .failed(let request, let failure): matching(request).map { .failed($0, failure) }
    case .expired(_, let place): bookkeeping.places.contains { $0.number == place } ? response : nil
    case .due(let id, _, _):
      if let item = items[id], case .waiting(let attempt, _) = item.phase, let sent = item.sent {
        .due(id, number: sent.number, attempt: attempt)
      } else {
        nil
      }
    case .interrupted(let place): bookkeeping.places.contains { $0.number == place } ? response : nil
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
