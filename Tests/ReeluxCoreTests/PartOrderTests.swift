import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Parts of a state whose end meets answers in the queue, several reducers, and parents.
extension PartLifetimeTests {
  @Test(.conformance(88)) func anAnswerInTheQueueOfAnEffectThatHasEndedIsDroppedWithItsPart() async {
    /// Signals when the effect's work was released: then the effect has ended.
    final class Work: Sendable {
      let end: Semaphore
      init(_ end: Semaphore) { self.end = end }
      deinit { end.signal() }
    }
    let (door, ended) = (Door(), Semaphore())
    let feature = Feature<Local, Row>(
      reducer: Reducer { action, row in if case .answer(let text) = action { row.answers.append(text) } },
      middleware: Middleware { action, _, _ in
        guard action == .load else { return .none }
        let work = Work(ended)
        return .task {
          await door.pass()
          return withExtendedLifetime(work) { .answer("old") }
        }
      })
    let store = Store(
      initialState: State(),
      feature: Feature {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Feature(reducer: Reducer { action, state in if case .change(let change) = action { change(&state) } })
      })
    let subscription = store.select(\.other).subscribe { value in
      guard value == 1 else { return }
      store.dispatch(.change { $0.rows.removeAll { $0.id == 1 } })
      store.dispatch(.change { $0.rows.append(Row(id: 1)) })
      door.open()
      ended.wait()
    }
    store.dispatch(.row(ElementAction(1, .load)))
    await door.isReached()
    // On a thread of its own: the effect needs one of the pool.
    await onThread { _ = store.dispatch(.change { $0.other = 1 }) }
    await store.settle()
    #expect(store.state.rows == [Row(id: 2), Row(id: 1)])
    subscription.cancel()
  }

  @Test(.conformance(88)) func aPartEndsWhateverReducerRemovesIt() async {
    let parts = Parts()
    let store = Store(
      initialState: State(),
      feature: Feature<Action, State> {
        parts.feature.lift(action: Self.row, element: .byID(\State.rows))
        Reducer<Action, [Row]>.partial { action, rows in
          guard case .other = action else { return false }
          rows.removeFirst()
          return true
        }.lift(action: .identity, state: \State.rows)
        Reducer<Action, Int>.partial { action, count in
          guard case .other = action else { return false }
          count += 1
          return true
        }.lift(action: .identity, state: \State.other)
      })
    store.dispatch(.row(ElementAction(1, .load)))
    store.dispatch(.other)
    #expect(store.effects.running.isEmpty)
    parts.door.open()
  }

  @Test(.conformance(90)) func aDetachedEffectIsNotCancelledWithTheParts() async {
    let door = Door()
    let feature = Feature<Local, Row>(
      middleware: Middleware { _, _, _ in Effect<Local>.run { _ in await door.pass() }.detached() })
    let store = Store(
      initialState: State(),
      feature: Feature<Action, State> {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Middleware { action, _, _ in if case .other = action { .cancel(everythingIn: \State.rows) } else { .none } }
      })
    store.dispatch(.row(ElementAction(1, .load)))
    store.dispatch(.other)
    #expect(store.effects.running.count == 1)
    door.open()
    await store.settle()
  }

  @Test(.conformance(90), arguments: ["send", "after-reducer work", "task"])
  func anEffectThatDoesNotStartWithItsPartReplacesNothing(kind: String) async {
    let (door, isCancelled, started) = (Door(), Journal<Bool>(), Journal<String>())
    let feature = Feature<Local, Row>(
      middleware: Middleware { action, _, _ in
        if action == .load {
          return Effect<Local>.run { _ in
            await door.pass()
            isCancelled.write(Task.isCancelled)
          }.cancellable(id: "save").detached()
        }
        let closing: Effect<Local> =
          switch kind {
          case "send": .send(.load)
          case "task":
            .task {
              started.write(kind)
              return .load
            }
          default: .afterReducer { _ in started.write(kind) }
          }
        return closing.cancellable(id: "save", cancelInFlight: true)
      })
    let store = Store(
      initialState: State(),
      feature: Feature<Action, State> {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Reducer.partial { action, state in
          guard case .row(let it) = action, case .answer = it.action else { return false }
          state.rows.removeAll { $0.id == it.id }
          return true
        }
      })
    store.dispatch(.row(ElementAction(1, .load)))
    await door.isReached()
    store.dispatch(.row(ElementAction(1, .answer("close"))))
    #expect(store.state.rows.map(\.id) == [2])
    door.open()
    await store.settle()
    #expect(isCancelled.entries == [false])
    #expect(started.entries == [])
  }

