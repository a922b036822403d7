/// The states of one item, and what leads from one to the next.
///
/// ```text
///                       wish ≠ confirmed                     a place is free
///      ┌──────────┐ ─────────────────────▶ ┌────────┐ ─────────────────────▶ ┌────────────┐
///      │ at rest  │ ◀───────────────────── │ queued │ ◀───────────────────── │ requesting │
///      └──────────┘ wish = confirmed again └────────┘  answer; the wish has  └────────────┘
///        ▲      ▲                            ▲  ▲      changed meanwhile       │   │   │
///        │      │                     due,   │  │ wish, retry                  │   │   │
///        │      │                     retry  │  │                 final failure│   │   │confirmed,
///        │      │     wish = confirmed ┌─────────┐  │    ┌────────┐◀───────────┘   │   │wish = value
///        │      └──────────────────────│ waiting │  └────│ failed │                │   ▼
///        │                             └─────────┘       └────────┘                │ at rest
///        │                                  ▲   failure that can succeed later     │
///        │ dismiss, wish fulfilled          └──────────────────────────────────────┘
/// ```
///
/// Three rules hold in every state:
///
/// - One request at a time: only *queued* leads to *requesting*, and only the
///   answer leads out of it. A wish during a request changes the wish alone.
/// - The last wish wins: an item comes to rest only when its wish is what the
///   server confirmed, or when that very wish failed.
/// - Nothing is assumed: after an answer that did not come, the server's value
///   is not certain, and the wish is sent even if it equals what was confirmed.
///
/// An event that means nothing in a state (an answer to an older request, a
/// wish that is the present one) gives no step.
@usableFromInline
struct FavoritesItemStep: Equatable {
  /// What happens to an item.
  @usableFromInline
  enum Event {
    /// A person or the app wants this value.
    case wish(Bool, order: Int)
    /// A person or the app wants a failed wish, or a waiting one, tried now.
    case retry(order: Int)
    /// The failure has been read.
    case dismiss
    /// The server did what the request said.
    case confirmed(number: Int)
    /// It did not, or it is not known.
    case failed(number: Int, FavoritesFailure)
    /// The pause is over.
    case due(number: Int)
    /// A fetch brought this value; `isRecent`: it began after all that is known to have happened.
    case fetched(Bool, isRecent: Bool)
  }

  /// The item afterwards; `nil` at rest.
  @usableFromInline var item: FavoritesItem?
  /// What the server is known to have confirmed afterwards.
  @usableFromInline var confirmed: Bool
  /// Whether the server has just answered so.
  @usableFromInline var isAnswer = false
  /// Whether the server's favourites should be fetched.
  @usableFromInline var reconciles = false
  /// The number of the pause that is not needed any more.
  @usableFromInline var endedPause: Int?

  /// The step that an event leads to, or `nil` if it means nothing in this state.
  @usableFromInline
  static func next(
    _ item: FavoritesItem?, confirmed: Bool, on event: Event, attempts: Int
  ) -> FavoritesItemStep? {
    switch event {
    case .wish(let value, let order): wish(value, order: order, item, confirmed)
    case .retry(let order): retry(order: order, item, confirmed)
    case .dismiss: item?.failure == nil ? nil : FavoritesItemStep(item: nil, confirmed: confirmed)
    case .confirmed(let number): answered(number, item)
    case .failed(let number, let failure): failed(number, failure, item, confirmed, attempts)
    case .due(let number): due(number, item, confirmed)
    case .fetched(let value, let isRecent): fetched(value, isRecent, item)
    }
  }
}

// MARK: - Wishes

