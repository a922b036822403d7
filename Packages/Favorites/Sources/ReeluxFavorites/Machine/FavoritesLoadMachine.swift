/// The states of fetching, and what leads from one to the next.
///
/// ```text
///     idle, loaded, failed ──load, reconcile──▶ loading ──fetched──▶ loaded
///                                               ▲  │ │
///                            due, load, reconcile  │ └──final failure──▶ failed
///                                               │  ▼
///                                             waiting        failure that can succeed later
/// ```
///
/// One fetch at a time: a `load` while one is under way joins it. What needs
/// the server's present favourites (`reconcile`) cannot join a fetch that began
/// earlier: another one follows it.
@usableFromInline
struct FavoritesLoadStep: Equatable {
  /// What happens to the fetching.
  @usableFromInline
  enum Event {
    /// A person or the app wants the server's favourites.
    case load
    /// Something happened after which the server's favourites are not known any more.
    case reconcile
    /// They have come.
    case fetched(number: Int)
    /// They have not.
    case failed(number: Int, FavoritesFailure)
    /// The pause is over.
    case due(number: Int)
  }

  /// The state afterwards.
  @usableFromInline var load: FavoritesLoad
  /// The number of the pause that is not needed any more.
  @usableFromInline var endedPause: Int?

  /// The step that an event leads to, or `nil` if it means nothing in this state.
  ///
  /// - Parameter number: The number of the fetch that may begin.
  @usableFromInline
  static func next(
    _ load: FavoritesLoad, on event: Event, number: Int, attempts: Int
  ) -> FavoritesLoadStep? {
    let first = FavoritesLoad.loading(attempt: 1, number: number, again: false)
    switch (load, event) {
    case (.idle, .load), (.loaded, .load), (.failed, .load), (.idle, .reconcile), (.loaded, .reconcile),
      (.failed, .reconcile):
      return FavoritesLoadStep(load: first)
    case (.waiting(_, let pause), .load), (.waiting(_, let pause), .reconcile):
      return FavoritesLoadStep(load: first, endedPause: pause)
    case (.loading(let attempt, let current, again: false), .reconcile):
      return FavoritesLoadStep(load: .loading(attempt: attempt, number: current, again: true))
    case (.loading(_, let current, let again), .fetched(let answered)) where answered == current:
      return FavoritesLoadStep(load: again ? first : .loaded)
    case (.loading(let attempt, let current, _), .failed(let answered, let failure)) where answered == current:
      guard failure.canSucceedLater, attempt < attempts else { return FavoritesLoadStep(load: .failed(failure)) }
      return FavoritesLoadStep(load: .waiting(attempt: attempt + 1, number: current))
    case (.waiting(let attempt, let pause), .due(let over)) where over == pause:
      return FavoritesLoadStep(load: .loading(attempt: attempt, number: number, again: false))
    default:
      return nil
    }
  }
}
