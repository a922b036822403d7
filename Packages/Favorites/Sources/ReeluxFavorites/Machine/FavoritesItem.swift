/// One item that is not at rest, with the transitions between its states.
///
/// ```text
///                      intent ≠ confirmed                  a slot is free
///      ┌──────────┐ ─────────────────────▶ ┌────────┐ ─────────────────────▶ ┌────────────┐
///      │ at rest  │ ◀───────────────────── │ queued │ ◀───────────────────── │ requesting │
///      └──────────┘ intent = confirmed     └────────┘ answer; the intent     └────────────┘
///        ▲      ▲                            ▲  ▲     has changed meanwhile    │   │   │
///        │      │                     due,   │  │ intent, retry                │   │   │
///        │      │                     retry  │  │                 final failure│   │   │confirmed,
///        │      │   intent = confirmed ┌─────────┐  │    ┌────────┐◀───────────┘   │   │intent = value
///        │      └──────────────────────│ waiting │  └────│ failed │                │   ▼
///        │                             └─────────┘       └────────┘                │ at rest
///        │                                  ▲   temporary failure                  │
///        │ dismiss (certain), fetched       └──────────────────────────────────────┘
///        │           ┌───────────┐
///        └───────────│ uncertain │◀── dismiss of a failure that leaves the server's value uncertain
///         fetched    └───────────┘──▶ queued, by any intent
/// ```
///
/// Three rules hold in every state:
///
/// - One request at a time: only *queued* leads to *requesting*. Only the response or the time limit ends *requesting*.
///   An intent during a request changes only the intent.
/// - The last intent wins: an item comes to rest only if the server confirmed its intent, or if this intent failed.
/// - No assumption about the server: before the first fetch, and while changes are followed, the confirmed value may
///   differ from the server's value. So an intent is sent even if it was changed back. The same applies after a lost
///   response. Dismissing the failure does not change this.
///
/// An event without an effect (a response to an older request, or an intent that equals the current one) returns no
/// step.
@usableFromInline struct FavoritesItem: Hashable, Codable, Sendable {
  /// The phase of an item between an intent and its confirmation.
  enum Phase: Hashable, Codable, Sendable {
    /// The state while the item waits for a request slot.
    case queued(attempt: Int)
    /// The state while a request is running. The intent may have changed since it was sent.
    case requesting(attempt: Int, slot: Int)
    /// The state during the delay before an attempt. No request is running.
    case waiting(attempt: Int, after: Duration? = nil)
    /// The state after the last attempt failed. The confirmed value is shown.
    case failed(FavoritesFailure)
    /// The state after a failure was dismissed. The server's value is uncertain.
    case uncertain
  }

  /// A value that was sent, and the number of its request.
  struct Sent: Hashable, Codable, Sendable {
    var isFavorite: Bool
    var number: Int
  }

  /// The last intent: true for a favourite. After a failure, the intent that failed.
  @usableFromInline var intent: Bool

  /// The phase of the item.
  var phase: Phase

  /// The value that was last sent.
  var sent: Sent?

  /// Whether the server is known to have the last confirmed value.
  ///
  /// This is false after a failure that leaves the server's value unknown, and after an interrupted request. It is true
  /// again when a request is confirmed, or when a fetch succeeds while no intent is pending.
  var isCertain = true

  /// Whether the server's last report during the request differs from the sent value.
  var isContested = false

  /// Whether the intent was changed after the report that contests the request.
  var isRenewed = false

  /// The position of this intent among all intents. A later intent has a larger number.
  var order: Int

  /// The failure of the last intent, if any.
  @usableFromInline var failure: FavoritesFailure? {
    guard case .failed(let failure) = phase else { return nil }
    return failure
  }

  /// Whether the intent is pending.
  @usableFromInline var isPending: Bool {
    switch phase {
    case .queued, .requesting, .waiting: true
    case .failed, .uncertain: false
    }
  }
}

// MARK: - Showing

extension FavoritesItem: CustomReflectable {
  /// The intent and its phase. `isCertain`, `isContested` and `isRenewed` are shown only if they are unusual.
  @usableFromInline var customMirror: Mirror {
    var children: [Mirror.Child] = [("isFavorite", intent), ("phase", phase)]
    if !isCertain { children.append(("isCertain", false)) }
    if isContested { children.append(("isContested", true)) }
    if isRenewed { children.append(("isRenewed", true)) }
    return Mirror(self, children: children, displayStyle: .tuple)
  }
}

