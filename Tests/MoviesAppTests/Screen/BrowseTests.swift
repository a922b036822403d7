import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@testable import MoviesApp

/// The screen alone: it receives keys, changes its own state and sends intents.
@Suite(.timeLimit(.minutes(15))) struct ScreenFeatureTests {
  private static var state: ScreenState {
    var state = ScreenState(size: ScreenSize(columns: 80, rows: 24))
    state.results = ["a", "b", "c"]
    state.total = 3
    state.answered = state.request
    return state
  }

  private func store(_ state: ScreenState) -> TestStore<ScreenAction, ScreenState> {
    TestStore(initialState: state, feature: .screen)
  }

  @Test func arrowsMoveTheSelectionAndStopAtTheEnds() async {
    let store = store(Self.state)
    await store.send(.key(.down)) { $0.selection = 1 }
    await store.send(.key(.end)) { $0.selection = 2 }
    await store.send(.key(.text("j")))
    await store.send(.key(.home)) { $0.selection = 0 }
    await store.send(.key(.up))
    await store.assertFinished()
  }

  @Test func spaceAsksForTheSelectedMovie() async {
    let store = store(Self.state)
    await store.send(.key(.text(" ")))
    await store.receive(.asked(.toggleFavorite("a"))) { $0.hidesNotices = true }
    await store.assertFinished()
  }

  @Test(arguments: [ScreenKey.text(" "), .enter])
  func noFavouriteChangesWhileTheListIsThatOfAnEarlierRequest(key: ScreenKey) async {
    let store = store(Self.state)
    await store.send(.key(.text("f"))) { $0.favoritesOnly = true }
    await store.send(.key(key)) { $0.message = "still searching; press again when the results are shown" }
    var request = Self.state.request
    request.favoritesOnly = true
    await store.send(.found(request, ["c"], total: 1)) {
      $0.results = ["c"]
      $0.total = 1
      $0.answered = request
      $0.message = nil
    }
    await store.send(.key(key))
    await store.receive(.asked(.toggleFavorite("c"))) { $0.hidesNotices = true }
    await store.assertFinished()
    // There is no search if the catalogue cannot be read.
    let empty = self.store(ScreenState(size: Self.state.size))
    await empty.send(.key(key))
    await empty.assertFinished()
  }

  @Test func lettersAreTextWhileASearchIsTyped() async {
    let store = store(Self.state)
    await store.send(.key(.text("/"))) { $0.mode = .search }
    await store.send(.key(.text("q"))) { $0.query = "q" }
    await store.send(.key(.text("é"))) { $0.query = "qé" }
    await store.send(.key(.backspace)) { $0.query = "q" }
    await store.send(.key(.enter)) { $0.mode = .list }
    await store.send(.key(.text("q"))) { $0.closing = .quit }
    await store.assertFinished()
  }

  @Test func choosingAMovieDoesNotEndTheTypingOfASearch() async {
    let store = store(Self.state)
    await store.send(.key(.text("/"))) { $0.mode = .search }
    await store.send(.key(.down)) { $0.selection = 1 }
    await store.send(.key(.pageDown)) { $0.selection = 2 }
    await store.send(.key(.text("g"))) { $0.query = "g" }
    await store.send(.key(.pageUp)) { $0.selection = 0 }
    await store.send(.key(.enter)) { $0.mode = .list }
    await store.assertFinished()
  }

  @Test func pastedTextIsInsertedIntoTheSearchAndIgnoredElsewhere() async {
    let store = store(Self.state)
    await store.send(.key(.paste("q "))) { $0.message = "pasted text is ignored; in a search (/) it is inserted" }
    await store.send(.key(.text("/"))) {
      $0.message = nil
      $0.mode = .search
    }
    await store.send(.key(.text("a"))) { $0.query = "a" }
    await store.send(.key(.paste("b q"))) { $0.query = "ab q" }
    await store.assertFinished()
  }

  @Test func keysAfterTheQuittingKeyChangeNothing() async {
    let store = store(Self.state)
    await store.send(.key(.text("q"))) { $0.closing = .quit }
    for key in [.text(" "), .text("w"), .text("+"), .down, .text("?"), .paste("x")] as [ScreenKey] {
      await store.send(.key(key))
    }
    await store.send(.key(.interrupt)) { $0.closing = .interrupt }
    await store.send(.key(.text(" ")))
    await store.assertFinished()
  }

  @Test func escapeClearsAKeptSearch() async {
    let store = store(Self.state)
    await store.send(.key(.text("/"))) { $0.mode = .search }
    await store.send(.key(.text("n"))) { $0.query = "n" }
    await store.send(.key(.enter)) { $0.mode = .list }
    await store.send(.key(.tab)) { $0.mode = .log }
    await store.send(.key(.escape)) {
      $0.mode = .list
      $0.hidesNotices = true
    }
    await store.send(.key(.escape)) { $0.query = "" }
    await store.assertFinished()
  }

  @Test func theSelectionStaysOnItsMovieWhenTheListChanges() async {
    let store = store(Self.state)
    await store.send(.key(.end)) { $0.selection = 2 }
    await store.send(.found(ScreenRequest(), ["c", "a"], total: 2)) {
      $0.results = ["c", "a"]
      $0.total = 2
      $0.selection = 0
    }
    await store.assertFinished()
  }

  @Test func thePastIsLookedAtAndNotChanged() async {
    var state = Self.state
    for number in 1...3 {
      state.history.append(
        title: "action \(number)", isStep: false, view: ScreenMoment.View(favorites: FavoritesState(), step: nil))
    }
    let store = store(state)
    await store.send(.key(.text("["))) {
      $0.shownMoment = 1
      $0.selectedMoment = 1
    }
    await store.send(.key(.text(" "))) {
      $0.message = "an earlier state: Enter restores its favourites, Esc: now"
    }
    await store.send(.key(.enter)) { $0.message = "the favourites were not loaded in this state" }
    await store.assertFinished()
  }

  @Test func theNewestActionIsNotThePast() async {
    var state = Self.state
    state.history.append(
      title: "action", isStep: false, view: ScreenMoment.View(favorites: FavoritesState(), step: nil))
    let store = store(state)
    await store.send(.key(.text("[")))
    await store.send(.key(.tab)) { $0.mode = .log }
    await store.send(.key(.enter)) { $0.message = "this action led to the present; choose an earlier one" }
    await store.assertFinished()
  }

  @Test func aHistoryFoldsStepsAndForgetsTheOldest() {
    var history = ScreenHistory()
    let view = ScreenMoment.View(favorites: FavoritesState(), step: nil)
    for _ in 0..<5 { history.append(title: "moved", isStep: true, view: view) }
    #expect(history.moments.map(\.repetitions) == [5])
    for _ in 0..<ScreenHistory.limit { history.append(title: "other", isStep: false, view: view) }
    #expect(history.moments.count <= ScreenHistory.limit)
    // Each folded step has a number too.
    #expect(history.moments.last?.number == ScreenHistory.limit + 5)
  }
}