extension FavoritesItemStep {
  private static func wish(
    _ value: Bool, order: Int, _ item: FavoritesItem?, _ confirmed: Bool
  ) -> FavoritesItemStep? {
    guard var item else {
      if value == confirmed { return nil }
      return queued(FavoritesItem(wish: value, phase: .queued(attempt: 1), order: order), confirmed)
    }
    if item.failure != nil {
      item.order = order
      return item.resting(value, confirmed) ?? queued(item, wish: value, confirmed)
    }
    guard item.wish != value else { return nil }
    item.wish = value
    item.order = order
    if item.isRequesting { return FavoritesItemStep(item: item, confirmed: confirmed) }
    return item.resting(value, confirmed) ?? FavoritesItemStep(item: item, confirmed: confirmed)
  }

  private static func retry(order: Int, _ item: FavoritesItem?, _ confirmed: Bool) -> FavoritesItemStep? {
    guard var item else { return nil }
    switch item.phase {
    case .queued, .requesting: return nil
    case .waiting(_, let number):
      var step = queued(item, wish: item.wish, confirmed)
      step.endedPause = number
      return step
    case .failed:
      item.order = order
      return item.resting(item.wish, confirmed) ?? queued(item, wish: item.wish, confirmed)
    }
  }

  private static func queued(
    _ item: FavoritesItem, wish: Bool? = nil, attempt: Int = 1, _ confirmed: Bool
  ) -> FavoritesItemStep {
    var item = item
    item.wish = wish ?? item.wish
    item.phase = .queued(attempt: attempt)
    return FavoritesItemStep(item: item, confirmed: confirmed)
  }
}

extension FavoritesItem {
  /// The step to rest, if the server surely holds this wish.
  fileprivate func resting(_ wish: Bool, _ confirmed: Bool) -> FavoritesItemStep? {
    guard wish == confirmed, isCertain else { return nil }
    guard case .waiting(_, let number) = phase else { return FavoritesItemStep(item: nil, confirmed: confirmed) }
    return FavoritesItemStep(item: nil, confirmed: confirmed, endedPause: number)
  }
}

// MARK: - Answers

extension FavoritesItemStep {
  private static func answered(_ number: Int, _ item: FavoritesItem?) -> FavoritesItemStep? {
    guard var item, case .requesting(let value, _, number) = item.phase else { return nil }
    item.isCertain = true
    var step = item.resting(item.wish, value) ?? queued(item, value)
    step.isAnswer = true
    return step
  }

  private static func failed(
    _ number: Int, _ failure: FavoritesFailure, _ item: FavoritesItem?, _ confirmed: Bool, _ attempts: Int
  ) -> FavoritesItemStep? {
    guard var item, case .requesting(let value, let attempt, number) = item.phase else { return nil }
    if failure.leavesServerUnknown { item.isCertain = false }
    // The server surely holds what is wished now (toggled back, or fetched meanwhile): nothing is left to do.
    if let rest = item.resting(item.wish, confirmed) { return rest }
    if failure.canSucceedLater, attempt < attempts {
      item.phase = .waiting(attempt: attempt + 1, number: number)
      return FavoritesItemStep(item: item, confirmed: confirmed)
    }
    // What failed for good is not what is wanted: the last wish gets its own attempts.
    if item.wish != value { return queued(item, confirmed) }
    item.phase = .failed(failure)
    return FavoritesItemStep(item: item, confirmed: confirmed, reconciles: !item.isCertain)
  }

  private static func due(_ number: Int, _ item: FavoritesItem?, _ confirmed: Bool) -> FavoritesItemStep? {
    guard let item, case .waiting(let attempt, number) = item.phase else { return nil }
    return queued(item, attempt: attempt, confirmed)
  }

  private static func fetched(_ value: Bool, _ isRecent: Bool, _ item: FavoritesItem?) -> FavoritesItemStep? {
    guard var item else { return FavoritesItemStep(item: nil, confirmed: value) }
    if item.isRequesting { return FavoritesItemStep(item: item, confirmed: value) }
    if item.failure != nil, isRecent { item.isCertain = true }
    return item.resting(item.wish, value) ?? FavoritesItemStep(item: item, confirmed: value)
  }
}
