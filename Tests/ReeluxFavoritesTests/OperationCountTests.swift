import ReeluxCore
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// The cost of many items, as a number of operations.
@Suite(.timeLimit(.minutes(15))) struct OperationCountTests {
  /// A number of operations.
  final class Count: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
  }

  /// An id that counts how often the ids of its test are hashed.
  struct CountedID: Hashable, Sendable {
    var number: Int
    let hashes: Count

    static func == (one: Self, other: Self) -> Bool { one.number == other.number }

    func hash(into hasher: inout Hasher) {
      hashes.add()
      hasher.combine(number)
    }
  }

  @Test func readingThePendingItemsHashesNoID() {
    let hashes = Count()
    let ids = (1...100).map { CountedID(number: $0, hashes: hashes) }
    var state = FavoritesState<CountedID>()
    let reducer = Reducer<FavoritesAction<CountedID>, FavoritesState<CountedID>>.favorites()
    reducer.reduce(.setAll(ids, isFavorite: true), &state)
    let request = state.bookkeeping.slots[0].requests[0]
    reducer.reduce(.response(.failed(request, FavoritesFailure(.refused, "no"))), &state)
    let before = hashes.value
    #expect(state.pending == Array(ids.dropFirst()))
    #expect(hashes.value == before)
  }

  /// The number of hashes for many toggles of one item whose request has no response until the last toggle.
  private func hashes(ofToggles count: Int) async -> Int {
    let hashes = Count()
    let id = CountedID(number: 1, hashes: hashes)
    let calls = ScriptedCalls<Bool, Void>()
    let api = FavoritesAPI<CountedID>(fetch: { [] }, set: { try await calls($0.isFavorite) })
    let store = Store(
      initialState: FavoritesState(), feature: .favorites(api: api, policy: FavoritesPolicy(timeLimit: nil)))
    let handles = (0..<count).map { _ in store.dispatch(.toggle(id)) }
    await calls.pending(atLeast: 1)
    await calls.succeed(())
    await calls.pending(atLeast: 1)
    await calls.succeed(())
    for handle in handles { await handle.finish() }
    #expect(store.state.confirmed.isEmpty)
    return hashes.value
  }

  /// The number of hashes for many items, each of which is refused once.
  private func hashes(ofDelays count: Int) async -> Int {
    let hashes = Count()
    let api = FavoritesAPI<CountedID>(
      fetch: { [] }, set: { if $0.attempt == 1 { throw FavoritesFailure(.offline, "once") } })
    let store = Store(
      initialState: FavoritesState(),
      feature: .favorites(api: api, policy: FavoritesPolicy(timeLimit: nil, backoff: Backoff(first: .zero))))
    let handles = (0..<count).map { store.dispatch(.add(CountedID(number: $0, hashes: hashes))) }
    for handle in handles { await handle.finish() }
    #expect(store.state.confirmed.count == count)
    return hashes.value
  }

  @Test func delaysThatEndCostTimeProportionalToTheirNumber() async {
    let (few, many) = (await hashes(ofDelays: 200), await hashes(ofDelays: 800))
    #expect(many < few * 6)
  }

  @Test func manyTogglesOfOneItemCostTimeProportionalToTheirNumber() async {
    let (few, many) = (await hashes(ofToggles: 100), await hashes(ofToggles: 400))
    #expect(many < few * 6)
  }
}
