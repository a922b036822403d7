import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import Testing

@testable import MoviesApp

/// States of recordings. Their checksums do not limit their numbers.
@Suite(.timeLimit(.minutes(15))) struct RecordedStateTests {
  private static let fix = LocationFix(
    coordinate: BuiltInWalk.start, timestamp: Timestamp(secondsSince1970: 0), horizontalAccuracy: 5)

  private static let actions: [AppAction] = [
    .favorites(.load), .favorites(.toggle("metropolis-1927")), .favorites(.add("faust-1926")), .favorites(.retryAll),
    .favorites(.undo), .location(.startPosition()), .location(.response(.moved([fix, fix]))),
    .movies(.show(.search(["the"], limit: 3))), .screen(.key(.pageDown)), .screen(.key(.text("["))),
    .screen(.key(.text("]"))), .screen(.key(.tab)), .screen(.key(.pageUp)), .screen(.key(.end)), .screen(.key(.enter)),
    .screen(.key(.text("["))), .screen(.key(.escape)),
  ]

  @Test(arguments: [Int.max, Int.min]) func aNumberAtTheLimitDoesNotStopTheReducer(number: Int) throws {
    let reducer = Reducer<AppAction, AppState>.app
    var start = AppState()
    start.movies.catalog = .builtIn
    start.movies.view = .search(["the"], limit: 3)
    _ = reducer.reduce(.screen(.opened(ScreenSize(columns: 80, rows: 24), failurePercent: 0)), &start)
    for action in Self.actions { _ = reducer.reduce(action, &start) }
    start.screen?.shownMoment = 1
    let bytes = Array(try JSONEncoder().encode(start))
    var count = 0
    for place in Self.integers(in: bytes) {
      var changed = bytes
      changed.replaceSubrange(place, with: "\(number)".utf8)
      guard var state = try? JSONDecoder().decode(AppState.self, from: Data(changed)) else { continue }
      count += 1
      for action in Self.actions { _ = reducer.reduce(action, &state) }
      _ = state.visibleMovies
    }
    #expect(count > 5)
  }

  @Test func aDecodedStateContinuesLikeTheOriginal() throws {
    let reducer = Reducer<AppAction, AppState>.app
    var start = AppState()
    start.movies.catalog = .builtIn
    _ = reducer.reduce(.screen(.opened(ScreenSize(columns: 80, rows: 24), failurePercent: 0)), &start)
    // Opening the screen was action 1.
    let described = AppAction.screen(.described(2, source: "file:1", changes: ["a change"]))
    let actions = [.favorites(.load), described] + Self.actions + Self.actions
    for first in actions.indices {
      var state = start
      for action in actions[..<first] { _ = reducer.reduce(action, &state) }
      var decoded = try JSONDecoder().decode(AppState.self, from: try JSONEncoder().encode(state))
      #expect(decoded == state)
      #expect(first < 2 || decoded.screen?.history.moments.first?.changes == ["a change"])
      for action in actions[first...] {
        _ = reducer.reduce(action, &state)
        _ = reducer.reduce(action, &decoded)
        #expect(decoded == state, "decoded before action \(first), after \(action)")
      }
      #expect(decoded.screen?.message == state.screen?.message)
    }
  }

  @Test func historiesWithOtherMomentsAreNotEqual() throws {
    let view = ScreenMoment.View(favorites: FavoritesState(), step: nil)
    var known = view
    let reducer = Reducer<FavoritesAction<Movie.ID>, FavoritesState<Movie.ID>>.favorites()
    for action in [.load, .response(.loaded(["faust-1926"], number: 1))] as [FavoritesAction<Movie.ID>] {
      _ = reducer.reduce(action, &known.favorites)
    }
    try #require(known.favorites.isLoaded)
    func history(_ title: String = "an action", isStep: Bool = false, view: ScreenMoment.View) -> ScreenHistory {
      var history = ScreenHistory()
      history.append(title: title, isStep: isStep, view: view)
      return history
    }
    let one = history(view: view)
    #expect(one == history(view: view))
    #expect(one != history("another action", view: view))
    #expect(one != history(isStep: true, view: view))
    #expect(one != history(view: known))
    var described = one
    described.describe(1, source: "file:1", changes: [])
    #expect(one != described)
    described = one
    described.describe(1, source: "", changes: ["a change"])
    #expect(one != described)
  }

  /// The places of whole numbers in JSON.
  private static func integers(in bytes: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start: Int?
    var isInString = false
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      let isDigit = (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      if isDigit, !isInString, start == nil { start = index }
      guard let first = start, !isDigit else { continue }
      start = nil
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        places.append(first..<index)
      }
    }
    return places
  }
}
