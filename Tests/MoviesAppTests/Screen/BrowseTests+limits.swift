import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@testable import MoviesApp

/// What the screen shows and does before the favourites are loaded, in a small terminal, and without movies.
extension BrowseTests {
  @Test func aMomentBeforeTheFavouritesWereLoadedRestoresNothing() async {
    let api = FavoritesAPI<Movie.ID>(fetch: { ["sunrise-1927"] }) { _ in }
    let store = await store(api: api)
    for key in ["[", "[", "[", "[", "["] { await store.send(.screen(.key(.text(key)))) }
    #expect(text(store).contains("favourites not loaded  Esc: now"))
    await store.send(.screen(.key(.enter)))
    #expect(text(store).contains("the favourites were not loaded in this state"))
    await store.settle()
    #expect(store.store.state.favorites.ids == ["sunrise-1927"])
    #expect(text(store).contains("THE PAST"))
  }

  @Test func aSmallScreenTakesOnlyTheKeysThatItNames() async {
    let store = await store()
    await store.send(.screen(.resized(ScreenSize(columns: 59, rows: 15))))
    for key in [ScreenKey.text(" "), .text("/"), .text("q"), .enter] {
      await store.send(.screen(.key(key)))
      if key != .enter { #expect((store.state.screen?.closing == .quit) == (key == .text("q"))) }
    }
    await store.settle()
    #expect(store.store.state.favorites.ids == [])
    #expect(store.state.screen?.mode == .list)
  }

  @Test func aSearchLeavesThePastAndItsAction() async {
    let store = await store()
    for key in ["[", "/"] { await store.send(.screen(.key(.text(key)))) }
    #expect(text(store).contains("back to now"))
    let screen = store.state.screen
    #expect(screen?.selectedIndex == (screen?.history.moments.count ?? 0) - 1)
  }

  @Test func aCatalogueWithoutMoviesIsNotSearchedForEver() async {
    let stage = await Stage(ScreenSize(columns: 80, rows: 24), catalog: Catalog(name: "empty", movies: []))
    #expect(stage.grid.text.contains("the catalogue has no movies"))
    #expect(stage.grid.text.contains("0 movies") && !stage.grid.text.contains("searching"))
  }

  @Test func theLogSaysThatARemovalIsConfirmed() async {
    let api = FavoritesAPI<Movie.ID>(fetch: { ["metropolis-1927"] }) { _ in }
    let store = await store(api: api)
    await store.send(.screen(.key(.text(" "))))
    await store.receive(where: { $0 == .favorites(.toggle("metropolis-1927")) })
    await store.receive(where: { if case .favorites = $0 { true } else { false } })
    await store.settle()
    #expect(
      store.store.state.screen?.history.moments.last?.changes
        == ["the server has confirmed that Metropolis is not a favourite"])
  }

  @Test func aNoticeIsShownUntilItIsHidden() async {
    let notice = FavoritesNotice(.damaged, "the file is damaged")
    let api = FavoritesAPI<Movie.ID>(fetch: { FavoritesSnapshot([], notices: [notice]) }) { _ in }
    let store = await store(api: api)
    #expect(text(store).contains("favourites file damaged; a change renames it. Esc: hide"))
    await store.send(.screen(.key(.escape)))
    #expect(!text(store).contains("damaged"))
    #expect(store.state.favorites.notices == [notice])
  }

  @Test func hugeScreenIsDrawnAtTheLargestSize() async {
    let store = await store()
    await store.send(.screen(.resized(ScreenSize(columns: 65_535, rows: 65_535))))
    #expect(store.state.screen?.layout.size == ScreenSize(columns: 1_000, rows: 1_000))
    #expect(text(store).split(separator: "\n", omittingEmptySubsequences: false).count <= 1_001)
  }