extension FavoritesItem.Phase: CustomReflectable {
  /// The phase without the number of the request slot.
  var customMirror: Mirror { Mirror(reflecting: Shown(self)) }

  private enum Shown {
    case queued(attempt: Int)
    case requesting(attempt: Int)
    case waiting(attempt: Int, after: Duration?)
    case failed(FavoritesFailure)
    case uncertain

    init(_ phase: FavoritesItem.Phase) {
      switch phase {
      case .queued(let attempt): self = .queued(attempt: attempt)
      case .requesting(let attempt, _): self = .requesting(attempt: attempt)
      case .waiting(let attempt, let after): self = .waiting(attempt: attempt, after: after)
      case .failed(let failure): self = .failed(failure)
      case .uncertain: self = .uncertain
      }
    }
  }
}

// MARK: - Steps

extension FavoritesItem {
  /// An event of an item.
  enum Event {
    /// The app requests this value.
    case intent(Bool, order: Int)
    /// The app requests an immediate attempt for a failed or delayed intent.
    case retry(order: Int)
    /// The user has dismissed the failure.
    case dismiss
    /// The server has applied the request.
    case confirmed(number: Int, attempt: Int)
    /// The server has not applied the request, or the result is unknown.
    case failed(number: Int, attempt: Int, FavoritesFailure)
    /// The delay before this attempt has passed.
    case due(number: Int, attempt: Int)
    /// A fetch returned this value. `isRecent`: the fetch started after all known events.
    case fetched(Bool, isRecent: Bool)
    /// The server reported this value.
    case pushed(Bool)
    /// The request was started in another run of the app, or before its feature was removed. It is started again.
    case interrupted
  }

  /// The state of an item after an event.
  struct Step: Equatable {
    /// The item after the event; `nil` at rest.
    var item: FavoritesItem?
    /// The confirmed value after the event.
    var confirmed: Bool
    /// Whether the server's favourites should be fetched.
    var reconciles = false
  }

  /// The facts about the server that a step depends on.
  struct Known {
    /// The confirmed value before the event.
    var confirmed: Bool
    /// Whether the confirmed value, or the value of the event, is the server's present value as far as this client can
    /// know.
    var isCurrent: Bool
    /// The number of attempts for a request.
    var attempts: Int
  }

  /// The step for an event, or `nil` if the event has no effect in this state.
  static func step(_ item: FavoritesItem?, on event: Event, _ known: Known) -> Step? {
    switch event {
    case .intent(let value, let order): intent(value, order: order, item, known)
    case .retry(let order): retry(order: order, item, known)
    case .dismiss: dismiss(item, known)
    case .confirmed(let number, let attempt): confirmed(number: number, attempt: attempt, item)
    case .failed(let number, let attempt, let failure):
      failed(number: number, attempt: attempt, failure, item, known)
    case .due(let number, let attempt): due(number: number, attempt: attempt, item, known)
    case .fetched(let value, let isRecent): fetched(value, isRecent: isRecent, item, known)
    case .pushed(let value): pushed(value, item, known)
    case .interrupted: interrupted(item, known)
    }
  }

  /// The step to rest, if the server is known to have this intent.
  private func resting(_ intent: Bool, _ known: Known) -> Step? {
    guard intent == known.confirmed, isCertain, known.isCurrent else { return nil }
    return Step(item: nil, confirmed: known.confirmed)
  }

  private static func queued(_ item: FavoritesItem, intent: Bool, attempt: Int = 1, _ confirmed: Bool) -> Step {
    var item = item
    item.intent = intent
    item.phase = .queued(attempt: attempt)
    if attempt == 1 { item.sent = nil }
    return Step(item: item, confirmed: confirmed)
  }

  // MARK: Intents

  private static func intent(_ value: Bool, order: Int, _ item: FavoritesItem?, _ known: Known) -> Step? {
    let confirmed = known.confirmed
    guard var item else {
      if value == confirmed { return nil }
      return Step(
        item: FavoritesItem(intent: value, phase: .queued(attempt: 1), order: order), confirmed: confirmed)
    }
    if !item.isPending {
      item.order = order
      return item.resting(value, known) ?? queued(item, intent: value, confirmed)
    }
    guard item.intent != value else { return nil }
    item.intent = value
    item.order = order
    if case .requesting = item.phase {
      item.isRenewed = item.isContested
      return Step(item: item, confirmed: confirmed)
    }
    if let rest = item.resting(value, known) { return rest }
    // A new value has its own attempts.
    if case .queued = item.phase { return queued(item, intent: value, confirmed) }
    return Step(item: item, confirmed: confirmed)
  }

