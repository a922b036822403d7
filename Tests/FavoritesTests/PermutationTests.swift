import Core
import CoreTesting
import Favorites
import Testing

/// Every order of toggles and answers, each run on a store of its own, with the real middleware and real tasks.
@Suite struct PermutationTests {
  @Test(.conformance(82, 83), arguments: 1...4)
  func everyOrderOfAnswersToTogglesOfOneItemEndsInTheLastWishOrSaysWhy(toggles: Int) async {
    await runAll(toggles: Array(repeating: 1, count: toggles), outcomes: [.done, .refused])
  }

  @Test(.conformance(82, 83), arguments: 1...2)
  func everyOrderOfAnswersWithRetriesEndsInTheLastWishOrSaysWhy(toggles: Int) async {
    await runAll(
      toggles: Array(repeating: 1, count: toggles), outcomes: [.done, .offline, .timeoutDone])
  }

  @Test(.conformance(82, 83), arguments: [1, 2])
  func everyOrderOfAnswersToTogglesOfTwoItemsEndsInTheLastWishesOrSaysWhy(limit: Int) async {
    await runAll(toggles: [1, 2, 1, 2], outcomes: [.done, .refused], limit: limit)
  }

  /// Goes through all sequences of choices like an odometer: after each run, the last choice that has
  /// another option takes it, and what follows begins anew.
  private func runAll(toggles: [Int], outcomes: [Run.Outcome], limit: Int = 4) async {
    var choices: [Int] = []
    var runs = 0
    while true {
      var run = Run(toggles: toggles, outcomes: outcomes, limit: limit, choices: choices)
      await run.play()
      runs += 1
      #expect(run.violation == nil, "\(run.history)")
      choices = run.choices
      while let last = choices.last, last + 1 == run.options[choices.count - 1] {
        choices.removeLast()
      }
      guard let last = choices.popLast() else { break }
      choices.append(last + 1)
    }
    #expect(runs >= outcomes.count)
  }
}

/// One order of events, decided by a list of choices; beyond the list, the first option is taken.
struct Run {
  enum Outcome { case done, refused, offline, timeoutDone }

  private let script = ScriptedAPI()
  private let store: Store<FavoritesAction<Int>, FavoritesState<Int>>
  private let outcomes: [Outcome]
  private var toggles: [Int]
  private var calls: [ScriptedAPI.Call] = []
  private var server: OrderedIDs<Int> = []
  private var wishes: [Int: Bool] = [:]

  private(set) var choices: [Int]
  /// How many options there were at each choice.
  private(set) var options: [Int] = []
  private(set) var history: [String] = []
  private(set) var violation: String?

  init(toggles: [Int], outcomes: [Outcome], limit: Int, choices: [Int]) {
    self.toggles = toggles
    self.outcomes = outcomes
    self.choices = choices
    store = Store(
      initialState: FavoritesState(),
      feature: .favorites(
        api: script.api, policy: FavoritesPolicy(limit: limit, attempts: 2), clock: ImmediateClock()
      ))
  }

  mutating func play() async {
    while true {
      let answers = calls.indices.flatMap { index in
        (calls[index].request == .fetch ? [.done] : outcomes).map { (index: index, outcome: $0) }
      }
      let count = (toggles.isEmpty ? 0 : 1) + answers.count
      guard count > 0 else { break }
      let place = options.count
      if place == choices.count { choices.append(0) }
      options.append(count)
      if choices[place] < answers.count {
        let answer = answers[choices[place]]
        await self.answer(calls.remove(at: answer.index), answer.outcome)
      } else {
        await toggle(toggles.removeFirst())
      }
      await takeCalls()
    }
    await store.settle()
    check()
  }

  private mutating func toggle(_ id: Int) async {
    let wish = !store.state.contains(id)
    wishes[id] = wish
    history.append("toggle \(id)")
    store.dispatch(.toggle(id))
    // Another thread may still be at the end of the last action; then it reduces this one too.
    for await state in store.states where state.contains(id) == wish { break }
  }

  private mutating func answer(_ call: ScriptedAPI.Call, _ outcome: Outcome) async {
    history.append("\(call.request): \(outcome)")
    let before = store.state
    switch call.request {
    case .fetch: call.succeed(FavoritesSnapshot(server))
    case .set(let id, let value):
      if outcome == .done || outcome == .timeoutDone {
        if value { server.append(id) } else { server.remove(id) }
      }
      switch outcome {
      case .done: call.succeed()
      case .refused: call.fail(.refused)
      case .offline: call.fail(.offline)
      case .timeoutDone: call.fail(.timeout)
      }
    }
    // The answer has been reduced, and a pause it may have led to is over.
    for await state in store.states where state != before && state.isBetweenPauses { break }
  }

  /// Takes the calls that the state says are with the server.
  private mutating func takeCalls() async {
    let state = store.state
    let fetches = if case .loading = state.load { 1 } else { 0 }
    while calls.count < state.requesting + fetches { calls.append(await script.next()) }
    let items = calls.compactMap { if case .set(let id, _) = $0.request { id } else { nil } }
    if Set(items).count != items.count { violation = "two requests for one item" }
    if script.untaken > 0 { violation = "more requests than the state says" }
  }

  private mutating func check() {
    let state = store.state
    if !state.isSettled { violation = "not settled" }
    if Set(state.ids) != Set(server) { violation = "client \(state.ids), server \(server)" }
    for (id, wish) in wishes where state.contains(id) != wish && state.failure(of: id) == nil {
      violation = "\(id) is not what was wished last, and nothing says why"
    }
  }
}

extension FavoritesState {
  fileprivate var isBetweenPauses: Bool {
    !items.values.contains { if case .waiting = $0.phase { true } else { false } }
  }
}
