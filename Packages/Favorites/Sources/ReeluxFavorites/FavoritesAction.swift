/// Actions of the favourites.
///
/// An app may send every case except ``response(_:)``, which the feature's middleware sends.
///
/// ```swift
/// store.dispatch(.load)
/// store.dispatch(.toggle("metropolis-1927"))
/// ```
public enum FavoritesAction<ID: Hashable & Sendable>: Equatable, Sendable {
  /// Fetch the server's favourites. A running fetch is not repeated.
  case load

  /// Add the item if it is not shown as a favourite. Remove it if it is.
  case toggle(ID)

  /// Add or remove the item. If this is already the pending intent, or the value of an item at rest, nothing happens.
  /// After a failure, the action is always processed: it removes the failure, and a request is sent unless the server
  /// is known to have this value.
  case set(ID, isFavorite: Bool)

  /// Add or remove all these items. ``undo`` treats this as one change.
  case setAll([ID], isFavorite: Bool)

  /// Remove all favourites. ``undo`` treats this as one change.
  case removeAll

  /// Send the failed intent again, or end the delay before its next attempt. A failed intent then counts as the newest
  /// one.
  case retry(ID)

  /// Send all failed or delayed intents again, in their order.
  case retryAll

  /// Undo the last change that is still shown. An undo cannot be undone.
  case undo

  /// Remove the failure of this item and the failed intent. Send this when the user has read the failure.
  case dismiss(ID)

  /// Remove the notices. Send this when the user has read them.
  case dismissNotices

  /// Follow the changes that the server reports, until ``unfollow``. Fetches the favourites too.
  ///
  /// Requires an API with ``FavoritesAPI/changes``. Without it, the middleware sends `unfollow`.
  case follow

  /// Stop following the server's changes.
  case unfollow

  /// Remove everything: favourites, requests, failures, notices and undo steps. Also stops following.
  ///
  /// Use it when the user signs out. Later responses to earlier requests are ignored.
  case reset

  /// A response of the server or the clock. The middleware sends it.
  case response(Response)

  /// A response of the server or the clock.
  public enum Response: Equatable, Sendable {
    /// A fetch returned the server's favourites.
    case loaded(FavoritesSnapshot<ID>, number: Int)

    /// A fetch failed.
    case loadFailed(FavoritesFailure, number: Int)

    /// The delay before the next fetch has passed.
    case loadDue(number: Int)

    /// The server has applied the request. `date`: the date of addition, in seconds since 1970, if known.
    case confirmed(FavoritesRequest<ID>, date: Double? = nil)

    /// The server has not applied the request, or the result is unknown.
    case failed(FavoritesRequest<ID>, FavoritesFailure)

    /// The requests in this slot have failed together: their time limit has passed, or ``FavoritesAPI/setSeveral``
    /// threw an error. For a slot with a single request, the middleware sends ``failed(_:_:)``.
    case expired(FavoritesFailure, slot: Int)

    /// The delay before the next attempt has passed.
    case due(ID, number: Int, attempt: Int)

    /// The requests in this slot are sent again. They were started in another run of the app, in another store, or
    /// before the state or the feature was removed from this store.
    case interrupted(slot: Int)

    /// This fetch is started again for the same reasons.
    case fetchInterrupted(number: Int)

    /// The stream of the server's changes is opened again for the same reasons.
    case followingInterrupted(number: Int)

    /// The server reported a change.
    case pushed(FavoritesChange<ID>, number: Int)

    /// The stream of the server's changes has ended. It is opened again after a delay.
    case followingEnded(FavoritesFailure?, number: Int)

    /// The delay before the stream is opened again has passed.
    case followingDue(number: Int)
  }
}

extension FavoritesAction {
  /// Add the item: `set(id, isFavorite: true)`.
  public static func add(_ id: ID) -> FavoritesAction { .set(id, isFavorite: true) }

  /// Remove the item: `set(id, isFavorite: false)`.
  public static func remove(_ id: ID) -> FavoritesAction { .set(id, isFavorite: false) }
}

extension FavoritesAction: Encodable where ID: Encodable {}
extension FavoritesAction: Decodable where ID: Decodable {}
extension FavoritesAction.Response: Encodable where ID: Encodable {}
extension FavoritesAction.Response: Decodable where ID: Decodable {}