  @Test func undoingNothingIsAnswered() async {
    let store = await store()
    await store.send(.screen(.key(.text("u"))))
    await store.receive(where: { $0 == .screen(.asked(.undo)) })
    #expect(text(store).contains("there is nothing to undo"))
    await store.send(.screen(.key(.text(" "))))
    await store.settle()
    await store.send(.screen(.key(.text("u"))))
    await store.settle()
    #expect(store.store.state.favorites.ids == [])
    #expect(store.store.state.screen?.message == nil)
  }

  @Test func theNoticeOfARateNamesTheChanges() async {
    let store = await store()
    await store.send(.screen(.key(.text("+"))))
    await store.receive(where: { $0 == .screen(.asked(.setFailurePercent(10))) })
    #expect(text(store).contains("the simulated server now refuses 10 % of all changes"))
  }

  @Test(arguments: [ScreenKey.escape, .text(" ")])
  func aKeyDuringTheLoadingDoesNotHideALaterNotice(key: ScreenKey) async {
    let notice = FavoritesNotice(.damaged, "the file is damaged")
    let answer = ScriptedCalls<String, FavoritesSnapshot<Movie.ID>>()
    let api = FavoritesAPI<Movie.ID>(fetch: { try await answer("fetch") }) { _ in }
    let store = await store(api: api, isLoading: true)
    await store.send(.screen(.key(key)))
    await answer.succeed(FavoritesSnapshot([], notices: [notice]))
    await store.receive(where: { if case .favorites(.response) = $0 { true } else { false } })
    // The next key removes the message.
    await store.send(.screen(.key(.down)))
    #expect(text(store).contains("favourites file damaged; a change renames it. Esc: hide"))
  }

  @Test func theHelpReturnsToTheModeInWhichItWasOpened() async {
    let store = await store()
    await store.send(.screen(.key(.tab)))
    await store.send(.screen(.key(.text("?"))))
    #expect(store.state.screen?.mode == .help)
    await store.send(.screen(.key(.text("x"))))
    #expect(store.state.screen?.mode == .log)
    await store.send(.screen(.key(.tab)))
    await store.send(.screen(.key(.text("?"))))
    await store.send(.screen(.key(.enter)))
    #expect(store.state.screen?.mode == .list)
  }

  @Test(arguments: [true, false])
  func theMessageAboutTheLoadingEndsWithIt(isLoaded: Bool) async {
    let answer = ScriptedCalls<String, FavoritesSnapshot<Movie.ID>>()
    let api = FavoritesAPI<Movie.ID>(fetch: { try await answer("fetch") }) { _ in }
    let store = await store(api: api, isLoading: true)
    await store.send(.screen(.key(.text(" "))))
    await store.receive(where: { $0 == .screen(.asked(.toggleFavorite("metropolis-1927"))) })
    #expect(text(store).contains("the favourites are being loaded"))
    if isLoaded {
      await answer.succeed(["sunrise-1927"])
    } else {
      await answer.fail(FavoritesFailure(.refused, "no such user"))
    }
    await store.receive(where: { if case .favorites(.response) = $0 { true } else { false } })
    #expect(text(store).contains(isLoaded ? "♥ 1" : "favourites not loaded"))
    #expect(!text(store).contains("the favourites are being loaded"))
  }

  @Test func theEndOfTheLoadingKeepsOtherMessages() async {
    let answer = ScriptedCalls<String, FavoritesSnapshot<Movie.ID>>()
    let api = FavoritesAPI<Movie.ID>(fetch: { try await answer("fetch") }) { _ in }
    let store = await store(api: api, isLoading: true)
    await store.send(.screen(.key(.text("+"))))
    await answer.succeed([])
    await store.receive(where: { if case .favorites(.response) = $0 { true } else { false } })
    #expect(text(store).contains("the simulated server now refuses 10 %"))
  }

  @Test func theDetailsSayWhyTheFavouritesWereNotLoaded() async {
    let api = FavoritesAPI<Movie.ID>(fetch: { throw FavoritesFailure(.refused, "no such user") }) { _ in }
    let store = await store(api: api)
    #expect(text(store).contains("favourites not loaded"))
    #expect(text(store).contains("not loaded: no such user"))
  }
}
