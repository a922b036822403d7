// The cookbook's program about states. It checks its own results.
import Foundation
import ReeluxCore
import ReeluxLogger
import Synchronization

// snippet.persistence
struct Settings: Codable, Hashable, Sendable {
  var name = ""
  var isDark = false
}

enum SettingsAction: Sendable {
  case rename(String)
  case useDark(Bool)
}

/// Saves the settings when they have not changed for a second.
func saving(
  _ save: @escaping @Sendable (Settings) async -> Void, clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<SettingsAction, SettingsAction, Settings> {
  Middleware { action, source, state in
    .fireAndForget { await save(state()) }  // in an effect, `state()` is the newest state
      .debounce(id: "save", for: .seconds(1), clock: clock)
  }
}
// snippet.end

let settings = Reducer<SettingsAction, Settings> { action, state in
  switch action {
  case .rename(let name): state.name = name
  case .useDark(let isDark): state.isDark = isDark
  }
}

// snippet.restore
let file = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID()).json")

func restored() -> Settings {
  guard let data = try? Data(contentsOf: file), let saved = try? JSONDecoder().decode(Settings.self, from: data)
  else { return Settings() }
  return saved
}

let store = Store(
  initialState: restored(), reducer: settings,
  middleware: saving(
    { settings in try? JSONEncoder().encode(settings).write(to: file, options: .atomic) }, clock: QuickClock()))
store.dispatch(.rename("Ada"))
store.dispatch(.useDark(true))
await store.settle()  // before the program ends: wait for what is to be saved
// snippet.end
precondition(restored() == Settings(name: "Ada", isDark: true))
try? FileManager.default.removeItem(at: file)

// snippet.autosave
/// Saves the settings when they have not changed for a second. `finish()` does not wait for it.
struct Autosave: FeedingMiddleware {
  let save: @Sendable (Settings) async -> Void
  var clock: any Clock<Duration> = ContinuousClock()

  func handle(
    action: SettingsAction, from source: ActionSource, state: GetState<Settings>
  ) -> Effect<SettingsAction> { .none }

  func feeds(for state: Settings) -> [Feed<SettingsAction>] {
    [
      Feed(key: state) { send in  // another state is another key
        do { try await clock.sleep(for: .seconds(1)) } catch { return }  // closed: there is a newer state
        await save(state)
      }
    ]
  }
}
// snippet.end

// snippet.autosave-store
@Sendable func save(_ settings: Settings) async {
  try? JSONEncoder().encode(settings).write(to: file, options: .atomic)
}

let saved = Store(initialState: restored(), reducer: settings, middleware: Middleware(Autosave(save: save)))
await saved.dispatch(.rename("Grace")).finish()  // does not wait for the save
await save(saved.state)  // at the end of the program: saves what the feed has not saved yet
// snippet.end
precondition(restored() == Settings(name: "Grace"))
await saved.dispatch(.useDark(true)).finish()
while restored() != Settings(name: "Grace", isDark: true) { try await Task.sleep(for: .milliseconds(50)) }
try? FileManager.default.removeItem(at: file)

// snippet.undo
struct Undoable<State: Equatable & Sendable>: Equatable, Sendable {
  var present: State
  var past: [State] = []
  var future: [State] = []
}

enum UndoAction<Action: Sendable>: Sendable {
  case perform(Action)
  case undo
  case redo
}

extension Reducer where State: Equatable {
  /// The same reducer, with `undo` and `redo`. An action for which `isStep` returns false is not a step of its own.
  func undoable(
    limit: Int = 100, isStep: @escaping @Sendable (Action) -> Bool = { _ in true }
  ) -> Reducer<UndoAction<Action>, Undoable<State>> {
    Reducer<UndoAction<Action>, Undoable<State>>.partial { [self] action, state in
      switch action {
      case .perform(let action):
        let old = state.present
        guard reduce(action, &state.present) else { return false }
        guard state.present != old, isStep(action) else { return true }
        state.past = Array((state.past + [old]).suffix(max(limit, 0)))
        state.future = []
      case .undo:
        guard let old = state.past.popLast() else { return false }
        state.future.append(state.present)
        state.present = old
      case .redo:
        guard let next = state.future.popLast() else { return false }
        state.past.append(state.present)
        state.present = next
      }
      return true
    }
  }
}
// snippet.end

// snippet.undo-feature
extension Undoable: Codable where State: Codable {}  // for a recording, or to save the steps
extension UndoAction: Codable where Action: Codable {}
extension Undoable: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["present": present]) }  // a log shows this part only
}

