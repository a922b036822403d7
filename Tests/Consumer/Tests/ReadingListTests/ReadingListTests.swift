import ReeluxCore
import ReeluxTesting
import ReeluxFavorites
import Testing

@testable import ReadingList

/// The app's tests of what it took: with the package's testing product, from outside.
@Suite struct ReadingListTests {
  let book = ISBN(digits: "9780141439518")

  @Test func aFavoriteIsShownAtOnceAndConfirmedByTheServer() async {
    let saved = ScriptedCalls<Bool, Void>()
    let store = TestStore(
      initialState: ReadingState(),
      feature: .readingList(api: FavoritesAPI(fetch: { [] }, set: { _, value in try await saved(value) })))
    await store.send(.open(true)) { $0.isOpen = true }
    await store.send(.favorites(.toggle(book))) {
      let phase = FavoritesItem.Phase.requesting(value: true, attempt: 1, number: 2)
      $0.favorites.items[book] = FavoritesItem(wish: true, phase: phase, order: 1)
      $0.favorites.undoable = [FavoritesUndo(id: book, value: false)]
      $0.favorites.requesting = 1
      $0.favorites.lastNumber = 2
    }
    #expect(saved.pending == [true])
    await saved.succeed(())
    await store.receive(.favorites(.confirmed(FavoritesRequest(id: book, value: true, number: 2)))) {
      $0.favorites.confirmed = [book]
      $0.favorites.items = [:]
      $0.favorites.requesting = 0
    }
    await store.assertFinished()
  }

  @Test func aRefusedFavoriteIsNotShown() async {
    let api = FavoritesAPI<ISBN>(fetch: { [] }) { _, _ in throw FavoritesFailure(.refused, "no more than ten") }
    let store = Store(initialState: ReadingState(), feature: .readingList(api: api))
    await store.dispatch(.favorites(.add(book))).finish()
    #expect(!store.state.favorites.contains(book))
    #expect(store.state.favorites.failure(of: book)?.reason == "no more than ten")
  }
}
