import ReeluxCore
import ReeluxTesting

@testable import ReeluxFavorites

/// One order of events, determined by a list of choices. After the end of the list, the first option is used.
struct PermutationRun {
  enum Outcome { case done, refused, offline, timeoutDone }

  /// A possible next event.
  private enum Event {
    case toggle
    case answer(index: Int, Outcome)
    case answerFetch
    case endOfDelay
  }

  private let script = ScriptedAPI()
  private let clock = TestClock()
  private let store: TestStore<FavoritesAction<Int>, FavoritesState<Int>>
  private let outcomes: [Outcome]
  private var toggles: [Int]
  private var server: OrderedIDs<Int> = []
  private var intents: [Int: Bool] = [:]

  private(set) var choices: [Int]
  /// The number of options at each choice.
  private(set) var options: [Int] = []
  private(set) var history: [String] = []
  private(set) var violation: String?

  init(toggles: [Int], outcomes: [Outcome], limit: Int, choices: [Int]) {
    self.toggles = toggles
    self.outcomes = outcomes
    self.choices = choices
    store = TestStore(
      initialState: FavoritesState(),
      feature: .favorites(
        api: script.api, policy: FavoritesPolicy(limit: limit, attempts: 2, timeLimit: nil),
        clock: clock),
      exhaustivity: [.runningEffects])
  }

  mutating func play() async {
    while true {
      let events = possibleEvents
      guard !events.isEmpty else { break }
      let place = options.count
      if place == choices.count { choices.append(0) }
      options.append(events.count)
      await happen(events[choices[place]])
      checkPresent()
    }
    checkEnd()
    await store.assertFinished()
  }

  private var possibleEvents: [Event] {
    var events = script.sets.pending.indices.flatMap { index in outcomes.map { Event.answer(index: index, $0) } }
    if !script.fetches.pending.isEmpty { events.append(.answerFetch) }
    if !clock.sleepers.isEmpty { events.append(.endOfDelay) }
    if !toggles.isEmpty { events.append(.toggle) }
    return events
  }

  private mutating func happen(_ event: Event) async {
    switch event {
    case .toggle:
      let id = toggles.removeFirst()
      history.append("toggle \(id)")
      let intent = !store.state.contains(id)
      intents[id] = intent
      await store.send(.toggle(id))
      if store.state.contains(id) != intent { violation = "the toggle is not seen" }
    case .answer(let index, let outcome):
      let call = script.sets.pending[index]
      history.append("\(call): \(outcome)")
      if outcome == .done || outcome == .timeoutDone {
        if call.value { server.append(call.id) } else { server.remove(call.id) }
      }
      switch outcome {
      case .done: await script.sets.succeed((), at: index)
      case .refused: await script.sets.fail(FavoritesFailure(.refused, "no"), at: index)
      case .offline: await script.sets.fail(FavoritesFailure(.offline, "no"), at: index)
      case .timeoutDone: await script.sets.fail(FavoritesFailure(.timeout, "no"), at: index)
      }
    case .answerFetch:
      history.append("fetch: \(server)")
      await script.fetches.succeed(FavoritesSnapshot(server))
    case .endOfDelay:
      history.append("end of a delay")
      guard let deadline = clock.sleepers.first else { return }
      await clock.advance(to: deadline)
    }
    await store.skipReceivedActions()
  }

  private mutating func checkPresent() {
    let items = script.sets.pending.map(\.id)
    if Set(items).count != items.count { violation = "two requests for one item" }
    let slots = store.state.bookkeeping.slots.count
    if slots != items.count { violation = "the state says \(slots) requests" }
  }

  private mutating func checkEnd() {
    let state = store.state
    if !state.isSettled { violation = "not settled" }
    if Set(state.ids) != Set(server) { violation = "client \(state.ids), server \(server)" }
    for (id, intent) in intents where state.contains(id) != intent && state.failure(of: id) == nil {
      violation = "\(id) is not what was wanted last, and nothing says why"
    }
  }
}