  @Test(.conformance(90)) func anElementCancelsWhatItsOwnPartsRun() async {
    struct List: Sendable, Identifiable { var id: String; var rows = [Row(id: 1)] }
    struct Lists: Sendable { var all = [List(id: "a"), List(id: "b")] }
    enum ListAction: Sendable { case row(ElementAction<Int, Local>), cancelRows }
    enum ListsAction: Sendable { case list(ElementAction<String, ListAction>) }
    let row = Prism(case: ListAction.row) { if case .row(let it) = $0 { it } else { nil } }
    let list = Prism(case: ListsAction.list) { if case .list(let it) = $0 { it } else { nil } }
    let parts = Parts()
    let feature = Feature<ListAction, List> {
      parts.feature.lift(action: row, element: .byID(\List.rows))
      Middleware { action, _, _ in if case .cancelRows = action { .cancel(everythingIn: \List.rows) } else { .none } }
    }
    let store = Store(initialState: Lists(), feature: feature.lift(action: list, element: .byID(\Lists.all)))
    for id in ["a", "b"] { store.dispatch(.list(ElementAction(id, .row(ElementAction(1, .load))))) }
    #expect(store.effects.running.count == 2)
    store.dispatch(.list(ElementAction("a", .cancelRows)))
    #expect(store.effects.running.count == 1)
    parts.door.open()
    await store.settle()
    #expect(store.state.all.map { $0.rows[0].answers } == [[], ["old"]])
  }

  @Test(.conformance(91)) func finishWaitsForWhatFollowsTheActionThatEndsItsEffectsPart() async {
    let (answer, save) = (Door(), Door())
    let events = Journal<String>()
    let feature = Feature<Local, Row>(
      middleware: Middleware { action, _, _ in
        guard action == .load else { return .none }
        return .task {
          await answer.pass()
          return .answer("")
        }
      })
    let store = Store(
      initialState: State(),
      feature: Feature<Action, State> {
        feature.lift(action: Self.row, element: .byID(\State.rows))
        Feature(
          reducer: .partial { action, state in
            guard case .row(let it) = action, case .answer = it.action else { return false }
            state.rows.removeAll { $0.id == it.id }
            return true
          },
          middleware: Middleware { action, _, _ in
            guard case .row(let it) = action, case .answer = it.action else { return .none }
            return .run { _ in
              await save.pass()
              events.write("saved")
            }
          })
      })
    let task = store.dispatch(.row(ElementAction(1, .load)))
    await answer.isReached()
    let started = Door()
    let waiting = Task {
      started.open()
      await task.finish()
      events.write("finished")
    }
    await started.pass()
    answer.open()
    await save.isReached()
    #expect(events.entries == [])
    save.open()
    await waiting.value
    #expect(events.entries == ["saved", "finished"])
  }

  @Test(.conformance(88, 89)) func aChangeOfAnElementInPlaceEndsOnlyPartsInsideOfIt() async {
    struct List: Sendable { var rows = [1: Row(id: 1)] }
    struct Lists: Sendable { var all = ["a": List(), "b": List()] }
    enum ListAction: Sendable { case row(ElementAction<Int, Local>), removeRows }
    enum ListsAction: Sendable { case list(ElementAction<String, ListAction>), remove(String) }
    let row = Prism(case: ListAction.row) { if case .row(let it) = $0 { it } else { nil } }
    let list = Prism(case: ListsAction.list) { if case .list(let it) = $0 { it } else { nil } }
    let (parts, waiting) = (Parts(), Door())
    let feature = Feature<ListAction, List> {
      parts.feature.lift(action: row, element: .byKey(\List.rows))
      Feature(
        reducer: .partial { action, list in
          guard case .removeRows = action else { return false }
          list.rows = [:]
          return true
        },
        middleware: Middleware { action, _, _ in
          guard case .row = action else { return .none }
          return .run { _ in await waiting.pass() }
        })
    }
    let store = Store(
      initialState: Lists(),
      feature: Feature<ListsAction, Lists> {
        feature.lift(action: list, element: .byKey(\Lists.all))
        Reducer<ListsAction, Lists>.partial { action, lists in
          guard case .remove(let key) = action else { return false }
          lists.all[key] = nil
          return true
        }
      })
    // Each list runs an effect of its own and one of its row.
    for key in ["a", "b"] { store.dispatch(.list(ElementAction(key, .row(ElementAction(1, .load))))) }
    #expect(store.effects.running.count == 4)
    store.dispatch(.list(ElementAction("a", .removeRows)))
    #expect(store.effects.running.count == 3)
    store.dispatch(.remove("a"))
    #expect(store.effects.running.count == 2)
    store.dispatch(.remove("b"))
    #expect(store.effects.running.isEmpty)
    parts.door.open()
    waiting.open()
  }

