import Observation
import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Testing

/// Section C, fields with separate tracking.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ObservationTests {
  @Test(.conformance(33), arguments: [Base.store, .projection, .selection])
  func aReadOfOneFieldIsInvalidatedByAChangeOfThatFieldOnly(base: Base) async {
    let shelf = Shelf.store()
    let view = base.view(of: shelf)
    let changes = Changes()
    changes.track("count") { view.count }
    changes.track("title") { view.title }
    changes.track("initials") { view.initials }
    changes.track("city") { view[\.address.city] }
    await changes.after { shelf.dispatch(.count(0)) }
    #expect(changes.names == [])
    await changes.after { shelf.dispatch(.count(1)) }
    #expect(changes.names == ["count"])
    await changes.after { shelf.dispatch(.count(2)) }
    #expect(changes.names == ["count"])
    await changes.after { shelf.dispatch(.title("Maria")) }
    #expect(changes.names.sorted() == ["count", "initials", "title"])
    #expect(view.count == 2)
    #expect(view.initials == "M")
    changes.track("initials again") { view.initials }
    await changes.after { shelf.dispatch(.title("Max")) }
    #expect(!changes.names.contains("initials again"))
    await changes.after { shelf.dispatch(.title("Fritz")) }
    #expect(changes.names.contains("initials again"))
    await changes.after { shelf.dispatch(.street("Main Street")) }
    #expect(!changes.names.contains("city"))
    await changes.after { shelf.dispatch(.city("Berlin")) }
    #expect(changes.names.contains("city"))
  }

  @Test(.conformance(33)) func aTrackedClosureIsCalledOnceWhateverItRead() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("both") { (view.count, view.title) }
    view.send(.title("x"))
    view.send(.count(9))
    #expect(changes.names == ["both"])
  }

  @Test(.conformance(33)) func aFieldOfAProjectionIsTrackedByItself() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    let address = { view.projection(action: { (city: String) in .city(city) }, state: \.address) }
    changes.track("address as a whole") { view.address }
    changes.track("city") { address().city }
    changes.track("street") { address().street }
    view.send(.street("Main Street"))
    #expect(changes.names.sorted() == ["address as a whole", "street"])
    address().send("Berlin")
    #expect(changes.names.contains("city"))
    #expect(view.address == Shelf.Address(city: "Berlin", street: "Main Street"))
  }

  @Test(.conformance(33)) func aFieldIsTrackedThroughAnOptional() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    view.send(.open(Shelf.Sheet(id: 1, text: "a")))
    changes.track("text") { view[\.sheet?.text] }
    changes.track("id") { view[\.sheet?.id] }
    view.send(.sheet(.text("b")))
    #expect(changes.names == ["text"])
    view.send(.close)
    #expect(changes.names == ["text", "id"])
  }

  @Test func aTrackerThatReadsAgainInItsChangeReadsTheNewState() {
    let view = MainActorStore(Shelf.store())
    let seen = Changes()
    withObservationTracking {
      _ = view.count
    } onChange: {
      MainActor.assumeIsolated { seen.note("\(view.count)") }
    }
    view.send(.count(7))
    #expect(seen.names == ["7"])
  }

  @Test func aTrackedClosureThatSendsIsCalledInTheNextTurn() async {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("sender") {
      if view.count == 0 { view.send(.count(1)) }
    }
    #expect(changes.names == [])
    await changes.turn()
    #expect(changes.names == ["sender"])
  }

  @Test func aTrackedClosureThatSentWithoutAChangeIsNotCalledForALaterSend() async {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("sender") { view.send(.count(0)) }
    changes.track("title") { view.title }
    view.send(.title("Metropolis"))
    await changes.turn()
    #expect(changes.names == ["title"])
  }

  @Test func aFieldThatCannotBeComparedIsInvalidatedByEachUpdate() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("blob") { view.blob }
    view.send(.count(0))
    #expect(changes.names == ["blob"])
  }

  @Test(.conformance(33)) func aFieldThatAGenericFunctionReadIsComparedInItsOtherTrackers() {
    func read<Action, State, Value>(_ view: MainActorStore<Action, State>, _ path: KeyPath<State, Value>) -> Value {
      view[path]
    }
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("generic") { read(view, \.title) }
    changes.track("title") { view.title }
    view.send(.count(1))
    #expect(changes.names == ["generic"])
  }

  @Test(.conformance(64)) func theViewAndItsStoreAreReleased() async {
    var shelf: Store<Shelf.Action, Shelf>? = Shelf.store()
    let weakShelf = WeakReference(shelf)
    var view = shelf.map { MainActorStore($0) }
    let weakView = WeakReference(view)
    let changes = Changes()
    changes.track("count") { view?.count }
    _ = view?.projection(action: { (it: String) in .city(it) }, state: \.address).city
    view?.send(.count(3))
    shelf = nil
    #expect(weakShelf.object != nil)
    view = nil
    await changes.turn()
    #expect(weakView.object == nil)
    #expect(weakShelf.object == nil)
  }

  @Test(.conformance(64)) func aTrackedClosureThatSentWithoutAChangeIsReleased() async {
    let view = MainActorStore(Shelf.store())
    var changes: Changes? = Changes()
    let weakChanges = WeakReference(changes)
    changes?.track("sender") { view.send(.count(0)) }
    await changes?.turn()
    changes = nil
    #expect(weakChanges.object == nil)
  }
}
