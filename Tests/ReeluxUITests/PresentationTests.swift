import Observation
import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Testing

/// Sheets and alerts that are open while an optional part of the state has a value.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct PresentationTests {
  @Test func dismissingSendsTheActionOnce() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    view.send(.fail("no connection"))
    let alert = view.presentation(\.failure, dismiss: .fail(nil))
    #expect(alert.item == "no connection")
    alert.dismiss()
    alert.dismiss()
    #expect(!alert.isPresented)
    #expect(sources.all.count == 2)
  }

  @Test func aTrackerOfAnItemIsCalledWhenTheItemHasChanged() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    view.send(.fail("no connection"))
    let alert = view.presentation(\.failure, dismiss: .fail(nil))
    changes.track("item") { alert.item }
    changes.track("open") { alert.isPresented }
    view.send(.title("Shelf"))
    view.send(.fail("no connection"))
    #expect(changes.names == [])
    view.send(.fail("no server"))
    #expect(changes.names == ["item"])
    view.send(.fail(nil))
    #expect(changes.names == ["item", "open"])
  }

  @Test func dismissingABusyStoresPartTwiceSendsTheActionOnce() async {
    var shelf = Shelf()
    shelf.failure = "no connection"
    let held = HeldStore(shelf)
    let view = MainActorStore(held.store, waitLimit: .zero)
    let changes = Changes()
    let alert = { view.presentation(\.failure, dismiss: changes.dismissal) }
    #expect(alert().isPresented)
    held.hold()
    alert().dismiss()
    alert().dismiss()
    held.letGo()
    await held.store.settle()
    await changes.turn()
    #expect(!alert().isPresented)
    #expect(changes.names == ["dismissal"])
    view.send(.fail("again"))
    alert().dismiss()
    #expect(changes.names == ["dismissal", "dismissal"])
  }

  @Test func aPartThatWasNotRemovedCanBeDismissedAgain() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    view.send(.fail("no connection"))
    let alert = view.presentation(\.failure, dismiss: .title("not yet"))
    alert.dismiss()
    alert.dismiss()
    #expect(sources.all.count == 3)
  }

  @Test func aPartWithAnIdentityKeepsItAfterAGenericFunctionHasReadIt() {
    func presentation<Item: Sendable>(
      _ path: any KeyPath<Shelf, Item?> & Sendable, of view: MainActorStore<Shelf.Action, Shelf>
    ) -> Presentation<Item> {
      view.presentation(path, dismiss: .close)
    }
    let view = MainActorStore(Shelf.store())
    view.send(.open(Shelf.Sheet(id: 1)))
    #expect(presentation(\.sheet, of: view).isPresented)
    let first = view.projection(action: Shelf.Action.sheet, optional: \.sheet)
    view.send(.open(Shelf.Sheet(id: 2)))
    #expect(view.projection(action: Shelf.Action.sheet, optional: \.sheet) !== first)
    #expect(first?.id == 1)
  }

  @Test func aPresentationThatWasMadeBeforeItsPartCameCanBeDismissed() {
    let view = MainActorStore(Shelf.store())
    let sheet = view.presentation(\.sheet, dismiss: .close)
    view.send(.open(Shelf.Sheet(id: 1)))
    sheet.dismiss()
    #expect(view.sheet == nil)
  }

  /// SwiftUI writes `nil` when the animation of the first sheet has ended. The second sheet is already open.
  @Test func aLateDismissalDoesNotCloseTheNextSheet() {
    let view = MainActorStore(Shelf.store())
    view.send(.open(Shelf.Sheet(id: 1)))
    let first = view.presentation(\.sheet, dismiss: .close)
    #expect(first.item?.id == 1)
    view.send(.open(Shelf.Sheet(id: 2)))
    first.dismiss()
    #expect(view.sheet?.id == 2)
    view.presentation(\.sheet, dismiss: .close).dismiss()
    #expect(view.sheet == nil)
  }

  /// The alert's button shows another alert. The following dismissal belongs to the first one.
  @Test func anAlertThatWasShownByAButtonOfAnAlertStays() {
    let view = MainActorStore(Shelf.store())
    view.send(.fail("first"))
    let first = view.presentation(\.failure, dismiss: .fail(nil))
    #expect(first.isPresented)
    view.send(.fail(nil))
    view.send(.fail("second"))
    first.dismiss()
    #expect(view.failure == "second")
  }

  @Test func aChangeInsideASheetIsNoOtherSheet() {
    let view = MainActorStore(Shelf.store())
    view.send(.open(Shelf.Sheet(id: 1)))
    let sheet = view.presentation(\.sheet, dismiss: .close)
    let changes = Changes()
    changes.track("presentation") { sheet.isPresented }
    changes.track("text") { view.projection(action: Shelf.Action.sheet, optional: \.sheet)?.text }
    view.send(.sheet(.text("typed")))
    #expect(changes.names == ["text"])
    sheet.dismiss()
    #expect(view.sheet == nil)
    #expect(changes.names.contains("presentation"))
  }

  @Test func anActionOfAClosedSheetNeverReachesTheNextOne() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    let sheet = { view.projection(action: Shelf.Action.sheet, optional: \.sheet) }
    view.send(.open(Shelf.Sheet(id: 1, text: "first")))
    let first = sheet()
    view.send(.close)
    #expect(sheet() == nil)
    first?.send(.text("sent as the view disappears"))
    view.send(.open(Shelf.Sheet(id: 1, text: "second")))
    first?.send(.text("sent after the next one came"))
    #expect(view.sheet?.text == "second")
    #expect(first?.text == "first")
    #expect(sources.all.count == 3)
    #expect(sheet() !== first)
  }

  @Test func aSheetWithAnotherIdentityHasAnotherStore() {
    let view = MainActorStore(Shelf.store())
    let sheet = { view.projection(action: Shelf.Action.sheet, optional: \.sheet) }
    view.send(.open(Shelf.Sheet(id: 1, text: "first")))
    let first = sheet()
    #expect(sheet() === first)
    view.send(.open(Shelf.Sheet(id: 1, text: "the same")))
    #expect(sheet() === first)
    #expect(first?.text == "the same")
    view.send(.open(Shelf.Sheet(id: 2, text: "second")))
    #expect(sheet() !== first)
    #expect(first?.text == "the same")
    #expect(sheet()?.text == "second")
  }

  /// The action that removes a part also changes it. The view keeps showing the last state that contained the part.
  @Test func aPartThatHasGoneShowsNoOlderStateAfterANewerOne() {
    let view = MainActorStore(Shelf.store())
    view.send(.open(Shelf.Sheet(id: 1, text: "a")))
    let sheet = view.projection(action: Shelf.Action.sheet, optional: \.sheet)
    var texts: [String] = []
    let subscription = sheet?.observe(\.text) { texts.append($0) }
    sheet?.send(.text("b"))
    sheet?.send(.finish)
    sheet?.send(.text("c"))
    #expect(texts == ["a", "b"])
    subscription?.cancel()
  }
}

extension Changes {
  /// The action of a dismissal. Each read is recorded.
  fileprivate var dismissal: Shelf.Action {
    note("dismissal")
    return .fail(nil)
  }
}
