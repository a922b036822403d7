/// What can happen to favourites: wishes of a person or the app, and answers of the outside.
///
/// Send the wishes; the middleware sends the answers.
///
/// ```swift
/// store.dispatch(.load)
/// store.dispatch(.toggle("metropolis-1927"))
/// ```
public enum FavoritesAction<ID: Hashable & Sendable>: Equatable, Sendable {
  // MARK: Wishes

  /// Fetch the server's favourites; joins a fetch that is under way.
  case load

  /// Make it the opposite of what is shown.
  case toggle(ID)

  /// Make it a favourite, or not; nothing happens if it is shown so already.
  case set(ID, Bool)

  /// Try the failed wish again, or the waiting one now.
  case retry(ID)

  /// Try every failed and waiting wish, in the order of wish; sends a `retry` for each.
  case retryAll

  /// Take the last wish back that is still seen; itself it can't be undone.
  case undo

  /// The failure of this item has been read: forget it, and the wish that failed.
  case dismiss(ID)

  /// The notices have been read: forget them.
  case dismissNotices

  // MARK: Answers

  /// The server's favourites have come.
  case loaded(FavoritesSnapshot<ID>, number: Int)

  /// The server's favourites have not come.
  case loadFailed(FavoritesFailure, number: Int)

  /// The pause before the next fetch is over.
  case loadDue(number: Int)

  /// The server did what the request said.
  case confirmed(FavoritesRequest<ID>)

  /// The server did not do what the request said, or it is not known whether it did.
  case failed(FavoritesRequest<ID>, FavoritesFailure)

  /// The pause before the next attempt is over.
  case due(ID, number: Int)
}

extension FavoritesAction {
  /// Make it a favourite: `set(id, true)`.
  @inlinable
  public static func add(_ id: ID) -> FavoritesAction { .set(id, true) }

  /// Make it a favourite no longer: `set(id, false)`.
  @inlinable
  public static func remove(_ id: ID) -> FavoritesAction { .set(id, false) }
}

extension FavoritesAction: Encodable where ID: Encodable {}
extension FavoritesAction: Decodable where ID: Decodable {}
