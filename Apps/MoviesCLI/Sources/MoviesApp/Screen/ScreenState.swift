package import ReeluxLocation

/// What the full screen shows beside the app's own state: size, mode, search, selection, and the past.
package struct ScreenState: Codable, Equatable, Sendable {
  /// What the keys mean now.
  package enum Mode: String, Codable, Sendable {
    /// Keys move in the list of movies.
    case list
    /// Keys are the text of the search.
    case search
    /// Keys move in the log of actions.
    case log
    /// Any key leaves the help.
    case help
  }

  /// The order of the list.
  package enum Order: String, Codable, CaseIterable, Sendable {
    /// The catalogue's own order; best matches first while a search is typed.
    case catalog
    /// By title.
    case title
    /// By year.
    case year
  }

  /// The columns and rows of the terminal.
  package var size: ScreenSize

  /// What the keys mean now.
  package var mode = Mode.list

  /// The text of the search.
  package var query = ""

  /// The genre that is shown; `nil` for all.
  package var genre: String?

  /// The genres of the catalogue, by name.
  package var genres: [String] = []

  /// The order of the list.
  package var order = Order.catalog

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

  /// The share of requests that the simulated server lets fail, in per cent.
  package var failurePercent: Int

  /// The language whose alphabet the order of titles follows.
  package var language: String

  /// What the last key led to, or why it led to nothing.
  package var message: String?

  /// The way walked so far; every second point is dropped when there are more than 512.
  package var trail: [Coordinate] = []

  /// The actions so far, and the state after each.
  package var history = ScreenHistory()

  /// The index in the history of the state that is shown; `nil` for now.
  package var shownMoment: Int?

  /// The index of the selected action in the history; `nil` for the newest.
  package var selectedMoment: Int?

  /// Why the screen closes; `nil` while it is open.
  package var closing: Closing?

  /// Why a screen closes.
  package enum Closing: String, Codable, Sendable {
    /// The key for it was pressed.
    case quit
    /// The interrupt key was pressed.
    case interrupt
  }

  /// At most so many movies are listed.
  package static let resultLimit = 1000

  /// A screen of this size, in front of a server that fails so often.
  package init(size: ScreenSize, failurePercent: Int = 0, language: String = "") {
    self.size = size
    self.failurePercent = failurePercent
    self.language = language
  }

  /// The selected movie.
  package var selectedMovie: Movie.ID? { results.indices.contains(selection) ? results[selection] : nil }

  /// Whether a search is under way.
  package var isSearching: Bool { answered != request }

  /// Where the parts of the screen are.
  var layout: ScreenLayout { ScreenLayout(size: size) }

  /// What a search finds for this screen.
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

  /// Creates a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// What the list is asked to show.
package struct ScreenRequest: Codable, Hashable, Sendable {
  /// The text of the search; empty for all movies.
  package var query = ""
  /// A genre; `nil` for all.
  package var genre: String?
  /// The order.
  package var order = ScreenState.Order.catalog
  /// Whether only favourites are asked for.
  package var favoritesOnly = false
  /// The language whose alphabet the order of titles follows.
  package var language = ""

  /// The movies of a catalogue that the request asks for. Costs one pass over the catalogue, or a few with a search.
  package func movies(of movies: [Movie], isFavorite: (Movie.ID) -> Bool) -> [Movie] {
    var filter = MovieFilter()
    filter.genres = genre.map { [$0] } ?? []
    filter.favoritesOnly = favoritesOnly
    filter.language = language
    switch order {
    case .catalog: filter.order = nil
    case .title: filter.order = .title
    case .year: filter.order = .year
    }
    let words = query.split(separator: " ").map(String.init)
    let found = words.isEmpty ? movies : MovieSearch(words).result(in: movies).movies
    return filter.movies(of: found, isFavorite: isFavorite)
  }
}
