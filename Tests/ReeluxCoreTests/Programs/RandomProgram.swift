import ReeluxCore

/// A random program over the public API of a store. It runs on a store and on the model in parallel.
struct RandomProgram {
  private enum ChildAction: Sendable { case bump(Int) }
  private typealias Child = ChildStore<ChildAction, ProgramStore.Action, ProgramStore.State, Int>
  private typealias Grandchild = ChildStore<
    ChildAction, ChildAction, ChildState<ProgramStore.State, Int>, Int
  >

  private var random: SplitMix64
  private var model = ProgramModel()
  private let doors = ProgramStore.Doors()
  private let calls = Journal<ProgramCall>()
  private let ends = Journal<Int>()
  private var store: Store<ProgramStore.Action, ProgramStore.State>?
  private var child: Child?
  private var grandchild: Grandchild?
  private var subscriptions: [Int: Subscription] = [:]
  private var installations: [Int: Installation] = [:]
  private var tasks: [Int: ActionTask] = [:]
  private var numbers = 0
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    store = Store(initialState: ProgramStore.State(), feature: ProgramStore.feature(doors))
  }

  /// Runs the program. Returns the first difference from the model.
  mutating func run() async -> String? {
    let count = below(24) + 1
    for step in 0..<count {
      await take(step)
      if let fault = fault() { return fault }
    }
    return await end()
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  private mutating func number() -> Int {
    numbers += 1
    return numbers
  }

  private mutating func take(_ step: Int) async {
    switch below(20) {
    case 0...3: send(.add(below(16)), step)
    case 4: send(.chain(below(4)), step)
    case 5: send(.note, step)
    case 6: send(.start(slot: below(2), door: number(), amount: below(5), replaces: below(2) == 0), step)
    case 7: send(.cancel(slot: below(2)), step)
    case 8: send(.openRow(below(3)), step)
    case 9: send(.closeRow(below(3)), step)
    case 10: send(.row(ElementAction(below(3), .add(below(5)))), step)
    case 11: send(.row(ElementAction(below(3), .start(door: number(), amount: below(5)))), step)
    case 12, 13: subscribe()
    case 14: unsubscribe()
    case 15: installOrRemove()
    case 16: changeChildren()
    case 17: bump(step)
    case 18: await open()
    default: cancelTask()
    }
  }

  private mutating func send(_ action: ProgramStore.Action, _ step: Int) {
    // Only a store returns a handle with which an effect can be awaited.
    if below(4) == 0, !action.startsEffect {
      history.append("by a projection: \(action)")
      let projection = store?.projection(action: { (action: ProgramStore.Action) in action }, state: \.sum)
      projection?.dispatch(action)
    } else {
      history.append("\(action)")
      tasks[step] = store?.dispatch(action)
    }
    model.dispatch(action, step: step)
  }

  private mutating func subscribe() {
    let number = number()
    let end = { @Sendable [ends] in ends.write(number) }
    let kinds: [ProgramModel.Observer] = [.whole, .sum, .rows, .doubled, .child(0), .child(1)]
    let kind = kinds[below(kinds.count)]
    let write = { @Sendable [calls] (value: Int) in calls.write(ProgramCall(observer: number, value: value)) }
    switch kind {
    case .whole: subscriptions[number] = store?.subscribe(end: end) { write($0.sum) }
    case .sum: subscriptions[number] = store?.select(\.sum).subscribe(end: end, write)
    case .rows: subscriptions[number] = store?.select { $0.rows.count }.subscribe(end: end, write)
    case .doubled:
      subscriptions[number] = store?.projection(action: { (_: Int) in nil }, state: { $0.sum * 2 })
        .subscribe(end: end, write)
    case .child(0):
      guard let child else { return }
      subscriptions[number] = child.subscribe { write($0.local) }
    case .child:
      guard let grandchild else { return }
      subscriptions[number] = grandchild.subscribe { write($0.local) }
    }
    history.append("subscription \(number) to \(kind)")
    model.subscribe(number, kind)
  }

  private mutating func unsubscribe() {
    guard let number = subscriptions.keys.sorted().randomElement(using: &random) else { return }
    history.append("cancel subscription \(number)")
    if below(2) == 0 { subscriptions[number]?.cancel() }
    subscriptions[number] = nil
    model.observers.removeAll { $0.number == number }
  }

  private mutating func installOrRemove() {
    if below(2) == 0, let number = installations.keys.sorted().randomElement(using: &random) {
      history.append("remove feature \(number)")
      installations[number]?.remove()
      installations[number] = nil
      model.plugins.removeAll { $0.number == number }
    } else {
      let (number, factor) = (number(), below(3) + 1)
      history.append("install feature \(number)")
      installations[number] = store?.install(ProgramStore.plugin(factor))
      model.plugins.append((number, factor))
    }
  }

  private mutating func changeChildren() {
    let reducer = Reducer<ChildAction, Int> { action, count in
      guard case .bump(let amount) = action else { return }
      count += amount
    }
    if child == nil {
      history.append("make a child")
      child = store?.child(initialState: 100, reducer: reducer) { action in
        guard case .bump(let amount) = action else { return nil }
        return amount % 2 == 0 ? .add(amount) : nil
      }
      model.locals[0] = 100
    } else if grandchild == nil, below(2) == 0 {
      history.append("make a child of the child")
      grandchild = child?.child(initialState: 200, reducer: reducer) { action in
        guard case .bump(let amount) = action else { return nil }
        return amount % 3 == 0 ? .bump(amount) : nil
      }
      model.locals[1] = 200
    } else {
      dropChildren()
    }
  }

  private mutating func dropChildren() {
    history.append("drop the children")
    for observer in model.observers {
      if case .child = observer.kind { subscriptions[observer.number] = nil }
    }
    grandchild = nil
    child = nil
    model.dropChild(1)
    model.dropChild(0)
  }

  private mutating func bump(_ step: Int) {
    // A child's action for the root meets no exception of the interceptor, because an even amount is not 5, 7 or 13.
    let amount = below(14)
    if let grandchild, below(2) == 0 {
      history.append("bump the child's child by \(amount)")
      grandchild.dispatch(.bump(amount))
      model.bump(amount, level: 1, step: step)
    } else if let child {
      history.append("bump the child by \(amount)")
      child.dispatch(.bump(amount))
      model.bump(amount, level: 0, step: step)
    }
  }

  /// Lets one waiting effect send its action.
  private mutating func open() async {
    guard let effect = model.effects.randomElement(using: &random) else { return }
    history.append("open door \(effect.door)")
    doors[effect.door].open()
    await tasks[effect.step]?.finish()
    model.open(effect)
  }

  private mutating func cancelTask() {
    guard let step = tasks.keys.sorted().randomElement(using: &random) else { return }
    history.append("cancel the effects of step \(step)")
    tasks[step]?.cancel()
    model.effects.removeAll { $0.step == step }
  }

  private func fault() -> String? {
    guard let store else { return nil }
    if store.state != model.state { return "the state is \(store.state), not \(model.state)" }
    if calls.entries != model.calls { return "the calls are \(calls.entries), not \(model.calls)" }
    if doors.notes.entries != model.notes { return "the notes are \(doors.notes.entries), not \(model.notes)" }
    if let child, child.state.local != model.locals[0] { return "the child's state is \(child.state.local)" }
    if let grandchild, grandchild.state.local != model.locals[1] { return "the child's child's state is wrong" }
    return nil
  }

  /// Opens all doors, settles, and releases the store.
  private mutating func end() async -> String? {
    while let effect = model.effects.first {
      history.append("open door \(effect.door)")
      doors[effect.door].open()
      await tasks[effect.step]?.finish()
      model.open(effect)
      if let fault = fault() { return fault }
    }
    // Cancelled effects send their actions now, and none of these may arrive.
    for number in 1...numbers + 1 { doors[number].open() }
    await store?.settle()
    if let fault = fault() { return "after everything was settled, \(fault)" }
    dropChildren()
    let projection = store?.projection(action: { (action: ProgramStore.Action) in action }, state: \.sum)
    let last = model.state.sum
    let observers = model.observers.map(\.number)
    store = nil
    if Set(ends.entries) != Set(observers) || ends.count != observers.count {
      return "the end was told to \(ends.entries), not to \(observers)"
    }
    projection?.dispatch(.add(1))
    if projection?.state != last { return "a store that is gone has changed" }
    return nil
  }
}
