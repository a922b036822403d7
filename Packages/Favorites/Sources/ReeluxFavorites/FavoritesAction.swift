/// Actions of the favourites.
///
/// An app sends every case but ``response(_:)``, which the feature's middleware sends.
///
/// ```swift
/// store.dispatch(.load)
/// store.dispatch(.toggle("metropolis-1927"))
/// ```
public enum FavoritesAction<ID: Hashable & Sendable>: Equatable, Sendable {
  /// Fetch the server's favourites. If a fetch is running, no second one
  /// starts.
  case load

  /// Add the item if it is not shown as a favourite, otherwise remove it.
  case toggle(ID)

  /// Add the item, or remove it. If it is already shown so, nothing happens.
  case set(ID, isFavorite: Bool)

  /// Add all these items, or remove them all. ``undo`` takes this back as one change.
  case setAll([ID], isFavorite: Bool)

  /// Remove all favourites. ``undo`` takes this back as one change.
  case removeAll

  /// Send the failed intent again, or end the delay of a waiting one.
  case retry(ID)

  /// Send every failed and waiting intent again, in their order.
  case retryAll

  /// Undo the last change that is still shown. An undo cannot be undone.
  case undo

  /// Remove the failure of this item, and the intent that failed. Send it when
  /// the user has read it.
  case dismiss(ID)

  /// Remove the notices. Send it when the user has read them.
  case dismissNotices

  /// Follow the changes that the server reports by itself, until ``unfollow``; fetches the favourites too.
  ///
  /// It needs an API that has ``FavoritesAPI/changes``.
  case follow

  /// Stop following the server's own changes.
  case unfollow

  /// Remove everything: favourites, requests, failures, notices, undo steps, and following.
  ///
  /// For signing out. Later answers to earlier requests are ignored.
  case reset

  /// An answer of the server or the clock. The middleware sends it.
  case response(Response)

  /// An answer of the server or the clock.
  public enum Response: Equatable, Sendable {
    /// The server's favourites have come.
    case loaded(FavoritesSnapshot<ID>, number: Int)

    /// The server's favourites have not come.
    case loadFailed(FavoritesFailure, number: Int)

    /// The delay before the next fetch has passed.
    case loadDue(number: Int)

    /// The server has applied the request; `date`: the date of addition, in seconds since 1970, if it is known.
    case confirmed(FavoritesRequest<ID>, date: Double? = nil)

    /// The server has not applied the request, or it is not known whether it has.
    case failed(FavoritesRequest<ID>, FavoritesFailure)

    /// The time limit of the requests in this slot has passed.
    case expired(FavoritesFailure, place: Int)

    /// The delay before the next attempt has passed.
    case due(ID, number: Int, attempt: Int)

    /// The requests in this slot are sent again. They began in another run of the app or in another store, or before the
    /// state or the feature was removed from this store.
    case interrupted(place: Int)

    /// This fetch is sent again, for the same reasons.
    case fetchInterrupted(number: Int)

    /// The stream of the server's changes is opened again, for the same reasons.
    case followingInterrupted(number: Int)

    /// The server reported a change by itself.
    case pushed(FavoritesChange<ID>, number: Int)

    /// The stream of the server's own changes has ended; it is opened again.
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
