import ReeluxCore
import ReeluxTesting
import MoviesApp
import Testing

@Suite(.timeLimit(.minutes(15))) struct MoviesFeatureTests {
  private let small = Catalog(
    name: "small", movies: [Movie(id: "a", title: "Ä Movie", year: 1901, genres: ["Drama"])])

  @Test func loadReadsTheCatalogueOffThePipeline() async {
    let small = small
    let source = CatalogSource { (file, progress) throws(CatalogError) in
      progress(9 << 20)
      return file == "x.csv" ? small : .empty
    }
    let store = TestStore(initialState: MoviesState(), feature: .movies(from: source))
    await store.send(.load(file: "x.csv")) { $0.phase = .reading(bytes: 0) }
    await store.receive(.reading(bytes: 9 << 20)) { $0.phase = .reading(bytes: 9 << 20) }
    await store.receive(.loaded(small)) {
      $0.phase = .ready
      $0.catalog = small
    }
    await store.send(.show(.search(["A", "MOVIE"], limit: nil))) { $0.view = .search(["A", "MOVIE"], limit: nil) }
    #expect(store.state.visible { _ in false }.map(\.id) == ["a"])
    await store.assertFinished()
  }

  @Test func failureIsAnAction() async {
    let error = CatalogError(kind: .malformed, file: "x.csv", line: 3, reason: "it is broken")
    let source = CatalogSource { (_, _) throws(CatalogError) in throw error }
    let store = TestStore(initialState: MoviesState(), feature: .movies(from: source))
    await store.send(.load(file: "x.csv")) { $0.phase = .reading(bytes: 0) }
    await store.receive(.failed(error)) { $0.phase = .failed(error) }
    #expect(store.state.failure == error)
    await store.assertFinished()
  }

  @Test func viewsSelectMovies() {
    var state = MoviesState()
    state.catalog = .builtIn
    #expect(state.visible { _ in true }.isEmpty)
    state.view = .movie("metropolis-1927")
    #expect(state.visible { _ in true }.map(\.title) == ["Metropolis"])
    state.view = .search(["the"], limit: 2)
    #expect(state.visible { _ in true }.count == 2)
    var filter = MovieFilter()
    filter.favoritesOnly = true
    state.view = .list(filter)
    #expect(state.visible { $0 == "faust-1926" }.map(\.id) == ["faust-1926"])
  }
}
