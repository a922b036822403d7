import Observation
import ReeluxCore
import ReeluxUI

/// A state with each kind of part: fields, a nested struct, an optional, elements, a path.
struct Shelf: Sendable {
  struct Address: Sendable, Equatable { var city = "", street = "" }
  struct Sheet: Sendable, Equatable, Identifiable {
    var id: Int
    var text = ""
    var note: String?
  }
  struct Film: Sendable, Equatable, Identifiable {
    var id: Int
    var title = ""
    var isFavorite = false
    var note: String?
  }
  struct Blob: Sendable {}

  enum SheetAction: Sendable { case text(String), note(String?), finish }
  enum FilmAction: Sendable { case title(String), toggle, note(String?) }
  enum Action: Sendable {
    case count(Int), title(String), limited(String), city(String), street(String)
    case open(Sheet), sheet(SheetAction), close
    case fail(String?)
    case films([Film]), film(ElementAction<Int, FilmAction>)
    case path([Int])
  }

  var count = 0
  var title = ""
  var limited = ""
  var address = Address()
  var sheet: Sheet?
  var failure: String?
  var films: [Film] = []
  var path: [Int] = []
  var blob = Blob()
  var initials: String { String(title.prefix(1)) }

  static let reducer = Reducer<Action, Shelf> { action, state in
    switch action {
    case .count(let count): state.count = count
    case .title(let title): state.title = title
    case .limited(let text): state.limited = String(text.prefix(3))
    case .city(let city): state.address.city = city
    case .street(let street): state.address.street = street
    case .open(let sheet): state.sheet = sheet
    case .sheet(.text(let text)): state.sheet?.text = text
    case .sheet(.note(let note)): state.sheet?.note = note
    case .sheet(.finish), .close: state.sheet = nil
    case .fail(let failure): state.failure = failure
    case .films(let films): state.films = films
    case .film(let film):
      guard let index = state.films.firstIndex(where: { $0.id == film.id }) else { return }
      switch film.action {
      case .title(let title): state.films[index].title = title
      case .toggle: state.films[index].isFavorite.toggle()
      case .note(let note): state.films[index].note = note
      }
    case .path(let path): state.path = path
    }
  }

  static func store(
    _ state: Shelf = Shelf(), middleware: Middleware<Action, Action, Shelf> = .identity,
    emits: ShouldEmitValue<Shelf> = .whenReduced
  ) -> Store<Action, Shelf> {
    Store(initialState: state, reducer: reducer, middleware: middleware, emits: emits)
  }
}

/// The types from which a main-actor store is created.
enum Base: Sendable {
  case store, projection, selection

  @MainActor
  func view(of store: Store<Shelf.Action, Shelf>) -> MainActorStore<Shelf.Action, Shelf> {
    switch self {
    case .store: MainActorStore(store)
    case .projection: MainActorStore(store.projection(action: { $0 }, state: { $0 }))
    case .selection: MainActorStore(store.projection(action: { $0 }, state: \.self))
    }
  }
}

/// The names of the called trackers, in their order.
@MainActor
final class Changes {
  private(set) var names: [String] = []

  /// Calls `read` with tracking. A change of the values that it read records the name.
  func track<Result>(_ name: String, _ read: () -> Result) {
    withObservationTracking {
      _ = read()
    } onChange: {
      MainActor.assumeIsolated { self.note(name) }
    }
  }

  func note(_ name: String) { names.append(name) }

  /// Runs work in a background task, and the turn of the main actor that follows.
  func after(_ work: @escaping @Sendable () -> Void) async {
    await Task.detached { work() }.value
    await turn()
  }

  /// Returns when the scheduled turns have run. The main actor runs jobs of the same priority in their order.
  func turn() async {
    await Task.detached(priority: .high) { @MainActor in }.value
  }
}

@MainActor
struct WeakReference<Object: AnyObject> {
  weak var object: Object?
  init(_ object: Object?) { self.object = object }
}

/// Background tasks that send counts until they are stopped.
final class Flood: Sendable {
  private let isOver = Locked(false)
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(of store: Store<Shelf.Action, Shelf>, threads: Int) {
    let started = (0..<threads).map { _ in
      Task.detached { [self] in
        var count = 0
        while !isOver.withLock({ $0 }) {
          for _ in 0..<100 {
            count += 1
            store.dispatch(.count(count))
          }
          await Task.yield()
        }
      }
    }
    tasks.withLock { $0 = started }
  }

  func end() async {
    isOver.withLock { $0 = true }
    for task in tasks.withLock({ $0 }) { await task.value }
  }
}
