package import ReeluxLocation

/// What one run of the program was asked to do, checked and typed.
package struct Invocation: Hashable, Sendable {
  /// The command and its own options.
  package enum Command: Hashable, Sendable {
    /// The narrated tour.
    case demo
    /// Movies that pass a filter.
    case list(MovieFilter)
    /// Movies whose titles contain the words.
    case search([String], limit: Int?)
    /// One movie.
    case show(Movie.ID)
    /// Changes of favourites.
    case favorite(FavoriteChange, [Movie.ID])
    /// The favourites.
    case favoriteList
    /// The simulated walk: a file, or the built-in one; `speed` is `nil` when it was not given.
    case track(file: String?, speed: TrackSpeed?)
    /// The cinemas around a place, or around the walk's start.
    case nearby(at: Coordinate?, radius: Double)
    /// A recording run again.
    case replay(ReplayRequest)
    /// A script of commands; `-` is standard input.
    case script(String)
    /// Every setting and where it came from.
    case settings(Settings)
    /// What teaches a shell the commands.
    case completions(Shell)
    /// The manual page.
    case manualPage
    /// A recording as a page.
    case report(file: String, output: String)
  }

  /// The command.
  package var command: Command

  /// Whether data are printed as JSON.
  package var json: Bool

  /// The options that are allowed everywhere.
  package var options: GlobalOptions
}
