/// What an action leads to: the changes of the state, and what the outside is asked to do.
///
/// The plan is made from the state before the action. The reducer carries out
/// the changes and the middleware the commands of one and the same plan, so
/// they cannot disagree, and neither needs a copy of the state.
@usableFromInline
struct FavoritesPlan<ID: Hashable & Sendable>: Sendable {
  /// Something that the outside is asked to do.
  @usableFromInline
  enum Command: Equatable, Sendable {
    /// Make this request.
    case request(FavoritesRequest<ID>)
    /// Say when the pause before this attempt is over.
    case pause(ID, number: Int, attempt: Int)
    /// This pause is not needed any more.
    case endPause(number: Int)
    /// Fetch the server's favourites.
    case fetch(number: Int)
    /// Say when the pause before this attempt to fetch is over.
    case pauseFetch(number: Int, attempt: Int)
  }

  /// The items that change; `nil` stands for rest.
  @usableFromInline var items: [(id: ID, item: FavoritesItem?)] = []
  /// The item whose confirmed value changes to this value.
  @usableFromInline var confirmed: (id: ID, value: Bool)?
  /// The state of fetching afterwards.
  @usableFromInline var load: FavoritesLoad?
  /// How many wishes are taken from the undoable ones.
  @usableFromInline var undone = 0
  /// The wish that can be undone from now on.
  @usableFromInline var undoable: FavoritesUndo<ID>?
  /// Everything confirmed afterwards, and what is to be told about it.
  @usableFromInline var snapshot: (confirmed: OrderedIDs<ID>, notices: [FavoritesNotice])?
  /// Whether the notices are forgotten.
  @usableFromInline var dismissesNotices = false
  /// The last number given afterwards.
  @usableFromInline var lastNumber: Int
  /// What the outside is asked to do.
  @usableFromInline var commands: [Command] = []

  @inlinable
  init(lastNumber: Int) {
    self.lastNumber = lastNumber
  }

  /// The next number for a request, a fetch or a wish.
  @inlinable
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
