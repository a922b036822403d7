package import ReeluxLocation

/// The state of the full screen: its size, mode, search, selection and history.
package struct ScreenState: Codable, Equatable, Sendable {
  /// The meaning of keys.
  package enum Mode: String, Codable, Sendable {
    /// Keys move in the list of movies.
    case list
    /// Keys are the text of the search.
    case search
    /// Keys move in the log of actions.
    case log
    /// Any key closes the help.
    case help
  }

  /// The columns and rows of the terminal.
  package var size: ScreenSize

  /// The current mode.
  package var mode = Mode.list

  /// The mode in which the help was opened; `nil` if the help is closed.
  package var modeBelowHelp: Mode?

  /// The text of the search.
  package var query = ""

  /// The genre that is shown; `nil` for all.
  package var genre: String?

  /// The genres of the catalogue, by name.
  package var genres: [String] = []

  /// The order of the list; `nil` for the catalogue's own, or for the best matches first if there is a search text.
  package var order: MovieFilter.Order?

  /// Whether only favourites are shown.
  package var favoritesOnly = false

  /// The movies that were found last, at most ``resultLimit``.
  package var results: [Movie.ID] = []

  /// The number of movies that were found last.
  package var total = 0

  /// The request that ``results`` answer; `nil` before the first answer.
  package var answered: ScreenRequest?

  /// The index of the selected movie in ``results``.
  package var selection = 0

  /// The percentage of changes that the simulated server refuses.
  package var failurePercent: Int

  /// The language that determines the order of titles.
  package var language: String

  /// The result of the last key, or the reason why it had none.
  package var message: String?

  /// Whether the notice about a damaged file is hidden.
  package var hidesNotices = false

  /// The points of the walk so far. If there are more than 512, every second one is removed.
  package var trail: [Coordinate] = []

  /// The actions so far, and the displayed state after each.
  package var history = ScreenHistory()

  /// The index in the history of the moment that is shown; `nil` for the present.
  package var shownMoment: Int?

  /// The index of the selected action in the history; `nil` for the newest.
  package var selectedMoment: Int?

  /// The reason why the screen closes; `nil` while it is open.
  package var closing: Closing?

  /// A reason to close the screen.
  package enum Closing: String, Codable, Sendable {
    /// The user pressed `q`. The screen stays open until the server has answered all requests.
    case quit
    /// The interrupt key was pressed.
    case interrupt
  }

  /// The largest number of listed movies.
  package static let resultLimit = 1000

  /// Creates the state of a screen.
  package init(size: ScreenSize, failurePercent: Int = 0, language: String = "") {
    self.size = size
    self.failurePercent = failurePercent
    self.language = language
  }

  /// The message for a key that needs the favourites before they are loaded.
  package static let loading = "the favourites are being loaded"

  /// The message for a key that needs the results of a running search.
  static let searching = "still searching; press again when the results are shown"

  /// Removes this message, which is not true any more, if it is the one that is shown.
  package mutating func withdraw(_ text: String) {
    if message == text { message = nil }
  }

  /// The selected movie.
  package var selectedMovie: Movie.ID? { results.indices.contains(selection) ? results[selection] : nil }

  /// Whether a search is in progress.
  package var isSearching: Bool { answered != request }

  var layout: ScreenLayout { ScreenLayout(size: size) }

  /// The request whose results the screen needs.
  package var request: ScreenRequest {
    ScreenRequest(query: query, genre: genre, order: order, favoritesOnly: favoritesOnly, language: language)
  }
}

/// The size of a terminal, in cells.
package struct ScreenSize: Codable, Hashable, Sendable {
  /// Cells in a row.
  package var columns: Int
  /// Rows.
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A request for the movies of the list.
package struct ScreenRequest: Codable, Hashable, Sendable {
  /// The text of the search; empty for all movies.
  package var query = ""
  /// A genre; `nil` for all.
  package var genre: String?
  /// The order; `nil` for the catalogue's own, or for the best matches first if there is a text.
  package var order: MovieFilter.Order?
  /// Whether only favourites are asked for.
  package var favoritesOnly = false
  /// The language whose alphabet the order of titles follows.
  package var language = ""

  /// The movies of a catalogue that match the request. Costs one pass over the catalogue, or up to four with a search,
  /// and a sort if there is an order.
  package func movies(of movies: Movies, isFavorite: (Movie.ID) -> Bool) -> Movies {
    var filter = MovieFilter()
    filter.genres = genre.map { [$0] } ?? []
    filter.favoritesOnly = favoritesOnly
    filter.language = language
    filter.order = order
    let words = query.split(separator: " ").map(String.init)
    let found = words.isEmpty ? movies : MovieSearch(words).result(in: movies).movies
    return filter.movies(of: found, isFavorite: isFavorite)
  }
}
