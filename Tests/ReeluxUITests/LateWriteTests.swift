import ReeluxCore
import ReeluxTestSupport
import Testing

@testable import ReeluxUI

/// Writes whose actions wait in the queue of a busy store.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct LateWriteTests {
  /// The store emits no change, so only the end of the action can request a turn.
  @Test func aWriteEndsAlsoIfTheStoreEmitsNothing() async {
    let held = HeldStore(emits: .never)
    let view = MainActorStore(held.store, waitLimit: .zero)
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    // The subscription has requested a turn.
    await Changes().turn()
    held.hold()
    title.wrappedValue = "written"
    #expect(title.wrappedValue == "written")
    held.letGo()
    await held.store.settle()
    await Changes().turn()
    #expect(title.wrappedValue == "")
  }

  /// The test itself ends the actions. There is no store that reduces them.
  @Test func anEarlierWriteThatEndsKeepsALaterOne() {
    var ends: [@MainActor () -> Void] = []
    let view = MainActorStore<Shelf.Action, Shelf>(
      shown: Shelf(), watch: { _ in }, newest: { nil },
      deliver: { _, _, end in
        ends.append(end)
        return .dropped
      })
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    title.wrappedValue = "first"
    title.wrappedValue = "second"
    ends[0]()
    #expect(title.wrappedValue == "second")
    ends[1]()
    #expect(title.wrappedValue == "")
  }

  /// A write that ended twice would call the tracker of the field, because the field has its old value again.
  @Test func aWriteEndsOnce() async {
    let held = HeldStore()
    let view = MainActorStore(held.store, waitLimit: .zero)
    held.hold()
    view.fieldBinding(\.title, send: Shelf.Action.title).wrappedValue = "written"
    held.letGo()
    await held.store.settle()
    await Changes().turn()
    #expect(view.title == "written")
    view.send(.title(""))
    let changes = Changes()
    changes.track("title") { view.title }
    view.send(.count(1))
    #expect(changes.names == [])
  }

  @Test func aLatchCanWaitForAnyDuration() async {
    // A latch that opens before the wait needs no deadline, so there are several.
    for _ in 0..<20 {
      let latch = ReductionLatch()
      Task.detached { latch.open() }
      #expect(latch.wait(atMost: .seconds(1e19)))
    }
  }

  @Test(arguments: [true, false]) func aLatchRequestsATurnWhenItIsOpen(isOpenBefore: Bool) async {
    let latch = ReductionLatch()
    let turn = MainActorTurn()
    let changes = Changes()
    turn.work = { changes.note("turn") }
    if isOpenBefore { latch.open() }
    latch.follow(with: turn)
    await changes.turn()
    #expect(changes.names == (isOpenBefore ? ["turn"] : []))
    latch.open()
    await changes.turn()
    #expect(changes.names == ["turn"])
  }
}
