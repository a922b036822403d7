import ReeluxFavorites

/// What became of a wish about a favourite.
package struct FavoriteOutcome: Hashable, Sendable {
  /// How it ended.
  package enum Status: String, Sendable {
    /// It is a favourite.
    case added
    /// It is none.
    case removed
    /// It is as it was.
    case failed
  }

  /// The movie.
  package let id: Movie.ID

  /// How it ended.
  package let status: Status

  /// Why it failed.
  package let error: String?

  /// The exit code that it asks for.
  package let exitCode: ExitCode

  /// A wish that was not even tried.
  package init(refused id: Movie.ID, _ error: String) {
    self.id = id
    self.status = .failed
    self.error = error
    self.exitCode = .failed
  }

  /// The outcome of a wish that is not under way any more.
  package init(of id: Movie.ID, in state: AppState) {
    let failure = state.favorites.failure(of: id)
    self.id = id
    self.status = failure != nil ? .failed : state.favorites.contains(id) ? .added : .removed
    self.error = failure?.reason
    self.exitCode = failure.map { $0.kind == .storage ? .inputOutput : .failed } ?? .done
  }
}
