import Foundation
import ReeluxFavorites
import ReeluxLocation
import Testing

@testable import MoviesApp

@Suite struct AppStateTests {
  private func copy<Value: Codable>(of value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func actionsAndStatesRoundTripThroughCodable() throws {
    let actions: [AppAction] = [
      .movies(.load(file: nil)), .movies(.loaded(.builtIn)), .favorites(.add("x")),
      .location(.startPosition()), .cinemas(.look(at: BuiltInWalk.start, radius: 5)),
    ]
    for action in actions { #expect(try copy(of: action) == action) }
    var state = AppState()
    state.movies.view = .search(["x"], limit: 3)
    state.favorites = FavoritesState(confirmed: ["a", "b"])
    state.location.position.fixes = 3
    #expect(try copy(of: state) == state)
  }

  @Test func writtenStateTellsOfItsCatalogueOnlyNameSizeAndFingerprint() throws {
    var state = AppState()
    state.movies.catalog = .builtIn
    let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    #expect(text.contains(#""count":57"#))
    #expect(!text.contains("Metropolis"))
    #expect(
      Catalog.builtIn.fingerprint != Catalog(name: "", movies: Array(Catalog.builtIn.movies.dropLast())).fingerprint)
  }
}
