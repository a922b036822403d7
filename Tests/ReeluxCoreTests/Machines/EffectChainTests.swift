import ReeluxTestSupport
import Testing

@testable import ReeluxCore

/// An effect reuses the task of the effect whose last action started it.
@Suite(.timeLimit(.minutes(15))) struct EffectChainTests {
  /// A number for the current task.
  private static func taskNumber() -> Int {
    unsafe withUnsafeCurrentTask { unsafe $0.hashValue }
  }

  private static func run(
    in table: EffectTable, _ work: @escaping BoundWork = {}
  ) -> EffectRun {
    let run = EffectRun(in: table, owner: EffectOwner(), group: nil)
    run.work = { _ in await work() }
    _ = table.register(run)
    return run
  }

  @Test func anEffectThatWasCancelledBeforeDoesNotBegin() {
    let table = EffectTable()
    let began = Journal<Int>()
    let run = Self.run(in: table) { began.write(1) }
    table.cancel(run)
    run.createTask(on: nil)
    #expect(table.running.isEmpty)
    #expect(began.count == 0)
  }

  @Test func cancellingAnEffectCancelsItsTask() async {
    let table = EffectTable()
    let door = Door()
    let seen = Journal<Bool>()
    let run = Self.run(in: table) {
      await door.pass()
      seen.write(Task.isCancelled)
    }
    run.createTask(on: nil)
    await door.isReached()
    table.cancel(run)
    door.open()
    await seen.reaches(count: 1)
    #expect(seen.entries == [true])
  }

  @Test func anEffectThatIsCancelledBeforeItsTurnDoesNotBegin() async {
    let table = EffectTable()
    let seen = Journal<String>()
    let last = Self.run(in: table) { seen.write("last") }
    let cancelled = Self.run(in: table) { seen.write("cancelled") }
    let first = Self.run(in: table)
    first.work = { run in
      table.end(run)
      run.continueTask(with: cancelled)
      table.cancel(cancelled)
      seen.write("first")
    }
    first.createTask(on: nil)
    await first.currentTask?.value
    last.createTask(on: nil)
    await seen.reaches(count: 2)
    #expect(seen.entries == ["first", "last"])
    // The work of `last` does not end its effect. Closing the table removes it.
    table.close()
  }

  @Test func anEndedEffectGivesItsTaskAwayAndACancelledOneDoesNot() async {
    let table = EffectTable()
    let free = Journal<[Bool]>()
    let second = Self.run(in: table)
    let first = Self.run(in: table)
    second.work = { run in
      table.cancel(run)
      free.write([Task.isCancelled, table.end(run) != nil])
    }
    first.work = { run in
      let taskRun = table.end(run)
      free.write([taskRun === run])
      taskRun?.continueTask(with: second)
    }
    _ = Self.run(in: table)
    first.createTask(on: nil)
    await free.reaches(count: 2)
    #expect(free.entries == [[true], [true, false]])
    #expect(table.running.count == 1)
    table.close()
  }

  @Test(.conformance(52)) func aChainOfEffectsOfAChildStoreStaysInItsTask() async {
    let tasks = Journal<Int>()
    let child = Store<Int, Int>(initialState: 0, reducer: .identity).child(
      initialState: [], reducer: Reducer<Int, [Int]> { action, all in all.append(action) },
      middleware: Middleware { action, _, _ in
        guard action < 200 else { return .none }
        return .task {
          tasks.write(Self.taskNumber())
          return action + 1
        }
      })
    await child.dispatch(0).finish()
    #expect(child.state.local == Array(0...200))
    #expect(tasks.count == 200)
    #expect(Set(tasks.entries).count == 1)
  }

  @Test(.conformance(52)) func aChainOfEffectsStaysInItsTask() async {
    let tasks = Journal<Int>()
    let store = EffectTests.store { action in
      guard action < 200 else { return .none }
      return .task {
        tasks.write(Self.taskNumber())
        return action + 1
      }
    }
    await store.dispatch(0).finish()
    #expect(store.state == Array(0...200))
    #expect(tasks.count == 200)
    #expect(Set(tasks.entries).count == 1)
  }

  @Test(.conformance(50, 52)) func eachEffectOfAChainIsCancelledAlone() async {
    let doors = [Door(), Door()]
    let seen = Journal<String>()
    let store = EffectTests.store { action in
      switch action {
      case 0: .task { 1 }
      // Two effects start at once. One of them reuses the task of the first effect.
      case 1, 2:
        .task {
          await doors[action - 1].pass()
          seen.write("\(action) \(Task.isCancelled)")
          return action * 10
        }.cancellable(id: action) <> (action == 1 ? .send(2) : .none)
      case 3: .cancel(id: 2)
      case 10: .task { Task.isCancelled ? 12 : 11 }
      default: .none
      }
    }
    let chain = store.dispatch(0)
    for door in doors { await door.isReached() }
    store.dispatch(3)
    doors[1].open()
    doors[0].open()
    await chain.finish()
    await seen.reaches(count: 2)
    #expect(Set(seen.entries) == ["1 false", "2 true"])
    #expect(store.state == [0, 1, 2, 3, 10, 11])
    #expect(store.effects.running.isEmpty)
  }

  @Test(.conformance(52), arguments: 0..<200) func aCancelNeverMeetsTheSuccessor(seed: Int) async {
    // The effect is cancelled while it ends. Either its action is dropped, or the following effect is not cancelled.
    let store = EffectTests.store { action in
      switch action {
      case 0: .task { 1 }.cancellable(id: "first")
      case 1: .task { Task.isCancelled ? 3 : 2 }
      case 9: .cancel(id: "first")
      default: .none
      }
    }
    let chain = store.dispatch(0)
    let other = WorkThread {
      for _ in 0..<seed { _ = store.state }
      store.dispatch(9)
    }
    await chain.finish()
    await onThread { other.join() }
    await store.settle()
    #expect([[0, 9], [0, 1, 2, 9], [0, 1, 9, 2], [0, 9, 1, 2]].contains(store.state))
  }

  @Test(.conformance(52)) func whatAnEffectHeldIsFreeWhileItsSuccessorRuns() async {
    let door = Door()
    let ends = Journal<Void>()
    let token = Locked<Token?>(Token(ends))
    let store = EffectTests.store { action in
      switch action {
      case 0:
        let mine = token.withLock { $0.take() }
        return .task { withExtendedLifetime(mine) { 1 } }
      case 1:
        return .task {
          await door.pass()
          return 2
        }
      default: return .none
      }
    }
    let chain = store.dispatch(0)
    await store.reaches { $0 == [0, 1] }
    await ends.reaches(count: 1)
    #expect(store.effects.running.count == 1)
    door.open()
    await chain.finish()
    #expect(store.state == [0, 1, 2])
  }

  private enum RowAction: Sendable {
    case row(ElementAction<Int, Bool>)
    case remove, loaded
  }

  @Test(.conformance(64)) func whatAPartHeldIsFreeWhileTheNextEffectRuns() async {
    let row = Prism(case: RowAction.row) { if case .row(let it) = $0 { it } else { nil } }
    let door = Door()
    let ends = Journal<Void>()
    let store = Store<RowAction, [Int: Token]>(
      initialState: [1: Token(ends)],
      feature: Feature {
        Feature<Bool, Token>(middleware: Middleware { isLoaded, _, _ in isLoaded ? .none : .task { true } })
          .lift(action: row, element: .byKey(\.self))
        Reducer { action, rows in if case .remove = action { rows = [:] } }
        Middleware { action, _, _ in
          guard case .row(let row) = action, row.action else { return .none }
          return .task {
            await door.pass()
            return .loaded
          }
        }
      })
    let chain = store.dispatch(.row(ElementAction(1, false)))
    await door.isReached()
    store.dispatch(.remove)
    // The row's effect has ended, and the row has been removed.
    await ends.reaches(count: 1)
    door.open()
    await chain.finish()
  }

  @Test(.conformance(52)) func chainsWithoutAPauseLetOthersHaveTheirTurn() async {
    let isDone = Locked(false)
    let stores = (0..<16).map { _ in
      Store<Int, Int>(
        initialState: 0, reducer: Reducer { $1 = $0 },
        middleware: Middleware { action, _, _ in isDone.withLock { $0 } ? .none : .task { action + 1 } })
    }
    for store in stores { store.dispatch(0) }
    // There are more endless chains than threads, so this needs one of their threads.
    for store in stores { await store.reaches { $0 > 100 } }
    await Task { isDone.withLock { $0 = true } }.value
    for store in stores { await store.settle() }
  }
}
