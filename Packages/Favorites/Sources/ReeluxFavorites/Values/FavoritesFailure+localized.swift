public import Foundation

extension FavoritesFailure: LocalizedError {
  /// The same text as ``reason``.
  public var errorDescription: String? { reason }
}
