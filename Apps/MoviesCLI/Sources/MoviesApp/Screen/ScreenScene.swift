package import ReeluxFavorites
import ReeluxLocation

/// Everything that the screen shows, in the present or at an earlier moment. Drawing it is a pure function.
package struct ScreenScene: Sendable {
  /// The screen's own state.
  package var screen: ScreenState
  /// The catalogue.
  package var catalog: Catalog
  /// The favourites that are shown.
  package var favorites: FavoritesState<Movie.ID>
  /// The last step of the walk that is shown.
  package var step: WalkStep?
  /// The cinemas.
  package var cinemas: [Cinema]
  /// Whether the walk is in progress.
  package var isWalking: Bool
  /// Whether the catalogue is read at the moment that is shown.
  private let hasCatalog: Bool
  /// The number of favourites that the server has not confirmed in the present.
  private let unconfirmed: Int

  /// Creates a scene of the present. If the screen shows an earlier moment, creates the scene of that moment.
  package init(
    screen: ScreenState, catalog: Catalog, favorites: FavoritesState<Movie.ID>, step: WalkStep?, cinemas: [Cinema],
    isWalking: Bool
  ) {
    self.screen = screen
    self.catalog = catalog
    self.cinemas = cinemas
    self.isWalking = isWalking
    unconfirmed = favorites.pending.count
    let moments = screen.history.moments
    let past = screen.shownMoment.flatMap { moments.indices.contains($0) ? moments[$0].view : nil }
    self.favorites = past?.favorites ?? favorites
    self.step = past == nil ? step : past?.step
    hasCatalog = past?.hasCatalog ?? true
    if !hasCatalog {
      self.screen.results = []
      self.screen.total = 0
    }
  }

  /// The cells of the screen.
  package func grid() -> Grid {
    var grid = Grid(size: screen.layout.size)
    guard !screen.layout.isTooSmall else {
      let smallest = ScreenLayout.smallest
      let needs = "\(smallest.columns) x \(smallest.rows), q quits"
      let texts = closingText.map { [$0] } ?? ["too small: at least \(needs)", needs]
      let choices = texts.map { Prose.lines($0, to: grid.size.columns, limit: .max) }
      let lines = choices.first { $0.count <= grid.size.rows } ?? choices.last ?? []
      for (row, line) in lines.enumerated() { grid.write(line, at: 0, row) }
      return grid
    }
    drawTitle(&grid)
    drawSearch(&grid)
    if screen.mode == .help {
      drawHelp(&grid)
    } else {
      drawList(&grid)
      drawDetails(&grid)
    }
    if hasLog { drawLog(&grid) }
    drawHints(&grid)
    return grid
  }

  /// The mark of the selected row, which makes the row visible without colours.
  private static let selectionMark = "›"

  private var isPast: Bool { screen.shownMoment != nil }

  private func drawTitle(_ grid: inout Grid) {
    let columns = screen.size.columns
    var text = " Reelux movies  \(favoritesCount)"
    let pending = favorites.pending.count
    if pending > 0 { text += "  ♡ \(pending) not confirmed" }
    let refusals = [
      "  \(screen.failurePercent) % of changes refused (simulated)", "  \(screen.failurePercent) % refused (simulated)",
      "  \(screen.failurePercent) % refused",
    ]
    text += refusals.first { TextWidth.columns(text + $0) <= columns } ?? ""
    if let number = screen.shownNumber {
      text = " THE PAST, after action #\(number)  \(favoritesCount)  Esc: now"
    }
    grid.write(text, at: 0, 0, width: columns)
    grid.paint(0, from: 0, width: columns, isPast ? .past : .bar)
  }

  /// The number of favourites, if it is known.
  private var favoritesCount: String {
    if favorites.isLoaded { return "♥ \(favorites.count)" }
    return favorites.load.isUnderWay && !isPast ? "loading favourites …" : "favourites not loaded"
  }

  private func drawSearch(_ grid: inout Grid) {
    let isTyping = screen.mode == .search
    var column = grid.write("/ ", at: 1, 1, .faint) + 1
    // The end of the text is where the user types.
    let room = screen.size.columns < 80 ? 16 : 30
    let query = TextWidth.end(of: TextStyle.harmless(screen.query) + (isTyping ? "▏" : ""), within: room)
    column += grid.write(query, at: column, 1, isTyping ? .strong : .plain)
    let text = facts(within: screen.size.columns - column - 3)
    let place = max(column + 2, screen.size.columns - TextWidth.columns(text) - 1)
    grid.write(text, at: place, 1, .faint)
  }

  /// The filter, the order and the number of the movies. If there are too few columns, the genre is cut, then the names
  /// of the values and the order are left out.
  private func facts(within columns: Int) -> String {
    let order = screen.order?.rawValue ?? (screen.query.isEmpty ? "catalogue" : "best match")
    let genre = TextStyle.harmless(screen.genre ?? "all")
    let shown = screen.results.count < screen.total ? "\(Prose.grouped(screen.results.count)) of " : ""
    let count = screen.isSearching ? "searching …" : shown + Prose.count(screen.total, "movie")
    let only = screen.favoritesOnly
    let choices: [(before: String, after: [String], least: Int)] = [
      ("genre: ", ["order: \(order)"] + (only ? ["favourites only"] : []), 8),
      ("", [order] + (only ? ["♥ only"] : []), 8), ("", only ? ["♥ only"] : [], 4),
    ]
    var text = ""
    for choice in choices {
      let rest = ([""] + choice.after + (hasCatalog ? [count] : [])).joined(separator: "  ")
      let room = columns - TextWidth.columns(choice.before + rest)
      text = choice.before + TextWidth.shortened(genre, to: max(choice.least, room)) + rest
      if TextWidth.columns(text) <= columns { break }
    }
    return text
  }

  private func drawList(_ grid: inout Grid) {
    let layout = screen.layout
    if screen.results.isEmpty, !screen.isSearching || !hasCatalog {
      let text =
        if !hasCatalog {
          "there is no catalogue yet"
        } else if catalog.movies.isEmpty {
          "the catalogue has no movies"
        } else if screen.query.isEmpty {
          "nothing found; g and f change the filter"
        } else {
          "nothing found; Esc clears the search"
        }
      grid.write(text, at: 2, 3, width: layout.listColumns - 2, .faint)
    }
    let top = ScreenLayout.top(of: screen.results.count, selected: screen.selection, rows: layout.bodyRows)
    for (place, id) in screen.results.dropFirst(top).prefix(layout.bodyRows).enumerated() {
      guard let movie = catalog[id] else { continue }
      let row = 2 + place
      let (mark, look) = mark(of: id)
      grid.write(mark, at: 1, row, look)
      grid.write(movie.year.map(String.init) ?? "", at: layout.listColumns - 4, row, .faint)
      grid.write(movie.title, at: 3, row, width: layout.listColumns - 8)
      if top + place == screen.selection {
        if screen.mode != .log { grid.write(Self.selectionMark, at: 0, row) }
        grid.paint(row, from: 0, width: layout.listColumns, screen.mode == .log ? .strong : .selected)
      }
    }
  }

  /// The heart of a movie: full if the server has confirmed it, hollow during a request; `!` after a failure.
  private func mark(of id: Movie.ID) -> (String, Grid.Look) {
    if favorites.isPending(id) { return ("♡", .favorite) }
    if favorites.failure(of: id) != nil { return ("!", .bad) }
    return favorites.contains(id) ? ("♥", .favorite) : (" ", .plain)
  }

  private func drawDetails(_ grid: inout Grid) {
    let layout = screen.layout
    let (column, columns) = (layout.rightColumn, layout.rightColumns)
    var row = 2
    if let id = screen.selectedMovie, let movie = catalog[id] {
      for line in Prose.lines(movie.title, to: columns, limit: 2) {
        grid.write(line, at: column, row, width: columns, .strong)
        row += 1
      }
      let facts = [movie.year.map(String.init)].compactMap { $0 } + [movie.genres.joined(separator: ", ")]
      grid.write(facts.joined(separator: "  "), at: column, row, width: columns)
      let (text, look) = favoriteText(id)
      // A long reason takes rows of the map.
      for line in Prose.lines(text, to: columns, limit: max(1, min(6, 1 + layout.bodyRows - row))) {
        row += 1
        grid.write(line, at: column, row, width: columns, look)
      }
      row += 2
    }
    let rows = 2 + layout.bodyRows - row
    guard rows > 2 else { return }
    grid.write(walkText, at: column, row, width: columns, .faint)
    let map = WalkMap(
      cinemas: cinemas, trail: trail, place: step?.fix.coordinate, nearest: step?.nearest?.cinema.name)
    map.draw(in: &grid, column: column, row: row + 1, columns: columns, rows: rows - 1)
  }

  /// The way to the position. At an earlier moment, the trail of the screen continues after it. The way of an earlier
  /// walk is not known any more, so it has only its last point.
  var trail: [Coordinate] {
    guard let step else { return [] }
    guard isPast else { return screen.trail }
    let place = step.fix.coordinate
    return screen.trail.firstIndex(of: place).map { Array(screen.trail[...$0]) } ?? [place]
  }

  private func favoriteText(_ id: Movie.ID) -> (String, Grid.Look) {
    if let failure = favorites.failure(of: id) {
      return ("\(failure.kind == .refused ? "refused" : "failed"): \(failure.reason)", .bad)
    }
    switch (favorites.contains(id), favorites.isPending(id)) {
    case (true, true): return ("♡ favourite, not confirmed yet", .favorite)
    case (false, true): return ("♡ removed, not confirmed yet", .favorite)
    case (true, false): return ("♥ favourite, confirmed by the server", .favorite)
    case (false, false):
      if !favorites.isLoaded, let failure = favorites.load.failure { return ("not loaded: \(failure.reason)", .bad) }
      let hint = screen.mode == .list && !isPast ? "; Space adds it" : ""
      return (favorites.isLoaded ? "not a favourite\(hint)" : favoritesCount, .faint)
    }
  }

  private var walkText: String {
    let startsWalk = !isPast && screen.mode != .search
    guard let step else { return startsWalk ? "w: a walk to (fictional) cinemas" : "no walk" }
    var text = Prose.metres(step.distance)
    if let nearest = step.nearest { text += ", \(Prose.metres(nearest.metres)) to \(nearest.cinema.name)" }
    return text + (isWalking || isPast ? "" : " (stopped)")
  }

  private func drawLog(_ grid: inout Grid) {
    let layout = screen.layout
    let heading = layout.logHeading
    let moments = screen.history.moments
    grid.write(" actions", at: 0, heading)
    grid.write(
      "what #\(screen.selectedIndex.map { String(moments[$0].lastNumber) } ?? "–") changed", at: layout.rightColumn,
      heading
    )
    grid.paint(heading, from: 0, width: screen.size.columns, isPast ? .past : .bar)
    guard let selected = screen.selectedIndex else { return }
    let top = ScreenLayout.top(of: moments.count, selected: selected, rows: layout.logRows)
    for (place, moment) in moments.dropFirst(top).prefix(layout.logRows).enumerated() {
      let row = heading + 1 + place
      let repeated = moment.repetitions > 1 ? " ×\(moment.repetitions)" : ""
      let source = self.source(moment.source, columns: layout.listColumns * 2 / 5)
      let room = layout.listColumns - TextWidth.columns(source) - 2
      let titleRoom = max(8, room - TextWidth.columns(repeated) - 1)
      var text = "#\(moment.lastNumber) \(moment.title)"
      if moment.number < moment.lastNumber {
        let range = "#\(moment.number)–" + text
        if TextWidth.columns(range) <= titleRoom { text = range }
      }
      let title = TextWidth.shortened(text, to: titleRoom) + repeated
      grid.write(source, at: max(0, layout.listColumns - TextWidth.columns(source)), row, .faint)
      grid.write(title, at: 1, row, width: max(8, room))
      if top + place == selected {
        if screen.mode == .log { grid.write(Self.selectionMark, at: 0, row) }
        grid.paint(row, from: 0, width: layout.listColumns, screen.mode == .log ? .selected : .strong)
      }
    }
    let changes = moments[selected].changes
    var free = layout.logRows
    for (place, change) in changes.prefix(layout.logRows).enumerated() {
      // Each further change keeps a row.
      let limit = max(1, free - (changes.count - place - 1))
      for line in Prose.lines(change, to: layout.rightColumns, limit: limit) {
        grid.write(line, at: layout.rightColumn, heading + 1 + layout.logRows - free, width: layout.rightColumns)
        free -= 1
      }
    }
    if changes.isEmpty {
      grid.write("no visible change", at: layout.rightColumn, heading + 1, width: layout.rightColumns, .faint)
    }
  }

  /// A file and line within this number of columns. The line number is never cut.
  private func source(_ text: String, columns: Int) -> String {
    guard TextWidth.columns(text) > columns, let colon = text.lastIndex(of: ":") else { return text }
    let line = String(text[colon...])
    return TextWidth.shortened(String(text[..<colon]), to: max(1, columns - TextWidth.columns(line))) + line
  }

  /// The work for which the closing screen waits; `nil` if the screen is not closing.
  private var closingText: String? {
    guard screen.closing != nil else { return nil }
    let work = unconfirmed > 0 ? "saving \(Prose.count(unconfirmed, "change"))" : "waiting for the server"
    return "\(work) … ^C quits without waiting"
  }

  private func drawHints(_ grid: inout Grid) {
    let isNarrow = screen.size.columns < 80
    let hints =
      switch screen.mode {
      case .search: "type to search   ↑↓ choose   Enter keep   Esc clear"
      case .help: "any key closes the help"
      case .list where isPast && isNarrow, .log where isPast && isNarrow:
        "[ ] earlier/later  Enter restore ♥  Esc now  ? help  q quit"
      case .list where isPast, .log where isPast: "[ ] earlier/later   Enter restore ♥   Esc now   ? help   q quit"
      case .list where isNarrow: "Space ♥  / search  g genre  [ ] past  ? help  q quit"
      case .log where isNarrow: "Enter show its state  Tab list  [ ] past  ? help  q quit"
      case .list: "↑↓ choose  Space ♥  / search  g genre  w walk  [ ] past  u undo  ? help  q quit"
      case .log: "↑↓ choose   Enter show its state   Tab list   [ ] past   ? help   q quit"
      }
    let row = screen.size.rows - 1
    if let closingText {
      grid.write(" " + closingText, at: 0, row, .strong)
      return
    }
    let notice = favorites.notices.isEmpty || screen.hidesNotices ? nil : Self.damage
    let message = screen.message ?? notice
    grid.write(" " + (message ?? hints), at: 0, row, message == nil ? .faint : .strong)
  }

  /// The notice about a damaged file. The command prints its path and the reason at the end.
  private static let damage = "favourites file damaged; a change renames it. Esc: hide"

  /// The help. It fits the smallest screen: 13 lines of at most 57 columns.
  private static let help = [
    "↑↓ jk PgUp PgDn Home End choose a movie or an action",
    "Space or Enter           add to favourites, or remove",
    "/                        search; Enter keeps, Esc clears",
    "g  s  f                  genre, order, favourites only",
    "w                        start or stop a simulated walk",
    "u                        undo a change of favourites",
    "+  -                     server refuses more, or less",
    "Tab                      log: source, changes of actions",
    "[  ]                     1 action back, forward; Esc: now",
    "Enter, in the past       restore its favourites",
    "?  q  ^C  ^L             help, quit, quit at once, redraw",
    "",
    "♡ not confirmed  ♥ confirmed  ! refused  ◆ cinema  ● you",
  ]

  /// Whether the log is drawn. If the screen is small, the help takes its rows.
  private var hasLog: Bool { screen.mode != .help || screen.layout.bodyRows >= Self.help.count }

  private func drawHelp(_ grid: inout Grid) {
    for (place, line) in Self.help.enumerated() {
      grid.write(line, at: 2, 2 + place, width: screen.size.columns - 3)
    }
  }
}