/// The screen in the app: search, favourites and earlier states.
@Suite(.timeLimit(.minutes(15))) struct BrowseTests {
  static let catalog = Catalog(
    name: "test",
    movies: [
      Movie(id: "metropolis-1927", title: "Metropolis", year: 1927, genres: ["Drama", "Science Fiction"]),
      Movie(id: "nosferatu-1922", title: "Nosferatu", year: 1922, genres: ["Horror"]),
      Movie(id: "sunrise-1927", title: "Sunrise", year: 1927, genres: ["Drama", "Romance"]),
    ])

  func store(
    api: FavoritesAPI<Movie.ID> = .mock(), clock: TestClock = TestClock(),
    last: Feature<AppAction, AppState> = .identity, setFailureRate: @escaping @Sendable (Double) -> Void = { _ in },
    isLoading: Bool = false
  ) async -> TestStore<AppAction, AppState> {
    let app = Feature<AppAction, AppState> {
      Feature<MoviesAction, MoviesState>.movies(from: CatalogSource { _, _ in Self.catalog })
        .lift(action: .movies, state: \.movies)
      Feature<FavoritesAction<Movie.ID>, FavoritesState<Movie.ID>>.favorites(
        api: api, policy: FavoritesPolicy(timeLimit: nil)
      )
      .lift(action: .favorites, state: \.favorites)
      Feature<ScreenAction, ScreenState>.screen.lift(action: .screen, optional: \.screen)
      Feature.browse(clock: clock, setFailureRate: setFailureRate)
      last
    }
    let store = TestStore(initialState: AppState(), feature: app, exhaustivity: [])
    await store.send(.screen(.opened(ScreenSize(columns: 80, rows: 24), failurePercent: 0)))
    await store.send(.movies(.load(file: nil)))
    await store.receive(where: { if case .screen(.found) = $0 { true } else { false } })
    await store.send(.favorites(.load))
    if !isLoading { await store.receive(where: { if case .favorites = $0 { true } else { false } }) }
    return store
  }

  func text(_ store: TestStore<AppAction, AppState>) -> String { store.state.scene?.grid().text ?? "" }

  @Test func theListShowsTheCatalogue() async {
    let store = await store()
    let rows = text(store).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(rows[1].hasSuffix("genre: all  order: catalogue  3 movies"))
    #expect(rows[2].hasPrefix("›  Metropolis                           1927  Metropolis"))
    #expect(rows[4].hasPrefix("   Sunrise"))
    #expect(rows.count == 24)
  }

  @Test func beforeTheCatalogueIsReadThePastShowsNoMovies() async {
    let store = await store()
    #expect(store.state.screen?.history.moments.first?.changes == ["the catalogue is being read"])
    for _ in 0..<5 { await store.send(.screen(.key(.text("[")))) }
    #expect(text(store).contains("THE PAST"))
    #expect(text(store).contains("there is no catalogue yet"))
    #expect(!text(store).contains("Metropolis") && !text(store).contains("3 movies"))
    await store.send(.screen(.key(.escape)))
    #expect(text(store).contains("Metropolis"))
  }

  @Test func theEndOfALongSearchIsShown() async {
    let store = await store()
    await store.send(.screen(.key(.text("/"))))
    await store.send(.screen(.key(.paste("the beginning of a search and its end"))))
    #expect(text(store).contains("ning of a search and its end▏"))
    #expect(!text(store).contains("the beginning"))
  }

  @Test func theScreenSaysThatItSavesUntilTheServerAnswers() async {
    let answers = ScriptedCalls<Bool, Void>()
    let api = FavoritesAPI<Movie.ID>(fetch: { [] }) { request in try await answers(request.isFavorite) }
    let store = await store(api: api)
    await store.send(.screen(.key(.text(" "))))
    await store.receive(where: { $0 == .favorites(.toggle("metropolis-1927")) })
    await store.send(.screen(.key(.text("q"))))
    #expect(!store.state.isScreenDone)
    #expect(text(store).contains("saving 1 change … ^C quits without waiting"))
    await answers.succeed(())
    await store.receive(where: { if case .favorites = $0 { true } else { false } })
    #expect(store.state.isScreenDone)
  }

  @Test(arguments: [ScreenSize(columns: 60, rows: 16), ScreenSize(columns: 80, rows: 20)])
  func theHelpFitsTheSmallestScreen(size: ScreenSize) async {
    let store = await store()
    await store.send(.screen(.resized(size)))
    #expect(text(store).contains("? help  q quit"))
    await store.send(.screen(.key(.text("?"))))
    let help = text(store)
    for part in [
      "Home End", "Space", "/ ", "g  s  f", "[  ]", "Enter, in the past", "?  q  ^C", "♡ not confirmed", "● you",
    ] {
      #expect(help.contains(part), "\(part)")
    }
    #expect(!help.contains("…"))
  }

  @Test func actionsHaveTheNumbersOfTheirRecording() async {
    let store = await store()
    await store.send(.screen(.key(.down)))
    await store.send(.favorites(.toggle("sunrise-1927")))
    let number = store.store.state.screen?.history.moments.last { $0.title == "favorites · toggle sunrise-1927" }?
      .number
    let index = store.history.firstIndex { $0.action == .favorites(.toggle("sunrise-1927")) }
    #expect(number == index.map { $0 + 1 })
  }

  @Test func typingSearchesOnceForTheLastText() async {
    let clock = TestClock()
    let store = await store(clock: clock)
    for key in ["/", "n", "o", "s"] { await store.send(.screen(.key(.text(key)))) }
    #expect(text(store).contains("searching …"))
    await clock.advance(by: .milliseconds(60))
    await store.receive(where: { $0 == .screen(.found(ScreenRequest(query: "nos"), ["nosferatu-1922"], total: 1)) })
    #expect(store.state.screen?.results == ["nosferatu-1922"])
    #expect(text(store).contains("order: best match  1 movie"))
  }

  @Test func aHeartIsHollowUntilTheServerHasConfirmed() async {
    let answers = ScriptedCalls<Bool, Void>()
    let api = FavoritesAPI<Movie.ID>(fetch: { [] }) { request in try await answers(request.isFavorite) }
    let store = await store(api: api)
    await store.send(.screen(.key(.text(" "))))
    await store.receive(where: { $0 == .favorites(.toggle("metropolis-1927")) })
    #expect(text(store).contains("›♡ Metropolis"))
    await answers.succeed(())
    await store.receive(where: { if case .favorites = $0 { true } else { false } })
    #expect(text(store).contains("›♥ Metropolis"))
  }

  @Test(arguments: [(.refused, "refused"), (.storage, "failed")] as [(FavoritesFailure.Kind, String)])
  func aFavouriteThatFailsFallsBackWithItsReason(kind: FavoritesFailure.Kind, word: String) async {
    let api = FavoritesAPI<Movie.ID>(fetch: { [] }) { _ in throw FavoritesFailure(kind, "no more than ten") }
    let store = await store(api: api)
    await store.send(.screen(.key(.text(" "))))
    await store.receive(where: { $0 == .favorites(.toggle("metropolis-1927")) })
    await store.receive(where: { if case .favorites = $0 { true } else { false } })
    #expect(text(store).contains("›! Metropolis"))
    #expect(text(store).contains("\(word): no more than ten"))
  }

  @Test func goingOnFromThePastMakesTheFavouritesWhatTheyWere() async {
    let store = await store()
    for _ in 0..<2 {
      await store.send(.screen(.key(.text(" "))))
      await store.receive(where: { if case .favorites(.toggle) = $0 { true } else { false } })
      await store.receive(where: { if case .favorites = $0 { true } else { false } })
      await store.send(.screen(.key(.down)))
    }
    #expect(store.state.favorites.ids == ["metropolis-1927", "nosferatu-1922"])
    let moments = store.state.screen?.history.moments ?? []
    guard let index = moments.lastIndex(where: { $0.view?.favorites.ids == ["metropolis-1927"] }) else {
      Issue.record("no moment has one favourite")
      return
    }
    for _ in index..<(moments.count - 1) { await store.send(.screen(.key(.text("[")))) }
    #expect(text(store).contains("THE PAST"))
    #expect(text(store).contains("♥ 1  Esc: now"))
    #expect(store.state.favorites.ids.count == 2)
    await store.send(.screen(.key(.enter)))
    await store.receive(where: { $0 == .favorites(.setAll(["nosferatu-1922"], isFavorite: false)) })
    #expect(store.state.favorites.ids == ["metropolis-1927"])
    #expect(!text(store).contains("THE PAST"))
  }

  @Test func goingOnFromThePastIsRightIfAFavouriteChangesMeanwhile() async {
    // This change comes after the decision to go on and before its changes.
    let change = Feature<AppAction, AppState>(
      middleware: Middleware { action, _, _ in
        guard case .screen(.asked(.restoreFavorites)) = action else { return .none }
        return .send(.favorites(.remove("metropolis-1927")))
      })
    let store = await store(last: change)
    let number = store.state.screen?.history.moments.last?.number ?? 0
    await store.send(.favorites(.add("metropolis-1927")))
    await store.send(.screen(.asked(.restoreFavorites(from: number))))
    await store.assertFinished()
    #expect(store.store.state.favorites.ids.isEmpty)
  }

  @Test(arguments: [(600, 1), (1, nil), (nil, nil)] as [(Int?, Int?)])
  func theShownMomentStaysTheSameWhenOlderOnesAreRemoved(shown: Int?, selected: Int?) {
    let reducer = Reducer<AppAction, AppState>.browse
    var state = AppState()
    _ = reducer.reduce(.screen(.opened(ScreenSize(columns: 80, rows: 24), failurePercent: 0)), &state)
    for _ in 0..<ScreenHistory.limit { _ = reducer.reduce(.favorites(.load), &state) }
    state.screen?.shownMoment = shown
    state.screen?.selectedMoment = selected ?? 700
    let number = state.screen?.shownNumber
    _ = reducer.reduce(.favorites(.load), &state)
    #expect((state.screen?.history.moments.count ?? 0) < ScreenHistory.limit)
    let isKept = (shown ?? 0) >= 500
    #expect(state.screen?.shownNumber == (isKept ? number : nil))
    #expect(state.screen?.shownMoment == (isKept ? 100 : nil))
    #expect(state.screen?.selectedMoment == (selected == nil ? 200 : nil))
  }

  @Test func eachActionIsDescribedByItsSourceAndWhatItChanged() async {
    let store = await store()
    await store.send(.favorites(.toggle("sunrise-1927")))
    await store.receive(where: { if case .screen(.described) = $0 { true } else { false } })
    let moment = store.state.screen?.history.moments.last { $0.title == "favorites · toggle sunrise-1927" }
    #expect(moment?.source.hasPrefix("BrowseTests.swift:") == true)
    #expect(moment?.changes.isEmpty == false)
  }

  @Test func theFailureRateChangesLive() async {
    let rates = DispatchedRates()
    let store = await store(setFailureRate: rates.add)
    await store.send(.screen(.key(.text("+"))))
    await store.receive(where: { $0 == .screen(.asked(.setFailurePercent(10))) })
    #expect(store.state.screen?.failurePercent == 10)
    await store.assertFinished()
    #expect(rates.all == [0.1])
  }
}

private final class DispatchedRates: Sendable {
  private let rates = Locked<[Double]>([])
  var all: [Double] { rates.withLock { $0 } }
  @Sendable func add(_ rate: Double) { rates.withLock { $0.append(rate) } }
}
