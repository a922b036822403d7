import Foundation
import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import ReeluxFavorites
import Testing

/// The whole feature with favourites in a file.
@Suite(.timeLimit(.minutes(15))) struct MockStorageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func store(failures: FavoritesFailures = .none) -> Store<FavoritesAction<String>, FavoritesState<String>> {
    Store(
      initialState: FavoritesState(),
      feature: .favorites(
        api: .mock(failures: failures, storage: .file(at: folder.file)), policy: FavoritesPolicy(timeLimit: nil),
        clock: ImmediateClock()))
  }

  @Test(.conformance(85)) func whatWasConfirmedIsThereInTheNextRun() async {
    let first = store()
    await first.dispatch(.add("metropolis-1927")).finish()
    await first.dispatch(.add("nosferatu-1922")).finish()
    #expect(first.state.isSettled)
    let second = store()
    await second.dispatch(.load).finish()
    #expect(second.state.ids == ["metropolis-1927", "nosferatu-1922"])
  }

  @Test func whatWasRefusedIsNotKept() async throws {
    let refused = store(failures: FavoritesFailures(rate: 1, kinds: [.refused]))
    await refused.dispatch(.add("metropolis-1927")).finish()
    #expect(refused.state.failure(of: "metropolis-1927")?.kind == .refused)
    // The lock file is not created either.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let next = store()
    await next.dispatch(.load).finish()
    #expect(next.state.ids == [])
  }

  @Test(.conformance(85)) func aDamagedFileIsToldInTheState() async throws {
    try folder.write("broken")
    let store = store()
    await store.dispatch(.load).finish()
    #expect(store.state.notices.map(\.kind) == [.damaged])
    #expect(store.state.ids == [])
    await store.dispatch(.add("nosferatu-1922")).finish()
    #expect(try folder.text(of: "favorites.json.damaged-1") == "broken")
    #expect(store.state.confirmed == ["nosferatu-1922"])
  }

  @Test(.conformance(85)) func aRemovedFileIsToldByTheFirstChange() async throws {
    let store = store()
    await store.dispatch(.add("metropolis-1927")).finish()
    try FileManager.default.removeItem(atPath: folder.file)
    await store.dispatch(.add("faust-1926")).finish()
    #expect(store.state.failure(of: "faust-1926")?.kind == .conflict)
    #expect(store.state.ids == [])
    await store.dispatch(.retry("faust-1926")).finish()
    #expect(store.state.confirmed == ["faust-1926"])
  }

  @Test func aPlaceThatCannotBeWrittenRollsBackAndSaysWhere() async throws {
    try folder.write("", to: "plain")
    let path = folder.path + "/plain/favorites.json"
    let store = Store(
      initialState: FavoritesState<String>(),
      feature: .favorites(api: .mock(storage: .file(at: path)), policy: FavoritesPolicy(timeLimit: nil)))
    await store.dispatch(.add("x")).finish()
    #expect(store.state.ids == [])
    #expect(store.state.failure(of: "x")?.kind == .storage)
    #expect(store.state.failure(of: "x")?.reason.contains(path) == true)
  }
}