  @Test(.conformance(88)) func aChangeOfAnIDByIndexEndsThePartThatIsFoundByID() async {
    struct Named: Sendable, Identifiable { var id: Int }
    enum ListAction: Sendable { case row(ElementAction<Int, Local>), rename(ElementAction<Int, Int>) }
    let waiting = Door()
    let row = Prism(case: ListAction.row) { if case .row(let it) = $0 { it } else { nil } }
    let rename = Prism(case: ListAction.rename) { if case .rename(let it) = $0 { it } else { nil } }
    let loading = Feature<Local, Named>(
      middleware: Middleware { action, _, _ in action == .load ? .run { _ in await waiting.pass() } : .none })
    let store = Store(
      initialState: [Named(id: 1), Named(id: 2)],
      feature: Feature<ListAction, [Named]> {
        loading.lift(action: row, element: .byID(\.self))
        Feature<Int, Named>(reducer: Reducer { id, row in row.id = id }).lift(action: rename, element: .byIndex(\.self))
      })
    store.dispatch(.row(ElementAction(1, .load)))
    #expect(store.effects.running.count == 1)
    store.dispatch(.rename(ElementAction(0, 3)))
    #expect(store.effects.running.isEmpty)
    waiting.open()
  }

  @Test(.conformance(88)) func aChangeOfAnElementInPlaceEndsNoPartAtItsSide() async {
    let waiting = Door()
    enum ListAction: Sendable { case row(ElementAction<Int, Local>), remove(Int) }
    let row = Prism(case: ListAction.row) { if case .row(let it) = $0 { it } else { nil } }
    let feature = Feature<Local, Row>(
      reducer: Reducer { action, row in if case .answer(let text) = action { row.answers.append(text) } },
      middleware: Middleware { action, _, _ in
        action == .load ? .run { _ in await waiting.pass() } : .none
      })
    let store = Store(
      initialState: [1: Row(id: 1), 2: Row(id: 2)],
      feature: Feature<ListAction, [Int: Row]> {
        feature.lift(action: row, element: .byKey(\.self))
        Reducer<ListAction, [Int: Row]>.partial { action, rows in
          guard case .remove(let key) = action else { return false }
          rows[key] = nil
          return true
        }
      })
    store.dispatch(.row(ElementAction(2, .answer("before"))))
    store.dispatch(.row(ElementAction(1, .load)))
    store.dispatch(.row(ElementAction(2, .answer("in place"))))
    #expect(store.effects.running.count == 1)
    store.dispatch(.remove(1))
    #expect(store.effects.running.isEmpty)
    waiting.open()
  }

  @Test(.conformance(89)) func anActionForOneValueOfADictionaryLooksAtNoOtherPart() async {
    /// A key that counts how often it is compared or hashed.
    struct Key: Hashable, Sendable {
      let number: Int
      let uses: Journal<Int>
      static func == (lhs: Key, rhs: Key) -> Bool {
        lhs.uses.write(lhs.number)
        return lhs.number == rhs.number
      }
      func hash(into hasher: inout Hasher) {
        uses.write(number)
        hasher.combine(number)
      }
    }
    let (door, uses) = (Door(), Journal<Int>())
    let keys = (0..<50).map { Key(number: $0, uses: uses) }
    let feature = Feature<Bool, Int>(
      reducer: Reducer { _, number in number += 1 },
      middleware: Middleware { begins, _, _ in begins ? .fireAndForget { await door.pass() } : .none })
    let store = Store(
      initialState: Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) }),
      feature: feature.lift(action: .identity, element: .byKey(\[Key: Int].self)))
    for key in keys { store.dispatch(ElementAction(key, true)) }
    let subscription = store.subscribe { _ in }
    uses.clear()
    store.dispatch(ElementAction(keys[7], false))
    #expect(uses.count < 20)
    #expect(store.effects.running.count == 50)
    subscription.cancel()
    door.open()
    await store.settle()
  }

  @Test(.conformance(40)) func anEffectOfAPartDoesNotMakeTheNextReducerCopyItsCollections() {
    struct Page: Sendable { var rows = Array(repeating: 0, count: 1_000) }
    struct Book: Sendable { var page: Page? = Page() }
    let addresses = Journal<Int>()
    let feature = Feature<Int, Page>(
      reducer: Reducer { step, page in
        page.rows[step] += 1
        unsafe page.rows.withUnsafeBufferPointer { addresses.write(Int(bitPattern: $0.baseAddress)) }
      },
      middleware: Middleware { step, _, _ in step < 3 ? .send(step + 1) : .none })
    let store = Store(
      initialState: Book(), feature: feature.lift(action: .identity, optional: \Book.page))
    store.dispatch(0)
    #expect(addresses.count == 4)
    // The first action copies the array once, because it was a literal of the test.
    #expect(Set(addresses.entries.dropFirst()).count == 1)
  }
}
