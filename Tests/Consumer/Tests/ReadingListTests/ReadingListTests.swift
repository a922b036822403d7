import ReeluxCore
import ReeluxTesting
import ReeluxFavorites
import Testing

@testable import ReadingList

/// The app's tests of the imported feature. They use the package's testing product from outside.
@Suite struct ReadingListTests {
  let book = ISBN(digits: "9780141439518")

  @Test func aFavoriteIsShownAtOnceAndConfirmedByTheServer() async {
    let saved = ScriptedCalls<Bool, Void>()
    let store = TestStore(
      initialState: ReadingState(),
      feature: .readingList(api: FavoritesAPI(fetch: { [] }, set: { try await saved($0.isFavorite) })),
      exhaustivity: [.receivedActions, .runningEffects])
    await store.send(.open(true)) { $0.isOpen = true }
    await store.send(.favorites(.toggle(book)))
    #expect(store.state.favorites.contains(book))
    #expect(store.state.favorites.isPending(book))
    #expect(saved.pending == [true])
    await saved.succeed(())
    let request = FavoritesRequest(id: book, isFavorite: true, number: 2)
    await store.receive(.favorites(.response(.confirmed(request)))) {
      $0.favorites.confirmed = [book]
    }
    await store.assertFinished()
  }

  @Test func aRefusedFavoriteIsNotShown() async {
    let api = FavoritesAPI<ISBN>(fetch: { [] }) { _ in throw FavoritesFailure(.refused, "no more than ten") }
    let store = Store(initialState: ReadingState(), feature: .readingList(api: api))
    await store.dispatch(.favorites(.add(book))).finish()
    #expect(!store.state.favorites.contains(book))
    #expect(store.state.favorites.failure(of: book)?.reason == "no more than ten")
  }
}
