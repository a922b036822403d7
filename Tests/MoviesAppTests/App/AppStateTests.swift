import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import Testing

@testable import MoviesApp

@Suite(.timeLimit(.minutes(15))) struct AppStateTests {
  private func copy<Value: Codable>(of value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func actionsAndStatesRoundTripThroughCodable() throws {
    let actions: [AppAction] = [
      .movies(.load(file: nil)), .movies(.loaded(.builtIn)), .favorites(.add("x")),
      .location(.startPosition()), .cinemas(.show(at: BuiltInWalk.start, radius: 5)),
    ]
    for action in actions { #expect(try copy(of: action) == action) }
    var state = AppState()
    state.movies.view = .search(["x"], limit: 3)
    state.favorites = FavoritesState(confirmed: ["a", "b"])
    state.location.position.fixes = 3
    #expect(try copy(of: state) == state)
  }

  @Test func writtenStateNamesTheBuiltInCatalogueWithoutItsMovies() throws {
    var state = AppState()
    state.movies.catalog = .builtIn
    let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    #expect(text.contains(#""builtIn""#))
    #expect(!text.contains("Metropolis"))
    #expect(try copy(of: state) == state)
    #expect(
      Catalog.builtIn.fingerprint != Catalog(name: "", movies: Movies(Catalog.builtIn.movies.dropLast())).fingerprint)
  }

  @Test func largeCatalogueIsWrittenAsItsFileAndReadFromThere() throws {
    let path = NSTemporaryDirectory() + "catalogue-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lines = (1...2_000).map { "\($0),Movie \($0) (1999),Drama" }
    func write(_ lines: [String]) throws {
      try (["movieId,title,genres"] + lines).joined(separator: "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    try write(lines)
    let catalog = try CatalogReader.read(path: path)
    let written = try JSONEncoder().encode(catalog)
    #expect(written.count < 300)
    #expect(try JSONDecoder().decode(Catalog.self, from: written) == catalog)
    // This simulates a file whose movies have changed.
    let other = String(decoding: written, as: UTF8.self).replacing(
      /"fingerprint":"[0-9a-f]+"/, with: #""fingerprint":"1""#)
    let error = #expect(throws: CatalogError.self) { try JSONDecoder().decode(Catalog.self, from: Data(other.utf8)) }
    #expect(error?.reason.hasPrefix("the file has changed since the recording, ") == true)
  }

  @Test func manyFavouritesAreSavedInOneChangeOfTheStorage() async {
    let memory = FavoritesStorage<Movie.ID>.memory()
    let changes = Locked(0)
    var storage = memory
    storage.update = { change in
      changes.withLock { $0 += 1 }
      try await memory.update(change)
    }
    let services = AppDependencies(
      favorites: .mock(storage: storage), locations: .simulated(BuiltInWalk.track, speed: .max))
    let store = Store(initialState: AppState(), feature: services.app)
    let ids = Catalog.builtIn.movies.map(\.id)
    await store.dispatch(.favorites(.setAll(ids, isFavorite: true))).finish()
    #expect(store.state.favorites.ids == ids)
    #expect(changes.withLock { $0 } == 1)
  }
}
