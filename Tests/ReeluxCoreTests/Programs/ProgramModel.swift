import ReeluxCore

/// A model of a store that runs a program. It needs a few lines and no queue, lock or task.
struct ProgramModel {
  typealias Action = ProgramStore.Action

  /// An observer, in the order of subscription.
  enum Observer: Equatable {
    case whole
    case sum
    case rows
    case doubled
    /// An observer of the child store or of its child.
    case child(Int)
  }

  struct Effect: Equatable {
    var door: Int
    var amount: Int
    var slot: Int?
    var row: Int?
    /// The step that started the effect. It identifies the handle of the action.
    var step: Int
  }

  var state = ProgramStore.State()
  /// The own states of a child and of the child's child.
  var locals: [Int?] = [nil, nil]
  var plugins: [(number: Int, factor: Int)] = []
  var observers: [(number: Int, kind: Observer, told: Int)] = []
  var effects: [Effect] = []
  var notes: [Int] = []
  /// The calls of observers, in their order.
  var calls: [ProgramCall] = []

  private var queue: [(action: Action, step: Int)] = []

  mutating func dispatch(_ action: Action, step: Int) {
    queue.append((action, step))
    drain()
  }

  private mutating func drain() {
    while !queue.isEmpty {
      let (action, step) = queue.removeFirst()
      for action in Self.intercepted(action) { process(action, step: step) }
    }
  }

  private static func intercepted(_ action: Action) -> [Action] {
    switch action {
    case .add(13): []
    case .add(7): [.add(8)]
    case .add(5): [.add(2), .add(3)]
    default: [action]
    }
  }

  private mutating func process(_ action: Action, step: Int, changesChild: Int? = nil) {
    let before = state
    var isAccepted = ProgramStore.reducer.reduce(action, &state)
    if case .row(let element) = action, case .add(let amount) = element.action,
      let index = state.rows.firstIndex(where: { $0.id == element.id })
    {
      state.rows[index].count += amount
      isAccepted = true
    }
    if case .add(let amount) = action {
      for plugin in plugins { state.plugins += plugin.factor * amount }
    }
    if isAccepted { notify { _ in true } } else if let changesChild { notify { $0 >= changesChild } }
    if case .closeRow(let id) = action { effects.removeAll { $0.row == id } }
    switch action {
    case .chain(let length) where length > 0:
      queue += [(.add(1), step), (.chain(length - 1), step)]
    case .note: notes.append(state.sum)
    case .start(let slot, let door, let amount, let replaces):
      if replaces { effects.removeAll { $0.slot == slot } }
      effects.append(Effect(door: door, amount: amount, slot: slot, step: step))
    case .cancel(let slot): effects.removeAll { $0.slot == slot }
    case .row(let element):
      guard case .start(let door, let amount) = element.action, before.rows.contains(where: { $0.id == element.id })
      else { break }
      effects.append(Effect(door: door, amount: amount, row: element.id, step: step))
    default: break
    }
  }

  /// Calls all observers after a change of the root's state, or otherwise those of the children that `isAffected`
  /// selects.
  private mutating func notify(_ isAffected: (Int) -> Bool) {
    let isRoot = isAffected(-1)
    for index in observers.indices {
      switch observers[index].kind {
      case .whole where isRoot: call(index, state.sum)
      case .sum where isRoot && observers[index].told != state.sum: call(index, state.sum)
      case .rows where isRoot && observers[index].told != state.rows.count: call(index, state.rows.count)
      case .doubled where isRoot: call(index, state.sum * 2)
      case .child(let level) where isAffected(level): call(index, locals[level] ?? 0)
      default: break
      }
    }
  }

  private mutating func call(_ index: Int, _ value: Int) {
    observers[index].told = value
    calls.append(ProgramCall(observer: observers[index].number, value: value))
  }

  mutating func subscribe(_ number: Int, _ kind: Observer) {
    observers.append((number, kind, 0))
    switch kind {
    case .whole, .sum: call(observers.count - 1, state.sum)
    case .rows: call(observers.count - 1, state.rows.count)
    case .doubled: call(observers.count - 1, state.sum * 2)
    case .child(let level): call(observers.count - 1, locals[level] ?? 0)
    }
  }

  /// Processes a child's action. An even amount is mapped to an action of the root. The child's child maps multiples of
  /// three.
  mutating func bump(_ amount: Int, level: Int, step: Int) {
    locals[level]? += amount
    if level == 1, amount % 3 == 0 { locals[0]? += amount }
    let first = level == 1 && amount % 3 == 0 ? 0 : level
    if amount % 2 == 0, first == 0 {
      process(.add(amount), step: step, changesChild: first)
      drain()
    } else {
      notify { $0 >= first }
    }
  }

  mutating func open(_ effect: Effect) {
    effects.removeAll { $0 == effect }
    if let row = effect.row {
      dispatch(.row(ElementAction(row, .add(effect.amount))), step: effect.step)
    } else {
      dispatch(.add(effect.amount), step: effect.step)
    }
  }

  mutating func dropChild(_ level: Int) {
    locals[level] = nil
    observers.removeAll { $0.kind == .child(level) }
  }
}

/// One call of an observer.
struct ProgramCall: Sendable, Equatable {
  var observer: Int
  var value: Int
}
