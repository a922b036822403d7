import MoviesApp
import ReeluxCore
import ReeluxFavorites
import ReeluxLocationSimulation

extension FuzzFormat {
  /// The bytes that a terminal sends to `browse`. A zero byte and the two bytes after it mean a new size.
  static let keys = FuzzFormat(
    name: "keys",
    generate: { random in
      (0...random.below(24)).flatMap { _ -> [UInt8] in
        random.once(in: 8)
          ? [0, UInt8(random.below(160)), UInt8(random.below(60))] : Array(random.pick(KeySequences.all).utf8)
      }
    },
    dictionary: KeySequences.all + [
      "\u{1B}[", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}O", "\u{1B}[999999999999~", "\u{1B}[1;", "\u{0}\u{0}\u{0}",
      "\u{202E}", "\u{1B}]11;rgb:1e/1e/2e\u{1B}\\", "\u{1B}P>|tmux\u{1B}\\", "\u{1B}_", "\u{7}", "\u{1B}[M !!",
      "\u{1B}[99;5u", "\u{1B}[27;5;99~", "\u{1B}[4294967296;9:3u",
    ],
    // One session in eight has the built-in catalogue and walk.
    check: { bytes, _ in
      var session = KeySession(isBuiltIn: bytes.count.isMultiple(of: 8))
      return await session.outcome(of: bytes)
    })
}

/// The byte sequences of keys.
private enum KeySequences {
  static let all = [
    "j", "k", " ", "/", "nos", "the kid", "\r", "\u{1B}", "\t", "g", "s", "f", "w", "u", "+", "-", "[", "]", "?",
    "\u{7F}",
    "\u{1B}[A", "\u{1B}[B", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[H", "\u{1B}[F", "é", "千", "👨‍👩‍👧", "e\u{301}\u{301}",
  ]
}

/// The app with an open screen. Its dependencies answer without latency.
private struct KeySession {
  private let store: Store<AppAction, AppState>

  /// The colours of the next update.
  private var colors = ColorDepth.none

  /// Creates a session with the built-in catalogue and walk, or with small ones, which take a fraction of the time.
  init(isBuiltIn: Bool) {
    var outside = AppDependencies(
      catalogs: isBuiltIn ? .files : CatalogSource { (_, _) in .sample },
      favorites: .mock(failures: FavoritesFailures(rate: 0.3, kinds: [.offline]), seed: 1),
      locations: .simulated(isBuiltIn ? BuiltInWalk.track : FuzzSandbox.track, speed: .max))
    outside.clock = ImmediateClock()
    outside.favoritesPolicy = FavoritesPolicy(attempts: 2, backoff: Backoff(first: .zero))
    store = Store(initialState: AppState(), feature: outside.app)
  }

  /// Presses the keys, and checks the screen after each third of them and at the end. Drawing takes most of the time.
  mutating func outcome(of bytes: [UInt8]) async -> FuzzFormat.Outcome {
    store.dispatch(.screen(.opened(ScreenSize(columns: 80, rows: 24), failurePercent: 0)))
    await store.dispatch(.movies(.load(file: nil))).finish()
    await store.dispatch(.favorites(.load)).finish()
    var reader = ScreenKeyReader()
    var count = bytes.count
    var shown: Grid?
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      var actions: [ScreenAction] = []
      if byte == 0, let columns = rest.popFirst(), let rows = rest.popFirst() {
        actions.append(.resized(ScreenSize(columns: Int(columns), rows: Int(rows))))
      } else {
        actions = reader.keys(in: [byte]).map { .key($0) }
      }
      for action in actions {
        await store.dispatch(.screen(action)).reduced()
        await searched()
        count += 1
        if count.isMultiple(of: 3), let fault = draw(&shown) { return .wrong(fault) }
        if store.state.screen?.closing != nil { return .read }
      }
    }
    await store.settle()
    return draw(&shown).map { .wrong($0) } ?? .read
  }

  /// Waits for the results of a search that a key started.
  private func searched() async {
    guard store.state.screen?.isSearching == true else { return }
    for await isSearching in store.select({ $0.screen?.isSearching ?? false }).states where !isSearching { return }
  }

  /// Draws the screen with the next colours. Returns a description of a fault.
  private mutating func draw(_ shown: inout Grid?) -> String? {
    let state = store.state
    guard let scene = state.scene else { return "there is no scene" }
    let grid = scene.grid()
    defer { shown = grid }
    if grid.size != scene.screen.size { return "the grid has another size than the screen" }
    if !scene.screen.results.isEmpty, !scene.screen.results.indices.contains(scene.screen.selection) {
      return "the selection \(scene.screen.selection) is outside of \(scene.screen.results.count) results"
    }
    colors = colors == .none ? .sixteen : colors == .sixteen ? .many : .none
    if let fault = Self.fault(of: grid.update(from: shown, colors: colors)) { return fault }
    // An equal grid needs no update. A comparison of all its cells takes as long as a drawing.
    if colors == .many, !grid.update(from: grid, colors: colors).isEmpty { return "an equal grid is drawn again" }
    return nil
  }

  /// Returns a description of a control character that the screen never writes.
  private static func fault(of update: String) -> String? {
    var isSequence = false
    for scalar in update.unicodeScalars {
      switch scalar.value {
      case 0x1B: isSequence = true
      case 0x5B where isSequence: isSequence = false
      case _ where isSequence: return "an escape sequence is not one of the screen"
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069:
        return "the control character U+\(String(scalar.value, radix: 16)) is drawn"
      default: break
      }
    }
    return nil
  }
}

/// A clock that does not wait.
private struct ImmediateClock: Clock {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws { try Task.checkCancellation() }
}
