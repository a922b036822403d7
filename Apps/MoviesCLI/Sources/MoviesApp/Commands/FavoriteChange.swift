/// A change of a favourite.
package enum FavoriteChange: String, Codable, CaseIterable, Hashable, Sendable {
  /// Becomes a favourite.
  case add
  /// Is one no more.
  case remove
  /// Becomes one if it is none, and the other way round.
  case toggle
}
