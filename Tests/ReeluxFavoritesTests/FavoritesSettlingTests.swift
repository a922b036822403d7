import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// The waits of handles. Each test replaces the state that the waits read.
@Suite(.timeLimit(.minutes(15))) struct FavoritesSettlingTests {
  typealias ID = OperationCountTests.CountedID

  /// A state with one pending item. Its release shows that nothing refers to it.
  private final class Source: Sendable {
    let state: Locked<FavoritesState<ID>>
    private let released: @Sendable () -> Void

    init(_ id: ID, released: @escaping @Sendable () -> Void) {
      var state = FavoritesState<ID>()
      Reducer<FavoritesAction<ID>, FavoritesState<ID>>.favorites().reduce(.add(id), &state)
      self.state = Locked(state)
      self.released = released
    }

    deinit { released() }
  }

  private let settling = FavoritesSettling<ID>()
  private let id = ID(number: 1, hashes: OperationCountTests.Count())

  /// Waits for an item, or for all, until the item is at rest.
  private func waitAndSettle(_ id: ID?, _ source: Source) async {
    let state = GetState { source.state.withLock { $0 } }
    let store = Store(
      initialState: 0, reducer: .identity,
      middleware: Middleware<FavoritesAction<ID>, FavoritesAction<ID>, Int> { [settling] _, _, _ in
        settling.wait(for: id, state)
      })
    let handle = store.dispatch(.load)
    source.state.withLock { $0 = FavoritesState() }
    settling.recheckAll()
    await handle.finish()
  }

  @Test(.conformance(55)) func cancellingAWaitEndsIt() async {
    let wait = FavoritesSettling<Int>.Wait { false }
    let task = Task { await wait.value() }
    task.cancel()
    await task.value
    #expect(wait.isEnded)
  }

  @Test(arguments: [true, false]) func nothingRefersToAWaitThatHasEnded(isForOneItem: Bool) async {
    let isReleased = Locked(false)
    let changes = ChangeCounter()
    await waitAndSettle(
      isForOneItem ? id : nil,
      Source(id) {
        isReleased.withLock { $0 = true }
        changes.add()
      })
    #expect(await changes.wait(until: { isReleased.withLock { $0 } }, timeout: .seconds(120)))
  }

  @Test func aWaitThatHasEndedCostsNothingLater() async {
    await waitAndSettle(id, Source(id) {})
    let before = id.hashes.value
    settling.recheckAll()
    #expect(id.hashes.value == before)
  }
}
