import ReeluxCore
import ReeluxUI

/// The state of a random program: a tree. Its rows and its sheet are nodes too, so all stores have one type.
struct Node: Sendable, Equatable, Identifiable, CustomStringConvertible {
  typealias View = MainActorStore<Action, Node>
  typealias Path = [Step]

  /// A step from a node to a part of it. `same` leads to a projection of the whole node.
  enum Step: Sendable, Hashable { case same, row(Int), sheet }
  enum Edit: Sendable { case value(Int), limited(Int), echo, rows([Node]), sheet(Node?) }
  struct Action: Sendable {
    var path: Path = []
    var edit: Edit
  }

  var id: Int
  var value = 0
  /// The reducer sets at most 2.
  var limited = 0
  /// The number of the actions that trackers and observers have sent. Only the root's number changes.
  var echo = 0
  var rows: [Node] = []
  private var sheets: [Node] = []
  var sheet: Node? {
    get { sheets.first }
    set { sheets = newValue.map { [$0] } ?? [] }
  }

  init(id: Int) { self.id = id }

  var description: String { "\(id): \(value), rows \(rows), sheet \(sheets)" }

  static let reducer = Reducer<Action, Node> { $1.apply($0.edit, at: $0.path[...]) }

  mutating func apply(_ edit: Edit, at path: ArraySlice<Step>) {
    switch (path.first, edit) {
    case (.same, _): apply(edit, at: path.dropFirst())
    case (.sheet, _): sheet?.apply(edit, at: path.dropFirst())
    case (.row(let id), _):
      if let index = rows.firstIndex(where: { $0.id == id }) { rows[index].apply(edit, at: path.dropFirst()) }
    case (nil, .value(let value)): self.value = value
    case (nil, .limited(let value)): limited = min(value, 2)
    case (nil, .echo): echo += 1
    case (nil, .rows(let rows)): self.rows = rows
    case (nil, .sheet(let sheet)): self.sheet = sheet
    }
  }

  subscript(path: Path) -> Node? {
    path.reduce(self) { node, step in
      switch step {
      case .same: node
      case .row(let id): node?.rows.first { $0.id == id }
      case .sheet: node?.sheet
      }
    }
  }

  /// The ids of the nodes on a path.
  func ids(_ path: Path) -> [Int?] { (0...path.count).map { self[Path(path.prefix($0))]?.id } }
}

extension Node.View {
  /// The store of a part, or `nil`.
  func place(_ path: Node.Path) -> Node.View? {
    path.reduce(self) { view, step in
      let action = { (action: Node.Action) in Node.Action(path: [step] + action.path, edit: action.edit) }
      return switch step {
      case .same: view?.projection(action: action, state: \.self)
      case .row(let id): view?.projection(element: id, of: \.rows) { action($0.action) }
      case .sheet: view?.projection(action: action, optional: \.sheet)
      }
    }
  }

  var sheetPresentation: Presentation<Node> { presentation(\.sheet, dismiss: Node.Action(edit: .sheet(nil))) }
}

/// What a tracker reads of a node.
struct ProgramField: Sendable {
  let name: String
  /// The step to the part whose presence is read.
  var step: Node.Path = []
  let read: @MainActor @Sendable (Node.View) -> Void
  let differs: @Sendable (Node, Node) -> Bool

  static let all = [
    ProgramField(name: "value", read: { _ = $0.value }, differs: { $0.value != $1.value }),
    ProgramField(name: "limited", read: { _ = $0.limited }, differs: { $0.limited != $1.limited }),
    ProgramField(name: "echo", read: { _ = $0[\.echo] }, differs: { $0.echo != $1.echo }),
    ProgramField(
      name: "value and rows", read: { _ = ($0.value, $0.elementIDs(of: \.rows)) },
      differs: { $0.value != $1.value || $0.rows.map(\.id) != $1.rows.map(\.id) }),
    ProgramField(
      name: "sheet", step: [.sheet], read: { _ = $0.sheetPresentation.item }, differs: { $0.sheet != $1.sheet }),
    ProgramField(
      name: "whether the sheet is open", step: [.sheet], read: { _ = $0.sheetPresentation.isPresented },
      differs: { _, _ in false }),
  ]
}

/// What the stores of a program show, and which trackers and observers they call. It is written from the documentation.
@MainActor
struct ViewModel {
  /// A part that was read. If it is removed and added again, the new part is another one.
  final class Part {
    let path: Node.Path
    /// The displayed node, or the last one.
    var node: Node
    /// Whether a state since the displayed one does not contain the part.
    var hasEnded: Bool
    weak var store: Node.View?

