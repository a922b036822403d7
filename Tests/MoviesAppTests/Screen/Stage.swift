import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxTesting

@testable import MoviesApp

/// The app with controlled services: the caller decides when the server responds, when time passes and when keys are
/// pressed.
struct Stage {
  let store: TestStore<AppAction, AppState>
  let answers: ScriptedCalls<Movie.ID, Void>
  let clock: TestClock

  /// Opens the screen with a catalogue.
  init(_ size: ScreenSize, catalog: Catalog = .builtIn) async {
    let (answers, clock) = (ScriptedCalls<Movie.ID, Void>(), TestClock())
    var outside = AppDependencies(
      catalogs: CatalogSource { _, _ in catalog },
      favorites: FavoritesAPI(fetch: { [] }) { request in try await answers(request.id) },
      locations: .simulated(BuiltInWalk.track, speed: 1, clock: clock))
    outside.clock = clock
    store = TestStore(initialState: AppState(), feature: outside.app, exhaustivity: [])
    self.answers = answers
    self.clock = clock
    await store.send(.screen(.opened(size, failurePercent: 0)))
    await send(.movies(.load(file: nil)), where: ".movies(.load(file", of: "Session.swift")
    await send(.favorites(.load), where: ".favorites(.load)", of: "BrowseCommand.swift")
  }

  /// Sends an action of the program, with its source line there.
  private func send(_ action: AppAction, where text: String, of file: StaticString) async {
    let path = "Apps/MoviesCLI/Sources/MoviesApp/Commands/\(file)"
    let lines = ((try? String(contentsOf: Repository.url(path), encoding: .utf8)) ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    let line = (lines.firstIndex { $0.contains(text) } ?? 0) + 1
    store.store.dispatch(action, file: file, function: "load()", line: UInt(line))
    await store.settle()
  }

  func press(_ keys: ScreenKey...) async {
    for key in keys { await store.send(.screen(.key(key))) }
  }

  func type(_ text: String) async {
    for character in text { await press(.text(String(character))) }
  }

  /// The content of the screen.
  var grid: Grid { store.store.state.scene?.grid() ?? Grid(size: ScreenSize(columns: 0, rows: 0)) }
}

/// The moments of a browse session in the pictures and golden grids.
enum StageMoment: String, CaseIterable {
  case search, hearts, walk, past

  func grid(_ size: ScreenSize) async -> Grid {
    let stage = await Stage(size)
    switch self {
    case .search:
      await stage.type("/nos")
      await stage.clock.advance(by: .milliseconds(60))
    case .hearts: await showHearts(stage)
    case .walk:
      await stage.type(" ")
      await stage.answers.succeed(())
      await stage.type("w")
      await stage.clock.advance(by: .seconds(500))
    case .past:
      await showHearts(stage)
      await stage.type("w")
      await stage.clock.advance(by: .seconds(300))
      await stage.type("[[[[[")
    }
    return stage.grid
  }

  /// Adds a confirmed favourite, one with a running request, and a refused one.
  private func showHearts(_ stage: Stage) async {
    await stage.type("g ")
    await stage.answers.succeed(())
    await stage.press(.down, .text(" "), .down, .text(" "))
    await stage.answers.fail(FavoritesFailure(.refused, "the server refuses it (simulated)"), at: 1)
  }
}

/// Files of the repository.
enum Repository {
  /// The place of a file.
  static func url(_ path: String) -> URL {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appending(path: path)
  }

  /// Whether pictures and golden grids are written instead of compared. `Scripts/screens` sets this.
  static let isWriting = ProcessInfo.processInfo.environment["REELUX_WRITE_SCREENS"] == "1"
}
