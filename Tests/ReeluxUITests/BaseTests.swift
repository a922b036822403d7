import FilmShelf
import ReeluxCore
import ReeluxFavorites
import ReeluxTestSupport
import ReeluxUI
import Testing

/// The types from which a main-actor store can be created, and an app that uses one.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct BaseTests {
  @Test func aChildStoreIsShownWithBothParts() async {
    let root = Shelf.store()
    let child = root.child(
      initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 }, toRoot: { .title("sum of \($0)") })
    let view = MainActorStore(child)
    let changes = Changes()
    changes.track("local") { view.local }
    changes.track("title") { view[\.root.title] }
    view.send(5)
    #expect(view.local == 5)
    #expect(view[\.root.title] == "sum of 5")
    #expect(changes.names.sorted() == ["local", "title"])
    await changes.after { root.dispatch(.title("of the root")) }
    #expect(view[\.root.title] == "of the root")
  }

  @Test func aStoreTypeOfYourOwnIsShown() async {
    struct Doubled: StoreType {
      let base: Store<Shelf.Action, Shelf>
      var state: Int { base.state.count * 2 }
      func dispatch(_ action: Int, from source: ActionSource) { base.dispatch(.count(action), from: source) }
      func subscribe(_ observer: @escaping @Sendable (Int) -> Void) -> Subscription {
        subscribe(end: {}, observer)
      }
      func subscribe(
        end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (Int) -> Void
      ) -> Subscription {
        base.subscribe(end: end) { observer($0.count * 2) }
      }
    }
    let shelf = Shelf.store()
    let view = MainActorStore(Doubled(base: shelf))
    view.send(4)
    #expect(view.state == 8)
    await Changes().after { shelf.dispatch(.count(5)) }
    #expect(view.state == 10)
  }

  @Test func aStoreThatIsGoneKeepsItsLastStateAndDropsActions() async {
    var shelf: Store<Shelf.Action, Shelf>? = Shelf.store()
    let projection = shelf?.projection(action: { (action: Shelf.Action) in action }, state: { $0 })
    let view = projection.map { MainActorStore($0) }
    view?.send(.count(3))
    shelf = nil
    await view?.send(.count(4)).finish()
    #expect(view?.count == 3)
  }

  /// The features of FilmShelf, as both of its user interfaces show them.
  @Test func filmShelfShowsAnAlertAfterAFavouriteWasRolledBack() async {
    let api = FavoritesAPI<Int>(
      fetch: { [] }, set: { _ in throw FavoritesFailure(.refused, "refused") })
    let view = MainActorStore(
      Store(initialState: ShelfState(), feature: .shelf(favorites: api, search: Film.search)))
    let alert = view.presentation(\.alert, dismiss: .dismissAlert)
    let isFavorite = { view[\.favorites[isFavorite: 2]] }
    let changes = Changes()
    changes.track("other row") { view[\.favorites[isFavorite: 3]] }
    #expect(alert.item == nil)
    let task = view.send(.favorites(.toggle(2)))
    await task.finish()
    await changes.turn()
    #expect(!isFavorite())
    #expect(alert.item?.message == "refused")
    alert.dismiss()
    #expect(alert.item == nil)
    #expect(changes.names == [])
  }
}
