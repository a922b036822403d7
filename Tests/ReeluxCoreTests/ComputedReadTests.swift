import ReeluxCore
import ReeluxTestSupport
import Testing

/// Line 97: if a read calls code of the app, the code runs outside of the section that excludes reducers.
@Suite(.timeLimit(.minutes(15))) struct ComputedReadTests {
  enum Action: Sendable, Equatable { case add(Int), look }

  struct State: Sendable {
    var count = 0
    var part: Part? = Part()
    let hook: Hook

    var computed: Int {
      hook.call()
      return count
    }
    var present: Int? { computed }
    var computedPart: Part? {
      get {
        hook.call()
        return part
      }
      set { part = newValue }
    }
  }

  struct Part: Sendable, Equatable { var count = 7 }

  /// The function that the getters call.
  final class Hook: Sendable {
    let work = Locked<(@Sendable () -> Void)?>(nil)
    func call() { work.withLock { $0 }?() }
  }

  /// The ways to read a computed property from another thread.
  enum Way: CaseIterable, Sendable {
    case select, everyTouch, present, closure, projection, projectionByPath, buffered, nested

    func reader(of store: Store<Action, State>) -> @Sendable () -> Int {
      switch self {
      case .select:
        let selection = store.select(\.computed)
        return { selection.state }
      case .everyTouch:
        let selection = store.select(everyTouch: \.computed)
        return { selection.state }
      case .present:
        let selection = store.select(present: \.present)
        return { selection.state ?? -1 }
      case .closure:
        let selection = store.select { $0.computed }
        return { selection.state }
      case .projection:
        let projection = store.projection(action: { (action: Action) in action }, state: { $0.computed })
        return { projection.state }
      case .projectionByPath:
        let projection = store.projection(action: { (action: Action) in action }, state: \.computed)
        return { projection.state }
      case .buffered:
        let projection = store.bufferedProjection(action: { (action: Action) in action }, state: { $0.computed })
        return { projection.state }
      case .nested:
        let projection = store.projection(action: { (action: Action) in action }, state: { $0 })
          .projection(action: { (action: Action) in action }, state: { $0.computed })
        return { projection.state }
      }
    }
  }

  static func store() -> (Store<Action, State>, Hook) {
    let hook = Hook()
    let store = Store<Action, State>(
      initialState: State(hook: hook),
      reducer: Reducer { action, state in if case .add(let number) = action { state.count += number } })
    return (store, hook)
  }

  @Test(.conformance(97), arguments: Way.allCases)
  func aGetterMayReadTheStoreAndDispatch(way: Way) async {
    let (store, hook) = Self.store()
    let read = way.reader(of: store)
    let value = await onThread {
      let isFirst = Locked(true)
      hook.work.withLock {
        $0 = { [weak store] in
          let first = isFirst.withLock { first in
            defer { first = false }
            return first
          }
          if !first { return }
          #expect(store?.state.count == 0)
          store?.dispatch(.add(5))
        }
      }
      return read()
    }
    hook.work.withLock { $0 = nil }
    #expect(value == 0 || value == 5)
    #expect(store.state.count == 5)
    #expect(read() == 5)
  }

  @Test(.conformance(97), arguments: Way.allCases)
  func aSlowGetterKeepsNoReducerWaiting(way: Way) async {
    let (store, hook) = Self.store()
    let read = way.reader(of: store)
    #expect(read() == 0)
    store.dispatch(.look)
    let count = await onThread {
      let begun = Semaphore()
      let proceed = Semaphore()
      let isFirst = Locked(true)
      hook.work.withLock {
        $0 = {
          let first = isFirst.withLock { first in
            defer { first = false }
            return first
          }
          guard first else { return }
          begun.signal()
          proceed.wait()
        }
      }
      let reader = WorkThread { _ = read() }
      begun.wait()
      store.dispatch(.add(1))
      let count = store.state.count
      proceed.signal()
      reader.join()
      return count
    }
    #expect(count == 1)
    hook.work.withLock { $0 = nil }
    #expect(read() == 1)
  }

  @Test(.conformance(97)) func anEffectsReadOfAnOptionalPartKeepsNoReducerWaiting() async {
    let (store, hook) = Self.store()
    let begun = Door()
    let proceed = Door()
    let seen = Journal<Int>()
    let part = Middleware<Action, Action, Part> { action, _, state in
      guard action == .look else { return .none }
      return .run { _ in
        begun.open()
        await proceed.pass()
        seen.write(state().count)
      }
    }
    store.install(Feature(middleware: part).lift(action: .identity, optional: \.computedPart))
    let task = store.dispatch(.look)
    await begun.pass()
    hook.work.withLock { work in
      work = { [weak store] in
        hook.work.withLock { $0 = nil }
        store?.dispatch(.add(1))
      }
    }
    proceed.open()
    await task.finish()
    #expect(seen.entries == [7])
    #expect(store.state.count == 1)
  }

  @Test(.conformance(97)) func twoMappingsThatReadEachOtherDoNotHang() async {
    let (store, _) = Self.store()
    let other = Locked<StoreProjection<Action, Int>?>(nil)
    let depth = Locked(0)
    let first = store.bufferedProjection(action: { (action: Action) in action }) { state in
      let mayGoOn = depth.withLock { depth in
        depth += 1
        return depth < 8
      }
      return state.count + (mayGoOn ? other.withLock { $0 }?.state ?? 0 : 0)
    }
    let second = store.bufferedProjection(action: { (action: Action) in action }) { state in first.state + state.count }
    other.withLock { $0 = second }
    let sums = await onThread {
      let sums = Journal<Int>()
      let threads = [WorkThread { sums.write(first.state) }, WorkThread { sums.write(second.state) }]
      for thread in threads { thread.join() }
      return sums.entries
    }
    #expect(sums == [0, 0])
    other.withLock { $0 = nil }
  }

  /// A computed property is read from a copy. The copy is made while no reducer runs.
  @Test(.conformance(9, 97)) func aGetterWaitsForTheReducerOfAnotherThread() async {
    let entered = Semaphore()
    let release = Semaphore()
    let store = Store<Action, State>(
      initialState: State(hook: Hook()),
      reducer: Reducer { action, state in
        guard case .add(let number) = action else { return }
        entered.signal()
        release.wait()
        state.count += number
      })
    let isWaiting = Semaphore()
    store.whenAReaderWaits { isWaiting.signal() }
    let selection = store.select(\.computed)
    let value = await onThread {
      let writer = WorkThread { store.dispatch(.add(5)) }
      entered.wait()
      let value = Locked(-1)
      let reader = WorkThread {
        let read = selection.state
        value.withLock { $0 = read }
      }
      isWaiting.wait()
      release.signal()
      writer.join()
      reader.join()
      return value.withLock { $0 }
    }
    #expect(value == 5)
  }
}
