import Dispatch
import Observation
import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Testing

/// The values that a control reads and writes.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct BindingTests {
  @Test func aWriteSendsTheActionWithThePlaceOfTheBinding() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    let line = UInt(#line + 1)
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    title.wrappedValue = "Metropolis"
    #expect(view.title == "Metropolis")
    #expect(title.wrappedValue == "Metropolis")
    #expect(sources.all.map(\.line) == [line])
  }

  @Test func aWriteOfTheShownValueSendsNothingUnlessItIsAskedFor() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    title.wrappedValue = "x"
    title.wrappedValue = "x"
    #expect(sources.all.count == 1)
    view.fieldBinding(\.title, send: Shelf.Action.title, sendsEqual: true).wrappedValue = "x"
    #expect(sources.all.count == 2)
  }

  @Test(.conformance(87)) func aTextFieldNeverReadsBackAnOldTextWhileOtherThreadsFloodTheStore() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf, waitLimit: .milliseconds(1))
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    let flood = Flood(of: shelf, threads: 2)
    var stale = 0
    for number in 0..<500 {
      title.wrappedValue = "text \(number)"
      if title.wrappedValue != "text \(number)" { stale += 1 }
      if view.title != "text \(number)" { stale += 1 }
      if number % 50 == 0 { await Task.yield() }
    }
    await flood.end()
    await shelf.settle()
    await Changes().turn()
    #expect(stale == 0)
    #expect(view.title == "text 499")
    #expect(shelf.state.title == "text 499")
  }

  @Test func aWrittenValueIsShownUntilItsActionIsReduced() async {
    let held = HeldStore()
    let view = MainActorStore(held.store, waitLimit: .zero)
    let limited = view.fieldBinding(\.limited, send: Shelf.Action.limited)
    let changes = Changes()
    changes.track("written") { view.limited }
    held.hold()
    limited.wrappedValue = "Metropolis"
    #expect(changes.names == ["written"])
    limited.wrappedValue = "Metropolis 1927"
    #expect(limited.wrappedValue == "Metropolis 1927")
    #expect(view.limited == "Metropolis 1927")
    #expect(held.store.state.limited == "")
    changes.track("reduced") { view.limited }
    held.letGo()
    await held.store.settle()
    await changes.turn()
    #expect(limited.wrappedValue == "Met")
    #expect(changes.names == ["written", "reduced"])
  }

  @Test func anOptionalFieldKeepsItsValueWhileAnotherFieldIsWritten() async {
    var state = Shelf()
    state.failure = "failure"
    let held = HeldStore(state)
    let view = MainActorStore(held.store, waitLimit: .zero)
    held.hold()
    view.fieldBinding(\.title, send: Shelf.Action.title).wrappedValue = "written"
    #expect(view.failure == "failure")
    view.fieldBinding(\.failure, send: Shelf.Action.fail).wrappedValue = nil
    #expect(view.failure == nil)
    held.letGo()
    await held.store.settle()
    await Changes().turn()
    #expect(held.store.state.failure == nil)
  }

  /// The state is unchanged, but the control shows the typed text and must read again.
  @Test func aWriteThatTheReducerDoesNotTakeOverMakesTheControlReadAgain() {
    let view = MainActorStore(Shelf.store())
    let limited = view.fieldBinding(\.limited, send: Shelf.Action.limited)
    limited.wrappedValue = "abc"
    let changes = Changes()
    changes.track("control") { limited.wrappedValue }
    limited.wrappedValue = "abcd"
    #expect(changes.names == ["control"])
    #expect(limited.wrappedValue == "abc")
  }

  /// Records the value that a read returns after each change, and tracks again.
  @MainActor private final class Reader {
    private(set) var values: [String] = []

    func track(_ read: @escaping @MainActor () -> String) {
      withObservationTracking {
        _ = read()
      } onChange: {
        MainActor.assumeIsolated {
          self.values.append(read())
          self.track(read)
        }
      }
    }
  }

  @Test func aTrackerThatTracksAgainIsCalledOnceForAWriteThatTheReducerAlters() {
    let view = MainActorStore(Shelf.store())
    let limited = view.fieldBinding(\.limited, send: Shelf.Action.limited)
    let reader = Reader()
    reader.track { limited.wrappedValue }
    limited.wrappedValue = "abcdef"
    #expect(reader.values == ["abc"])
    // The state does not change, but the control shows the written text.
    limited.wrappedValue = "abcd"
    #expect(reader.values == ["abc", "abc"])
    limited.wrappedValue = "x"
    #expect(reader.values == ["abc", "abc", "x"])
  }

  @Test func aWriteDuringAViewUpdateIsNotMissedByTheViewThatIsUpdated() async {
    let view = MainActorStore(Shelf.store())
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    let changes = Changes()
    var body = ""
    changes.track("body") {
      body = title.wrappedValue
      title.wrappedValue = "written in the body"
    }
    #expect(body == "")
    await changes.turn()
    #expect(changes.names == ["body"])
    #expect(title.wrappedValue == "written in the body")
  }

  /// The reducer keeps the value, so the field is unchanged while the body runs.
  @Test func aBodyThatWritesARejectedValueIsCalledForTheNextChange() {
    let view = MainActorStore(Shelf.store())
    let limited = view.fieldBinding(\.limited, send: Shelf.Action.limited)
    limited.wrappedValue = "abc"
    let changes = Changes()
    changes.track("body") {
      _ = limited.wrappedValue
      limited.wrappedValue = "abcd"
    }
    view.send(.limited("x"))
    #expect(changes.names == ["body"])
  }

  @Test func aBodyThatWritesToABusyStoreIsCalledWhenTheActionIsReduced() async {
    let held = HeldStore()
    let view = MainActorStore(held.store, waitLimit: .zero)
    let title = view.fieldBinding(\.title, send: Shelf.Action.title)
    let changes = Changes()
    held.hold()
    changes.track("body") {
      _ = title.wrappedValue
      title.wrappedValue = "written in the body"
    }
    held.letGo()
    await held.store.settle()
    await changes.turn()
    #expect(changes.names == ["body"])
  }

  /// The send of the body shows that the reducer has not accepted the written value, which the body has read before.
  @Test func aBodyThatReadAWrittenValueIsCalledIfItsSendEndsTheWrite() async {
    let held = HeldStore()
    let view = MainActorStore(held.store, waitLimit: .zero)
    let limited = view.fieldBinding(\.limited, send: Shelf.Action.limited)
    limited.wrappedValue = "abc"
    held.hold()
    limited.wrappedValue = "abcd"
    held.letGo()
    // It waits until both actions are reduced. The first store takes no turn meanwhile.
    MainActorStore(held.store, waitLimit: .seconds(100)).send(.count(1))
    let changes = Changes()
    var read = ""
    changes.track("body") {
      read = limited.wrappedValue
      view.send(.title("sent in the body"))
    }
    #expect(read == "abcd")
    #expect(limited.wrappedValue == "abc")
    await changes.turn()
    #expect(changes.names == ["body"])
  }

  /// The writes are reduced one after another, while the main actor looks which of them are reduced.
  @Test func eachWriteOfABusyStoreEnds() async {
    let ids = 0..<1_000
    var state = Shelf()
    state.films = ids.map { Shelf.Film(id: $0) }
    let held = HeldStore(state)
    let view = MainActorStore(held.store, waitLimit: .zero)
    let titles = ids.map { id in
      view.fieldBinding(\.films[id].title, send: { .film(ElementAction(id, .title($0))) })
    }
    held.hold()
    for title in titles { title.wrappedValue = "written" }
    held.letGo()
    for count in 0..<500 { view.send(.count(count)) }
    await held.store.settle()
    await Changes().turn()
    view.send(.films(ids.map { Shelf.Film(id: $0, title: "new") }))
    await Changes().turn()
    #expect(titles.filter { $0.wrappedValue != "new" }.count == 0)
  }

  /// A focused text field writes once more when its view disappears.
  @Test func aWriteToAPartThatHasGoneSendsNothing() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    view.send(.open(Shelf.Sheet(id: 1, text: "first")))
    let sheet = view.projection(action: Shelf.Action.sheet, optional: \.sheet)
    let text = sheet?.fieldBinding(\.text, send: Shelf.SheetAction.text)
    text?.wrappedValue = "typed"
    view.send(.close)
    let count = sources.all.count
    text?.wrappedValue = "typed again"
    #expect(sources.all.count == count)
    #expect(text?.wrappedValue == "typed")
    view.send(.open(Shelf.Sheet(id: 1, text: "second")))
    text?.wrappedValue = "late"
    #expect(view.sheet?.text == "second")
  }

  @Test(arguments: [true, false])
  func aWriteToAPartThatHasGoneCallsNoTracker(isBelow: Bool) {
    let view = MainActorStore(Shelf.store())
    view.send(.open(Shelf.Sheet(id: 1, text: "first")))
    var sheet = view.projection(action: Shelf.Action.sheet, optional: \.sheet)
    if isBelow { sheet = sheet?.projection(action: { (action: Shelf.SheetAction) in action }, state: \.self) }
    view.send(.close)
    let text = sheet?.fieldBinding(\.text, send: Shelf.SheetAction.text)
    let changes = Changes()
    changes.track("text") { text?.wrappedValue }
    text?.wrappedValue = "late"
    #expect(text?.wrappedValue == "first")
    #expect(changes.names == [])
  }

  @Test func aNavigationPathIsPushedAndPopped() {
    let view = MainActorStore(Shelf.store())
    let path = view.pathBinding(\.path, send: Shelf.Action.path)
    path.wrappedValue = [1]
    path.wrappedValue = [1, 2]
    #expect(view.path == [1, 2])
    path.wrappedValue = [1]
    #expect(view.path == [1])
  }

  @Test(arguments: [
    (now: [1, 2, 3], written: [1], result: [1]), (now: [7], written: [1], result: [7]),
    (now: [7, 8], written: [1, 2, 9], result: [7, 8]), (now: [], written: [1], result: []),
  ])
  func aPathThatWasWrittenLateOnlyGoesBack(now: [Int], written: [Int], result: [Int]) {
    let view = MainActorStore(Shelf.store())
    let path = view.pathBinding(\.path, send: Shelf.Action.path)
    path.wrappedValue = [1, 2]
    #expect(path.wrappedValue == [1, 2])
    view.send(.path(now))
    let changes = Changes()
    changes.track("stack") { view.path }
    path.wrappedValue = written
    #expect(view.path == result)
    #expect(changes.names == ["stack"])
  }

  /// Only the store has the new path, because the main actor has had no turn since the action.
  @Test(arguments: [
    (now: [7, 8], written: [9], result: [7, 8]), (now: [1, 2, 3], written: [1, 2, 9], result: [1, 2, 3]),
    (now: [1, 2, 3], written: [1], result: [1]), (now: [1, 2, 3], written: [1, 2], result: [1, 2, 3]),
  ])
  func aPathThatWasWrittenBeforeTheNewestIsShownOnlyGoesBack(now: [Int], written: [Int], result: [Int]) {
    let shelf = Shelf.store(Shelf(path: [1, 2]))
    let view = MainActorStore(shelf)
    let path = view.pathBinding(\.path, send: Shelf.Action.path)
    #expect(path.wrappedValue == [1, 2])
    shelf.dispatch(.path(now))
    path.wrappedValue = written
    #expect(shelf.state.path == result)
  }

  /// SwiftUI creates the binding again in each body, and writes through the last one.
  @Test func aPathBindingThatIsMadeAnewKnowsWhatTheStackHasRead() {
    let view = MainActorStore(Shelf.store())
    view.send(.path([1, 2]))
    #expect(view.pathBinding(\.path, send: Shelf.Action.path).wrappedValue == [1, 2])
    view.send(.path([7, 8]))
    view.pathBinding(\.path, send: Shelf.Action.path).wrappedValue = [1]
    #expect(view.path == [7, 8])
    #expect(view.pathBinding(\.path, send: Shelf.Action.path).wrappedValue == [7, 8])
    view.pathBinding(\.path, send: Shelf.Action.path).wrappedValue = [7]
    #expect(view.path == [7])
  }

  /// The ids of screens that contain state are a path that does not change with this state.
  @Test func aPathOfIDsGoesBackAfterAScreenHasChanged() {
    let view = MainActorStore(Shelf.store())
    view.send(.films([Shelf.Film(id: 1), Shelf.Film(id: 2)]))
    let path = view.pathBinding(\.filmIDs) { ids in .films(view.films.filter { ids.contains($0.id) }) }
    #expect(path.wrappedValue == [1, 2])
    view.send(.film(ElementAction(1, .title("changed"))))
    path.wrappedValue = [1]
    #expect(view.films == [Shelf.Film(id: 1, title: "changed")])
  }
}

extension Shelf {
  fileprivate var filmIDs: [Int] { films.map(\.id) }
}
