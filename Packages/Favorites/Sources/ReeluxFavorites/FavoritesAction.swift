/// What can happen to favourites.
///
/// An app sends every case but ``response(_:)``, which the feature's middleware sends.
///
/// ```swift
/// store.dispatch(.load)
/// store.dispatch(.toggle("metropolis-1927"))
/// ```
public enum FavoritesAction<ID: Hashable & Sendable>: Equatable, Sendable {
  /// Fetch the server's favourites; joins a fetch that is under way.
  case load

  /// Make it the opposite of what is shown.
  case toggle(ID)

  /// Make it a favourite, or not; nothing happens if it is shown so already.
  case set(ID, isFavorite: Bool)

  /// Make all of these favourites, or none of them; ``undo`` takes it back as one change.
  case setAll([ID], isFavorite: Bool)

  /// Make everything that is shown a favourite no longer; ``undo`` takes it back as one change.
  case removeAll

  /// Try the failed intent again, or the waiting one now.
  case retry(ID)

  /// Try every failed and waiting intent, in the order of intent.
  case retryAll

  /// Take the last change back that still shows; this itself cannot be undone.
  case undo

  /// The failure of this item has been read: forget it, and the intent that failed.
  case dismiss(ID)

  /// The notices have been read: forget them.
  case dismissNotices

  /// Follow the changes that the server reports by itself, until ``unfollow``; fetches the favourites too.
  ///
  /// Nothing is reported unless the API has ``FavoritesAPI/changes``.
  case follow

  /// Follow the server's own changes no longer.
  case unfollow

  /// Forget everything: favourites, requests, failures, notices, what can be undone, and following.
  ///
  /// For signing out. An answer to an earlier request is ignored when it comes.
  case reset

  /// What the outside answered; sent by the middleware.
  case response(Response)

  /// What the outside answered.
  public enum Response: Equatable, Sendable {
    /// The server's favourites have come.
    case loaded(FavoritesSnapshot<ID>, number: Int)

    /// The server's favourites have not come.
    case loadFailed(FavoritesFailure, number: Int)

    /// The delay before the next fetch has passed.
    case loadDue(number: Int)

    /// The server did what the request said; `date`: the date of addition, in seconds since 1970, if it is known.
    case confirmed(FavoritesRequest<ID>, date: Double? = nil)

    /// The server did not do what the request said, or it is not known whether it did.
    case failed(FavoritesRequest<ID>, FavoritesFailure)

    /// The time limit of the requests in this place has passed.
    case expired(FavoritesFailure, place: Int)

    /// The delay before the next attempt has passed.
    case due(ID, number: Int, attempt: Int)

    /// Requests are made again that began before this store, or before the feature was removed from it.
    case interrupted

    /// The server reported a change by itself.
    case pushed(FavoritesChange<ID>, number: Int)

    /// The stream of the server's own changes has ended; it is opened again.
    case followingEnded(FavoritesFailure?, number: Int)

    /// The delay before the stream is opened again has passed.
    case followingDue(number: Int)
  }
}

extension FavoritesAction {
  /// Make it a favourite: `set(id, isFavorite: true)`.
  public static func add(_ id: ID) -> FavoritesAction { .set(id, isFavorite: true) }

  /// Make it a favourite no longer: `set(id, isFavorite: false)`.
  public static func remove(_ id: ID) -> FavoritesAction { .set(id, isFavorite: false) }
}

extension FavoritesAction: Encodable where ID: Encodable {}
extension FavoritesAction: Decodable where ID: Decodable {}
extension FavoritesAction.Response: Encodable where ID: Encodable {}
extension FavoritesAction.Response: Decodable where ID: Decodable {}
