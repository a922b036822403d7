import Foundation
import Observation
import ReeluxCore
import ReeluxUI
import Testing

/// Random programs over the stores of a user interface, compared with a model that is written from the documentation.
///
/// `REELUX_PROGRAMS` is their number, and `REELUX_SEED` is the first seed. A failure names its seed:
///
///     REELUX_PROGRAMS=100000 swift test --filter RandomViewProgramTests
@MainActor
@Suite(.timeLimit(.minutes(120))) struct RandomViewProgramTests {
  static func number(_ name: String, _ standard: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? standard
  }

  @Test func everyProgramDoesWhatTheModelDoes() async {
    let (count, first) = (Self.number("REELUX_PROGRAMS", 400), Self.number("REELUX_SEED", 1))
    for seed in first..<(first + count) {
      let program = RandomViewProgram(seed: seed)
      guard let fault = await program.run() else { continue }
      let text = "seed \(seed): \(fault)\n\(program.history.joined(separator: "\n"))"
      Issue.record("\(text.replacing("ReeluxUITests.Node.", with: ""))")
      return
    }
    print("\(count) random programs of views from seed \(first): as the model")
  }
}

/// A random program over the stores of a user interface.
///
/// Each step runs on the model first. So while a tracker is called, the model has the state that is displayed.
@MainActor
final class RandomViewProgram {
  private var random: SplitMix64
  private let store: Store<Node.Action, Node>
  private var view: Node.View?
  private var model: ViewModel
  /// The stores of parts that the program retains.
  private var held: [(part: ViewModel.Part, store: Node.View)] = []
  /// The parts whose stores were read.
  private var parts: [ViewModel.Part] = []
  /// Presentations, with the part that each has shown last.
  private var sheets: [(presentation: Presentation<Node>, seen: ViewModel.Part?)] = []
  private var subscriptions: [Int: Subscription] = [:]
  private var numbers = 0
  /// The trackers and observers of values that were called in this step.
  private var called: [Int] = []
  /// What the observers of whole nodes received last.
  private var received: [Int: Node] = [:]
  private var faults: [String] = []
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var row = Node(id: 1)
    (row.rows, row.sheet) = ([Node(id: 0), Node(id: 1)], Node(id: 0))
    var node = Node(id: 0)
    (node.rows, node.sheet) = ([row, Node(id: 2)], row)
    store = Store(initialState: node, reducer: Node.reducer)
    view = MainActorStore(store)
    model = ViewModel(node)
  }

  /// Runs the program. Returns the first difference from the model.
  func run() async -> String? {
    for _ in 0..<(below(60) + 1) {
      (called, model.called, model.isOneRound) = ([], [], true)
      await take()
      compare()
      if let fault = faults.first { return fault }
    }
    return end()
  }

  private func take() async {
    switch below(24) {
    case 0...2: send()
    case 3, 4: sendByPart()
    case 5, 6:
      let path = path()
      dispatch(edit(path), at: path)
    case 7: removeAndAdd()
    case 8, 9: write()
    case 10, 11: hold()
    case 12...14: track(path(), ProgramField.all[below(6)], [.none, .sends, .tracksAgain][below(3)])
    case 15...17: observe()
    case 18: cancel()
    case 19, 20: present()
    default: await turn()
    }
  }

  // MARK: Random values

  private func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  /// Usually the path of a displayed part.
  private func path() -> Node.Path {
    var path: Node.Path = below(4) == 0 ? [.same] : []
    for _ in 0..<below(3) {
      let row = model.shown[path]?.rows.randomElement(using: &random)
      path.append(below(3) == 0 ? .sheet : .row(row?.id ?? below(3)))
    }
    return path
  }

  private func node(_ id: Int, depth: Int = 0) -> Node {
    var node = Node(id: id)
    node.value = below(3)
    if depth > 1 { return node }
    node.rows = (0..<3).filter { _ in below(3) == 0 }.map { self.node($0, depth: depth + 1) }
    if below(3) == 0 { node.sheet = self.node(below(2), depth: depth + 1) }
    return node
  }

  private func edit(_ path: Node.Path) -> Node.Edit {
    switch below(8) {
    case 0...2: return .value(below(4))
    case 3, 4: return .sheet(below(3) == 0 ? nil : node(below(2)))
    default:
      // Some rows stay. Others are added, removed, moved or replaced.
      let old = model.newest[path]?.rows ?? []
      let ids = below(2) == 0 ? Array(0..<4) : (0..<4).shuffled(using: &random)
      let rows = ids.map { id in old.first { $0.id == id && below(4) > 0 } ?? node(id) }
      return .rows(rows.filter { row in below(4) > (old.contains { $0.id == row.id } ? 0 : 2) })
    }
  }

  // MARK: Actions

  private func send() {
    let path = path()
    let edit = edit(path)
    history.append("send \(edit) to \(path)")
    model.send(edit, at: path)
    view?.send(Node.Action(path: path, edit: edit))
  }

  private func sendByPart() {
    guard let (part, store) = held.randomElement(using: &random) else { return }
    let edit = edit(part.path)
    history.append("send \(edit) by a held store of \(part.path)")
    if !part.hasEnded { model.send(edit, at: part.path) }
    store.send(Node.Action(edit: edit))
  }

  /// The main actor shows the change in its next turn, or when a store sends an action.
  private func dispatch(_ edit: Node.Edit, at path: Node.Path) {
    history.append("dispatch \(edit) to \(path)")
    model.dispatch(edit, at: path)
    store.dispatch(Node.Action(path: path, edit: edit))
  }

  /// The main actor does not show the states between.
  private func removeAndAdd() {
    let path = path()
    guard let node = model.newest[path] else { return }
    dispatch(.rows(node.rows.filter { _ in below(2) == 0 }), at: path)
    if below(2) == 0 { dispatch(.sheet(nil), at: path) }
    if below(3) == 0 { hold() }
    dispatch(.rows(node.rows), at: path)
    dispatch(.sheet(node.sheet), at: path)
  }

  private func write() {
    guard let (part, store) = held.randomElement(using: &random) else { return }
    let value = below(5)
    history.append("write \(value) by a binding of a held store of \(part.path)")
    model.write(limited: value, by: part)
    store.fieldBinding(\.limited, send: { Node.Action(edit: .limited($0)) }).wrappedValue = value
  }

  private func turn() async {
    history.append("a turn")
    model.show()
    await Changes().turn()
  }

  // MARK: Stores

  private func hold() {
    let path = path()
    history.append("hold the store of \(path)")
    let (part, store) = (model.part(path), view?.place(path))
    guard let part, let store else {
      if part != nil || store != nil { faults.append("the part \(path) exists: \(part != nil), not \(store != nil)") }
      return
    }
    if part.store != nil && part.store !== store { faults.append("\(path) has another store") }
    part.store = store
    parts.append(part)
    // The program does not hold the root store, so that it can release it.
    if !path.isEmpty && below(2) == 0 { held.append((part, store)) }
  }

  // MARK: Trackers and observers

  /// What a reaction changes calls no other reaction, so the order of the trackers does not matter.
  private func track(_ path: Node.Path, _ field: ProgramField, _ wanted: ViewModel.Reaction) {
    numbers += 1
    let number = numbers
    let isSimple = field.name == "echo" || (field.name == "limited" && wanted == .tracksAgain)
    let reaction = isSimple ? .none : wanted
    history.append("tracker \(number) of \(field.name) at \(path), \(reaction)")
    model.track(number, path, field, reaction)
    withObservationTracking {
      if let place = view?.place(path) { field.read(place) }
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        self?.called.append(number)
        if reaction == .sends { self?.view?.send(Node.Action(edit: .echo)) }
        if reaction == .tracksAgain { self?.track(path, field, reaction) }
      }
    }
  }

  private func observe() {
    let path = path()
    let (read, store) = (model.part(path), view?.place(path))
    guard let part = read, let store else { return }
    numbers += 1
    let number = numbers
    let (isWhole, sends) = (below(3) == 0, below(3) == 0)
    history.append("observer \(number) of \(isWhole ? "all" : "the value, sends: \(sends)") of \(path)")
    model.observers.append(
      ViewModel.Observer(number: number, part: part, sends: sends, last: isWhole ? nil : part.node.value))
    if isWhole {
      subscriptions[number] = store.observe { [weak self] in self?.received[number] = $0 }
      return
    }
    model.called.append(number)
    var isFirst = true
    subscriptions[number] = store.observe(\.value) { [weak self] value in
      self?.called.append(number)
      if value != part.node.value { self?.faults.append("observer \(number) received \(value)") }
      if sends && !isFirst { self?.view?.send(Node.Action(edit: .echo)) }
      isFirst = false
    }
  }

  private func cancel() {
    guard let number = subscriptions.keys.sorted().randomElement(using: &random) else { return }
    history.append("cancel observer \(number)")
    model.observers.removeAll { $0.number == number }
    subscriptions[number]?.cancel()
    (subscriptions[number], received[number]) = (nil, nil)
  }

  /// Creates a presentation, reads one, or dismisses one.
  private func present() {
    guard let index = sheets.indices.randomElement(using: &random), below(3) > 0 else {
      history.append("presentation \(sheets.count) of the sheet")
      if let view { sheets.append((view.sheetPresentation, model.part([.sheet]))) }
      return
    }
    let part = model.part([.sheet])
    if below(2) == 0 {
      history.append("read presentation \(index)")
      if sheets[index].presentation.item != part?.node { faults.append("the presentation shows another sheet") }
      sheets[index].seen = part ?? sheets[index].seen
    } else {
      history.append("dismiss presentation \(index)")
      if let part, !part.hasEnded, sheets[index].seen == nil || sheets[index].seen === part {
        model.send(.sheet(nil), at: [])
      }
      sheets[index].presentation.dismiss()
    }
  }

  // MARK: Comparing

  private func compare() {
    if called.sorted() != model.called.sorted() { faults.append("called \(called), not \(model.called)") }
    // Trackers are called first, then observers in their order.
    let order = called.map { number in model.observers.contains { $0.number == number } ? number : 0 }
    if model.isOneRound && order != order.sorted() { faults.append("called in the order \(called)") }
    if store.state != model.newest { faults.append("the state is \(store.state), not \(model.newest)") }
    if let view, view[\.self] != model.shown { faults.append("the view shows another state than \(model.shown)") }
    for (part, store) in held where store[\.self] != part.node {
      faults.append("the store of \(part.path) shows \(store[\.self]), not \(part.node)")
    }
    // An observer of a whole node may be called more often than once for a change.
    let whole = model.observers.filter { $0.last == nil }
    if received != Dictionary(uniqueKeysWithValues: whole.map { ($0.number, $0.part.node) }) {
      faults.append("the observers received \(received) last")
    }
  }

  /// Releases the stores of old parts, then the root store, then the other ones.
  private func end() -> String? {
    sheets = []
    held.removeAll { model.parts[$0.part.path] !== $0.part }
    if parts.contains(where: { model.parts[$0.path] !== $0 && $0.store != nil }) { return "an old store is retained" }
    view = nil
    for (_, store) in held { store.send(Node.Action(edit: .value(7))) }
    compare()
    held = []
    return parts.contains { $0.store != nil } ? "a store is retained" : faults.first
  }
}