  private static func retry(order: Int, _ item: FavoritesItem?, _ known: Known) -> Step? {
    guard var item else { return nil }
    switch item.phase {
    case .queued, .requesting, .uncertain: return nil
    case .waiting: return queued(item, intent: item.intent, known.confirmed)
    case .failed:
      item.order = order
      return item.resting(item.intent, known) ?? queued(item, intent: item.intent, known.confirmed)
    }
  }

  private static func dismiss(_ item: FavoritesItem?, _ known: Known) -> Step? {
    guard var item, item.failure != nil else { return nil }
    item.intent = known.confirmed
    item.phase = .uncertain
    return Step(item: item.isCertain ? nil : item, confirmed: known.confirmed)
  }

  // MARK: Responses

  /// The value of the request that this response belongs to. `nil` if this request is not running.
  private func value(number: Int, attempt: Int) -> Bool? {
    guard case .requesting(attempt, _) = phase, let sent, sent.number == number else { return nil }
    return sent.isFavorite
  }

  private static func confirmed(number: Int, attempt: Int, _ item: FavoritesItem?) -> Step? {
    guard var item, let value = item.value(number: number, attempt: attempt) else { return nil }
    let isContested = item.isContested
    let isRenewed = item.isRenewed
    item.isRenewed = false
    item.isCertain = true
    item.isContested = false
    // The server has exactly this value now, unless the intent was changed after a report.
    let isAtRest = item.intent == value && !isRenewed
    var step = isAtRest ? Step(item: nil, confirmed: value) : queued(item, intent: item.intent, value)
    // Another client changed the item before or after this response, so a fetch is needed.
    step.reconciles = isContested
    return step
  }

  private static func failed(
    number: Int, attempt: Int, _ failure: FavoritesFailure, _ item: FavoritesItem?, _ known: Known
  ) -> Step? {
    let confirmed = known.confirmed
    guard var item, let value = item.value(number: number, attempt: attempt) else { return nil }
    if failure.leavesServerUnknown { item.isCertain = false }
    item.isContested = false
    item.isRenewed = false
    // The intent was changed back, or a fetch returned it. So the server is known to have it, and no request is needed.
    if let rest = item.resting(item.intent, known) { return rest }
    // The delay that the server requests applies to each request for the item.
    let isDelayedByServer = item.intent != value && failure.retryAfter != nil
    if failure.canSucceedLater, attempt < known.attempts || isDelayedByServer {
      item.phase = .waiting(attempt: attempt + 1, after: failure.retryAfter)
      return Step(item: item, confirmed: confirmed)
    }
    // The failed value differs from the current intent, so the intent starts with its first attempt.
    if item.intent != value { return queued(item, intent: item.intent, confirmed) }
    item.phase = .failed(failure)
    return Step(item: item, confirmed: confirmed, reconciles: !item.isCertain)
  }

  private static func due(number: Int, attempt: Int, _ item: FavoritesItem?, _ known: Known) -> Step? {
    guard let item, case .waiting(attempt, _) = item.phase, item.sent?.number == number else { return nil }
    // A value that differs from the sent one begins with attempt 1. So does the sent value if no attempt is left.
    let isSent = item.sent?.isFavorite == item.intent && attempt <= known.attempts
    return queued(item, intent: item.intent, attempt: isSent ? attempt : 1, known.confirmed)
  }

  private static func fetched(_ value: Bool, isRecent: Bool, _ item: FavoritesItem?, _ known: Known) -> Step? {
    guard var item else { return Step(item: nil, confirmed: value) }
    if case .requesting = item.phase { return Step(item: item, confirmed: value) }
    if !item.isPending, isRecent { item.isCertain = true }
    if case .uncertain = item.phase { item.intent = value }
    var known = known
    known.confirmed = value
    return item.resting(item.intent, known) ?? Step(item: item, confirmed: value)
  }

  private static func pushed(_ value: Bool, _ item: FavoritesItem?, _ known: Known) -> Step? {
    guard var item, case .requesting = item.phase else { return fetched(value, isRecent: false, item, known) }
    item.isContested = value != item.sent?.isFavorite
    item.isRenewed = false
    return Step(item: item, confirmed: value)
  }

  private static func interrupted(_ item: FavoritesItem?, _ known: Known) -> Step? {
    guard var item, case .requesting = item.phase, item.isCertain else { return nil }
    item.isCertain = false
    return Step(item: item, confirmed: known.confirmed)
  }
}
