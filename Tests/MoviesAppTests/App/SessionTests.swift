import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import Testing

@testable import MoviesApp

/// Commands in process: a real store, a simulated outside, a console that is a string.
@Suite struct SessionTests {
  /// What a command wrote.
  private final class Page: Sendable {
    private let text = Locked((output: "", errors: ""))

    var output: String { text.withLock { $0.output } }
    var errors: String { text.withLock { $0.errors } }

    var console: Console {
      Console(
        output: { [self] text, _ in self.text.withLock { $0.output += text } },
        errors: { [self] text in self.text.withLock { $0.errors += text } })
    }
  }

  private func run(
    _ line: String, api: FavoritesAPI<Movie.ID> = .mock(), page: Page = Page()
  ) async throws -> (page: Page, failure: CommandFailure?, state: AppState) {
    let parsed = try CommandLineDescription.movies.parse(line.split(separator: " ").map(String.init))
    guard case .run(let command) = parsed.request else { throw CommandFailure("no command", .usage) }
    let invocation = try Invocation(parsed, command: command)
    var outside = AppDependencies(favorites: api, locations: .simulated(BuiltInWalk.track, speed: .max))
    outside.favoritesPolicy = FavoritesPolicy(attempts: 2, firstPause: .zero)
    let session = Session(
      store: Store(initialState: AppState(), feature: outside.app), console: page.console,
      options: invocation.options, json: invocation.json, walk: .builtIn, narrator: Narrator(console: page.console))
    do throws(CommandFailure) {
      try await session.run(invocation.command)
      return (page, nil, session.store.state)
    } catch {
      return (page, error, session.store.state)
    }
  }

  @Test func favouriteIsKeptByTheServerAndShownByTheState() async throws {
    let api = FavoritesAPI<Movie.ID>.mock()
    let added = try await run("favorite add faust-1926", api: api)
    #expect(added.page.output == "♥  added    faust-1926  Faust (1926)\n")
    #expect(added.state.favorites.ids == ["faust-1926"])
    let list = try await run("list --favorites --json", api: api)
    #expect(list.page.output.contains(#""id":"faust-1926""#))
    #expect(list.page.output.contains(#""favorite":true"#))
  }

  @Test func refusalIsReportedPerMovie() async throws {
    let api = FavoritesAPI<Movie.ID>(
      fetch: { [] },
      set: { id, _ in if id == "faust-1926" { throw FavoritesFailure(.refused, "no") } })
    let result = try await run("favorite add faust-1926 greed-1924 --json", api: api)
    #expect(
      result.page.output == """
        [
          {"id":"faust-1926","status":"failed","error":"no"},
          {"id":"greed-1924","status":"added"}
        ]

        """)
    #expect(result.failure == CommandFailure("faust-1926: no", .failed))
    #expect(result.state.favorites.ids == ["greed-1924"])
  }

  @Test func storageThatFailsIsAnInputOutputError() async throws {
    let api = FavoritesAPI<Movie.ID>(fetch: { [] }, set: { _, _ in throw FavoritesFailure(.storage, "disk full") })
    #expect(try await run("favorite add faust-1926", api: api).failure?.exitCode == .inputOutput)
  }

  @Test func unknownFavouritesAreSaidAndTheListIsShown() async throws {
    let api = FavoritesAPI<Movie.ID>(fetch: { throw FavoritesFailure(.refused, "closed") }, set: { _, _ in })
    let list = try await run("list --limit 1", api: api)
    #expect(list.failure == nil)
    #expect(list.page.errors == "error: favourites are unknown: closed\n")
    #expect(list.page.output.contains("The Arrival of a Train"))
    #expect(try await run("favorite list", api: api).failure?.exitCode == .failed)
    #expect(try await run("favorite toggle faust-1926", api: api).failure?.exitCode == .failed)
  }

  @Test func trackWritesEveryFixAndASummary() async throws {
    let result = try await run("track --json")
    let lines = result.page.output.split(separator: "\n")
    #expect(lines.count == 63)
    #expect(lines.last?.hasPrefix(#"{"schema":1,"type":"summary","fixes":62,"distance":1213"#) == true)
    #expect(result.state.location.wantedServices.isEmpty)
  }

  @Test func nearbyAsksForOnePosition() async throws {
    let result = try await run("nearby --radius 150")
    #expect(result.page.output.contains("Lantern House"))
    #expect(result.state.location.request.answer?.coordinate == BuiltInWalk.start)
    #expect(result.state.location.wantedServices.isEmpty)
  }

  @Test func demoSaysWhatIsSimulated() async throws {
    let result = try await run("demo")
    #expect(result.failure == nil)
    #expect(result.page.output.contains("simulated"))
    #expect(result.page.output.contains("fictional"))
  }

  @Test func actionsAndStatesRoundTripThroughCodable() throws {
    let actions: [AppAction] = [
      .movies(.load(file: nil)), .movies(.loaded(.builtIn)), .favorites(.add("x")),
      .location(.startPosition()), .cinemas(.look(at: BuiltInWalk.start, radius: 5)),
    ]
    for action in actions { #expect(try Codability.copy(of: action) == action) }
    var state = AppState()
    state.movies.view = .search(["x"], limit: 3)
    state.favorites = FavoritesState(confirmed: ["a", "b"])
    state.location.position.fixes = 3
    #expect(try Codability.copy(of: state) == state)
  }

  @Test func writtenStateTellsOfItsCatalogueOnlyNameSizeAndFingerprint() throws {
    var state = AppState()
    state.movies.catalog = .builtIn
    let text = try Codability.text(of: state)
    #expect(text.contains(#""count":57"#))
    #expect(!text.contains("Metropolis"))
    #expect(
      Catalog.builtIn.fingerprint != Catalog(name: "", movies: Array(Catalog.builtIn.movies.dropLast())).fingerprint)
  }
}