extension Feature where State: Equatable {
  /// The same feature with `undo` and `redo`.
  func undoable(
    limit: Int = 100, isStep: @escaping @Sendable (Action) -> Bool = { _ in true }
  ) -> Feature<UndoAction<Action>, Undoable<State>> {
    let perform = Prism(case: UndoAction<Action>.perform) { if case .perform(let it) = $0 { it } else { nil } }
    return Feature<UndoAction<Action>, Undoable<State>> {
      reducer.undoable(limit: limit, isStep: isStep)
      Feature(middleware: middleware, interceptor: interceptor).lift(action: perform, state: \.present)
    }
  }
}
// snippet.end

let drafts = Store(
  initialState: Undoable(present: Settings()), feature: Feature(reducer: settings).undoable())
drafts.dispatch(.perform(.rename("Ada")))
drafts.dispatch(.undo)
precondition(drafts.state.present == Settings() && drafts.state.future == [Settings(name: "Ada")])

var edited = Undoable(present: Settings())
let undoing = settings.undoable()
undoing.reduce(.perform(.rename("Ada")), &edited)
undoing.reduce(.perform(.rename("Grace")), &edited)
undoing.reduce(.undo, &edited)
precondition(edited.present.name == "Ada")
undoing.reduce(.redo, &edited)
precondition(edited.present.name == "Grace" && edited.future.isEmpty)

let renaming = settings.undoable(isStep: { if case .rename = $0 { true } else { false } })
var renamed = Undoable(present: Settings())
renaming.reduce(.perform(.rename("Ada")), &renamed)
renaming.reduce(.perform(.useDark(true)), &renamed)
precondition(renamed.present.isDark && renamed.past == [Settings()])
renaming.reduce(.undo, &renamed)
precondition(renamed.present == Settings() && renamed.past.isEmpty)

// snippet.big
struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

/// Rows that are found by their id in constant time.
struct Rows: IdentifiedCollection, Sendable {
  private var elements: [Row]
  private var places: [Int: Int]

  init(_ rows: [Row]) {
    elements = rows
    places = Dictionary(rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var startIndex: Int { elements.startIndex }
  var endIndex: Int { elements.endIndex }
  func index(after index: Int) -> Int { index + 1 }
  func index(id: Int) -> Int? { places[id] }

  subscript(index: Int) -> Row {
    get { elements[index] }
    _modify { yield &elements[index] }
  }
}
// snippet.end

struct TableState: Sendable {
  var rows = Rows((0..<1000).map { Row(id: $0, title: "") })
}

enum TableAction: Sendable {
  case row(ElementAction<Int, String>)
}

extension Prism<TableAction, ElementAction<Int, String>> {
  static let row = Prism(case: TableAction.row) { if case .row(let action) = $0 { action } else { nil } }
}

// snippet.table
let row = Reducer<String, Row> { title, row in row.title = title }
let table = row.lift(action: Prism<TableAction, ElementAction<Int, String>>.row, element: .byID(\TableState.rows))
// snippet.end
let big = Store(initialState: TableState(), reducer: table)
big.dispatch(.row(ElementAction(7, "seven")))
precondition(big.state.rows[7].title == "seven")

// snippet.privacy
enum SessionAction: Sendable {
  case signIn(name: String, password: String)
}

struct Session: Sendable {
  var name = ""
  var token = ""
}

let memory = LogMemory()
let session = Feature<SessionAction, Session> {
  Reducer { action, session in
    switch action {
    case .signIn(let name, let password): session = Session(name: name, token: "\(name)-\(password.count)")
    }
  }
  Feature.logger(to: .memory(memory), redacting: ["password", "token"])
}
// snippet.end
// snippet.memory
let logger = LoggerMiddleware<SessionAction, Session>(
  to: .memory(memory), options: LogOptions(redacting: ["password", "token"]))
let signed = Store(
  initialState: Session(), feature: Feature(reducer: session.reducer) <> Feature<SessionAction, Session>.logger(logger))
signed.dispatch(.signIn(name: "Ada", password: "lovelace"))
logger.flush()
print(memory.records.count)  // 1
// snippet.end
precondition(memory.records.count == 1 && !"\(memory.records[0])".contains("lovelace"))

// snippet.privacy-type
struct Secret: Sendable { let text: String }

enum KeyAction: Sendable { case use(String, Secret) }

let keys = Feature<KeyAction, [String: Secret]> {
  Reducer { action, keys in
    switch action {
    case .use(let name, let secret): keys[name] = secret
    }
  }
  Feature.logger(to: .memory(memory), redactingTypes: [Secret.self])
}
// snippet.end
Store(initialState: [:], feature: keys).dispatch(.use("door", Secret(text: "0451")))
LogShutdown.flushAll()
precondition(memory.records.count == 2 && !"\(memory.records[1])".contains("0451"))
print("states: as the cookbook shows")

// snippet.quick-clock
/// A clock on which every delay ends at once.
struct QuickClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
// snippet.end
