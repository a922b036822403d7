import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxRecording
import Testing

@testable import MoviesApp

/// Commands in process, with a real store, simulated services, and a console that writes to a string.
@Suite(.timeLimit(.minutes(15))) struct CommandTests {
  /// The output of a command.
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
  ) async -> (page: Page, exitCode: ExitCode, state: AppState) {
    let last = Locked(AppState())
    var runner = CommandRunner(environment: ["HOME": "/nowhere"], console: { _ in page.console })
    runner.adjust = { outside in
      outside.favorites = api
      outside.favoritesPolicy = FavoritesPolicy(attempts: 2, backoff: Backoff(first: .zero))
      outside.onlookers = Feature(reducer: Reducer { _, state in last.withLock { [state] in $0 = state } })
    }
    let exitCode = await runner.run(line.split(separator: " ").map(String.init))
    return (page, exitCode, last.withLock { $0 })
  }

  @Test func favouriteIsKeptByTheServerAndShownByTheState() async throws {
    let api = FavoritesAPI<Movie.ID>.mock()
    let added = await run("favorite add faust-1926", api: api)
    #expect(added.page.output == "♥  added     faust-1926  Faust (1926)\n")
    #expect(added.state.favorites.ids == ["faust-1926"])
    let list = await run("list --favorites --json", api: api)
    #expect(list.page.output.contains(#""id":"faust-1926""#))
    #expect(list.page.output.contains(#""favorite":true"#))
  }

  @Test func refusalIsReportedPerMovie() async throws {
    let api = FavoritesAPI<Movie.ID>(
      fetch: { [] },
      set: { if $0.id == "faust-1926" { throw FavoritesFailure(.refused, "no") } })
    let result = await run("favorite add faust-1926 greed-1924 --json", api: api)
    #expect(
      result.page.output == """
        [
          {"id":"faust-1926","status":"failed","error":"Faust (1926) could not be added to the favourites: no"},
          {"id":"greed-1924","status":"added"}
        ]

        """)
    #expect(result.exitCode == .failed)
    #expect(result.page.errors == "error: Faust (1926) could not be added to the favourites: no\n")
    #expect(result.state.favorites.ids == ["greed-1924"])
  }

  @Test func onlyTheFirstThreeUnknownMoviesGetASuggestion() async throws {
    let result = await run("favorite add metroplis nosfratu fausd greeed haxann")
    let lines = result.page.errors.split(separator: "\n")
    #expect(lines.map { $0.contains("Did you mean") } == [true, true, true, false, false])
    #expect(lines.last == "error: no movie 'haxann'. 'search' finds movies by their titles.")
    #expect(result.exitCode == .failed)
  }

  @Test func theProgressOfSavingNamesOneMovieAtATime() async throws {
    #expect(
      try await progress(of: ["favorite", "add", "faust-1926", "greed-1924", "haxan-1922"])
        == ["saving: Faust (1926) (1 of 3)", "saving: Greed (1924) (2 of 3)", "saving: Häxan (1922) (3 of 3)"])
  }

  @Test func aLargeTableShowsProgressUntilItsFirstLine() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let rows = (1...100_000).map { "\($0),A (1999),Drama\n" }.joined()
    try ("movieId,title,genres\n" + rows).write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await progress(of: ["favorite", "list", "--latency", "1ms"]) == ["loading the favourites"])
    let shown = try await progress(of: ["--catalog", file, "list"])
    #expect(shown.last == "preparing a table of 100,000 movies")
  }

  @Test func aLongReportShowsProgress() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let recorder = try ActionRecorder<AppAction, AppState>(path: folder + "/run.jsonl", app: "x", version: "1")
    let store = Store(
      initialState: AppState(),
      feature: Feature {
        Feature(reducer: Reducer<AppAction, AppState>.app)
        Feature.recorder(recorder)
      })
    for _ in 1...1_000 { store.dispatch(.movies(.show(.nothing))) }
    try recorder.close()
    let shown = try await progress(of: ["report", folder + "/run.jsonl", "--output", folder + "/run.html"])
    #expect(shown == ["writing a report of 1,000 actions"])
  }

  /// Runs a command as on a terminal, and returns the messages of its progress line.
  private func progress(of words: [String]) async throws -> [String] {
    let shown = Locked("")
    let page = Page()
    var runner = CommandRunner(environment: ["HOME": "/nowhere"]) { _ in
      var console = page.console
      console.progress = ProgressLine(width: 80) { text in shown.withLock { $0 += text } }
      let write = console.output
      console.output = { text, flush in
        // Output must not follow a progress line in the same row.
        #expect(shown.withLock { $0.isEmpty || $0.hasSuffix("\r\u{1B}[2K") })
        write(text, flush)
      }
      return console
    }
    runner.adjust = { $0.favorites = .mock() }
    #expect(await runner.run(words) == .done)
    return shown.withLock { $0 }.split(separator: "\r\u{1B}[2K").map(String.init)
  }

  @Test func theTimeLimitOfARequestIsLongerThanTheLatency() async {
    let limit = Locked<Duration?>(nil)
    var runner = CommandRunner(environment: ["HOME": "/nowhere"]) { _ in Page().console }
    runner.adjust = { outside in
      limit.withLock { $0 = outside.favoritesPolicy.timeLimit }
      outside.favorites = .mock()
    }
    #expect(await runner.run(["list", "--limit", "1", "--latency", "1m"]) == .done)
    #expect(limit.withLock { $0 } == .seconds(90))
  }

  @Test func storageThatFailsIsAnInputOutputError() async throws {
    let api = FavoritesAPI<Movie.ID>(fetch: { [] }, set: { _ in throw FavoritesFailure(.storage, "disk full") })
    #expect(await run("favorite add faust-1926", api: api).exitCode == .inputOutput)
  }

  @Test func unknownFavouritesAreSaidAndTheListIsShown() async throws {
    let api = FavoritesAPI<Movie.ID>(fetch: { throw FavoritesFailure(.refused, "closed") }, set: { _ in })
    let list = await run("list --limit 1", api: api)
    #expect(list.exitCode == .done)
    #expect(list.page.errors == "note: the favourites could not be loaded: closed\n")
    #expect(list.page.output.contains("The Arrival of a Train"))
    #expect(await run("favorite list", api: api).exitCode == .failed)
    #expect(await run("favorite toggle faust-1926", api: api).exitCode == .failed)
  }

  @Test func trackWritesEveryFixAndASummary() async throws {
    let result = await run("track --json")
    let lines = result.page.output.split(separator: "\n")
    #expect(lines.count == 63)
    #expect(lines.last?.hasPrefix(#"{"schema":1,"type":"summary","fixes":62,"distance":1213"#) == true)
    #expect(result.state.location.wantedServices.isEmpty)
  }

  @Test func nearbyAsksForOnePosition() async throws {
    let result = await run("nearby --radius 150")
    #expect(result.page.output.contains("Lantern House"))
    #expect(result.state.location.request.response?.coordinate == BuiltInWalk.start)
    #expect(result.state.location.wantedServices.isEmpty)
  }

  @Test func anAppsNameInARecordingCannotRewriteTheTerminal() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let recorder = try ActionRecorder<AppAction, AppState>(path: file, app: "x\u{1B}[2Jy", version: "1\u{7}")
    let store = Store(
      initialState: AppState(),
      feature: Feature {
        Feature(reducer: Reducer<AppAction, AppState>.app)
        Feature.recorder(recorder)
      })
    store.dispatch(.movies(.show(.nothing)))
    try recorder.close()
    let page = Page()
    try Replay(
      request: ReplayRequest(file: file, to: nil, step: true, skip: [], test: nil), console: page.console, json: false
    ).run()
    #expect(page.output.contains("1 action"))
    #expect(!page.output.contains { $0 == "\u{1B}" || $0 == "\u{7}" })
  }

  @Test func demoSaysWhatIsSimulated() async throws {
    let result = await run("demo")
    #expect(result.exitCode == .done)
    #expect(result.page.output.contains("simulated"))
    #expect(result.page.output.contains("fictional"))
  }
}