    init(_ path: Node.Path, _ node: Node, hasEnded: Bool) {
      (self.path, self.node, self.hasEnded) = (path, node, hasEnded)
    }
  }

  enum Reaction { case none, sends, tracksAgain }

  struct Tracker {
    let number: Int
    let path: Node.Path
    let field: ProgramField
    let reaction: Reaction
    /// The parts on the way to the field, until the first one that does not exist.
    let way: [Part]
  }

  struct Observer {
    let number: Int
    let part: Part
    let sends: Bool
    /// The received value, or `nil` for an observer of the whole node.
    var last: Int?
  }

  private(set) var newest: Node
  private(set) var shown: Node
  /// The displayed parts that were read.
  private(set) var parts: [Node.Path: Part]
  private var trackers: [Tracker] = []
  var observers: [Observer] = []
  /// The trackers and observers of values that must have been called in this step.
  var called: [Int] = []
  /// Whether one round of calls must have been made in this step, so that the trackers were called first.
  var isOneRound = true
  private var isChanged = false

  init(_ node: Node) {
    (newest, shown) = (node, node)
    parts = [[]: Part([], node, hasEnded: false)]
  }

  /// Reads the parts on a path, until the first one that does not exist.
  mutating func read(_ path: Node.Path) -> [Part] {
    var way: [Part] = []
    for prefix in (0...path.count).map({ Node.Path(path.prefix($0)) }) {
      guard let node = shown[prefix] else { break }
      let hasEnded = way.last?.hasEnded == true || newest.ids(prefix) != shown.ids(prefix)
      let part = parts[prefix] ?? Part(prefix, node, hasEnded: hasEnded)
      parts[prefix] = part
      way.append(part)
    }
    return way
  }

  mutating func part(_ path: Node.Path) -> Part? {
    read(path).first { $0.path == path }
  }

  mutating func dispatch(_ edit: Node.Edit, at path: Node.Path) {
    let old = newest
    newest.apply(edit, at: path[...])
    for part in parts.values where newest.ids(part.path) != old.ids(part.path) { part.hasEnded = true }
    isChanged = true
  }

  mutating func send(_ edit: Node.Edit, at path: Node.Path) {
    dispatch(edit, at: path)
    show()
  }

  mutating func write(limited value: Int, by part: Part) {
    if part.hasEnded || part.node.limited == value { return }
    send(.limited(value), at: part.path)
    if part.node.limited == value { return }
    // The reducer has set another value, so the control reads again.
    isOneRound = false
    call { $0.field.name == "limited" && $0.path == part.path && $0.way.last === part }
  }

  /// Shows the newest state.
  mutating func show() {
    if !isChanged { return }
    isChanged = false
    let old = shown
    shown = newest
    parts = parts.filter { !$0.value.hasEnded }
    for part in parts.values { part.node = shown[part.path] ?? part.node }
    for index in observers.indices where observers[index].last != nil {
      let observer = observers[index]
      if observer.last == observer.part.node.value { continue }
      observers[index].last = observer.part.node.value
      called.append(observer.number)
      if observer.sends { echo() }
    }
    call { [shown, parts] tracker in
      let path = tracker.path + tracker.field.step
      let prefixes = (0...path.count).map { Node.Path(path.prefix($0)) }
      if zip(tracker.way, prefixes).contains(where: { parts[$1] !== $0 }) { return true }
      if let absent = prefixes.dropFirst(tracker.way.count).first, shown[absent] != nil { return true }
      guard let before = old[tracker.path], let after = shown[tracker.path] else { return false }
      return tracker.field.differs(before, after)
    }
    show()
  }

  private mutating func echo() {
    dispatch(.echo, at: [])
    isOneRound = false
  }

  /// Calls trackers. Each is called once.
  private mutating func call(_ isCalled: (Tracker) -> Bool) {
    let fired = trackers.filter(isCalled)
    trackers.removeAll { tracker in fired.contains { $0.number == tracker.number } }
    called += fired.map(\.number)
    for tracker in fired where tracker.reaction == .sends { echo() }
    if !fired.isEmpty { show() }
  }

  mutating func track(_ number: Int, _ path: Node.Path, _ field: ProgramField, _ reaction: Reaction) {
    let way = read(path + field.step)
    trackers.append(Tracker(number: number, path: path, field: field, reaction: reaction, way: way))
  }
}
