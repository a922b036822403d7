import Foundation
import ReeluxCore

@testable import ReeluxFavorites

/// One random order of all events of favourites: intents, responses, lost responses, time limits, delays, other
/// clients, sign-outs, kills and restores. It uses no task and no clock, and depends only on the seed.
///
/// These conditions hold at any time:
///
/// 1. An item with a pending intent shows the last intent.
/// 2. No item is in two requests. The numbers of requests and of items in a request do not exceed the limits.
/// 3. An item waits for a slot only while all slots are occupied.
/// 4. Everything that is not settled has a corresponding piece of work, so nothing waits forever.
/// 5. A number stands for one item and one value. It is never used for another one, not even after a reset.
/// 6. An action that is not accepted does not change the state. The parts of the state are consistent.
/// 7. An item at rest has the server's value under three conditions: the server's favourites were fetched, every
/// reported change was read, and nothing has changed since then without this client's knowledge. Such unknown changes
/// are a change of another client that was not reported, and a request that arrives after its time limit. If a server
/// processes no number twice and there are other clients, the condition does not hold: the server confirms a repeated
/// request although it has another client's value.
///
/// These conditions hold at the end, when everything has responded and the favourites were fetched once more:
///
/// 8. No work is pending.
/// 9. Client and server have the same favourites.
/// 10. The server has the last intent for each item. There are exceptions: the state contains the reason, the failure
/// was dismissed, the state lost the intent by a reset or an older copy, another client or an expired request has
/// changed the item since, or such a change was unknown when the intent was formed. The condition also holds for
/// intents before the first fetch and after a reset, and while reported changes are read late or lost.
struct Schedule {
  /// A message between client and server.
  enum Flight {
    case call(FavoritesWork<Int>.Key, [ServerModel.Call], interruptedSlot: Int?)
    case answer(FavoritesWork<Int>.Key, [(FavoritesRequest<Int>, FavoritesFailure?)])
    case fetch(FavoritesWork<Int>.Key, number: Int, isAgain: Bool)
    case fetched(FavoritesWork<Int>.Key, number: Int, Result<[Int], FavoritesFailure>, served: Served)

    var key: FavoritesWork<Int>.Key {
      switch self {
      case .call(let key, _, _), .answer(let key, _), .fetch(let key, _, _), .fetched(let key, _, _, _): key
      }
    }
  }

  /// When the server answered a fetch.
  struct Served {
    /// How often something else had changed the server.
    var foreignChanges: Int
    /// The stream of changes that was open; `nil` without one.
    var stream: Int?
  }

  static let items = 4

  var random: SplitMix64
  let policy: FavoritesPolicy
  let reducer: Reducer<FavoritesAction<Int>, FavoritesState<Int>>
  let hasOthers: Bool
  var server: ServerModel
  var state: FavoritesState<Int>
  var work: [FavoritesWork<Int>] = []
  var flights: [Flight] = []
  /// Expired requests that can still arrive. They are used only with a server that guards against them.
  var strays: [ServerModel.Call] = []
  var run = 1
  var intents: [Int: Bool] = [:]
  /// Items to which condition 10 does not apply.
  var excused: Set<Int> = []
  var saved: FavoritesState<Int>
  var numbers: [Int: (id: Int, isFavorite: Bool)] = [:]
  /// Whether the client has fetched the server's favourites and knows every change since then.
  var knowsServer: Bool
  /// The number of changes of the server that did not come from this client's present requests.
  var foreignChanges = 0
  /// The number of streams of changes that were opened.
  var streams = 0
  /// The items with such a change that no fetch has included, with the number of the last change.
  var unknown: [Int: Int] = [:]
  var violation: String?
  var history: [String] = []
  let keepsHistory: Bool
  /// The number of occurrences of each event, to check that all of them occur.
  var counts: [String: Int] = [:]
  /// The number of occurrences of each kind of response; see `failure(_:)`.
  var answers = [Int](repeating: 0, count: 12)
  /// The number of accepted actions.
  var actions = 0

  init(seed: UInt64, keepsHistory: Bool = false) {
    var random = SplitMix64(seed: seed)
    policy = FavoritesPolicy(
      limit: Int.random(in: 1...3, using: &random), batch: Int.random(in: 1...3, using: &random),
      attempts: Int.random(in: 1...3, using: &random))
    reducer = .favorites(policy: policy)
    hasOthers = Bool.random(using: &random)
    var ids: [Int] = []
    for id in 0..<Self.items where Bool.random(using: &random) { ids.append(id) }
    server = ServerModel(ids, safeguard: Bool.random(using: &random) ? .numbers : .none)
    knowsServer = Bool.random(using: &random)
    if knowsServer {
      state = FavoritesState(confirmed: ids)
      state.load = .loaded
      state.isLoaded = true
      state.bookkeeping.isCurrent = true
    } else {
      state = FavoritesState()
    }
    saved = state
    self.keepsHistory = keepsHistory
    self.random = random
  }

  /// Makes some steps, and then lets everything respond. `violation` contains the first violated condition.
  mutating func play(steps: Int) {
    for _ in 0..<steps where violation == nil { step() }
    finish()
  }

  // MARK: Steps

  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: user()
    case 30..<75: network()
    case 75..<88: time()
    case 88..<94: serverAlone()
    default: lifeCycle()
    }
  }

  mutating func user() {
    let id = Int.random(in: 0..<Self.items, using: &random)
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<20: dispatch(.toggle(id))
    case 20..<24: dispatch(.set(id, isFavorite: Bool.random(using: &random)))
    case 24: dispatch(.setAll([id, (id + 1) % Self.items], isFavorite: Bool.random(using: &random)))
    case 25: dispatch(.removeAll)
    case 26..<28: dispatch(.undo)
    case 28: dispatch(.retryAll)
    case 29..<31: dispatch(.retry(id))
    case 31..<35:
      let hadFailed = state.failure(of: id) != nil
      dispatch(.dismiss(id))
      if hadFailed {
        count("dismissed")
        intents[id] = nil
      }
    case 35..<37: dispatch(.load)
    case 37: dispatch(state.isFollowing ? .unfollow : .follow)
    case 38: dispatch(.dismissNotices)
    default:
      knowsServer = false
      dispatch(.reset)
      count("reset")
      intents = [:]
    }
  }

  mutating func network() {
    if !strays.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
      arrive(strays.remove(at: Int.random(in: strays.indices, using: &random)))
      return count("stray")
    }
    guard let index = flights.indices.randomElement(using: &random) else { return }
    deliver(flights.remove(at: index), reliable: false)
  }

  /// Lets an expired request arrive. If it changes anything, it counts as a change of another client.
  mutating func arrive(_ stray: ServerModel.Call) {
    let before = server.held
    server.serve(stray)
    if server.held != before { noteForeignChange(of: stray.request.id) }
  }

  mutating func noteForeignChange(of id: Int) {
    foreignChanges += 1
    unknown[id] = foreignChanges
    excused.insert(id)
    if server.stream == nil { knowsServer = false }
  }

  mutating func deliver(_ flight: Flight, reliable: Bool) {
    switch flight {
    case .call(let key, let calls, let interruptedSlot):
      if let interruptedSlot { respond(.interrupted(slot: interruptedSlot)) }
      var answers: [(FavoritesRequest<Int>, FavoritesFailure?)] = []
      let whole = reliable ? 0 : Int.random(in: 0..<12, using: &random)
      for call in calls {
        // A batch fails as a whole or item by item.
        let outcome = reliable ? 0 : whole == 11 ? Int.random(in: 0..<11, using: &random) : whole
        if outcome < 5 || outcome == 10 { server.serve(call) }
        answers.append((call.request, Self.failure(outcome)))
      }
      self.answers[whole] += 1
      if keepsHistory { history.append("answer \(whole)") }
      flights.append(.answer(key, answers))
    case .answer(let key, let answers):
      if case .request(let slot) = key, answers.count > 1, let failure = answers[0].1,
        answers.allSatisfy({ $0.1 == failure })
      {
        return respond(.expired(failure, slot: slot))
      }
      for (request, failure) in answers {
        respond(failure.map { .failed(request, $0) } ?? .confirmed(request))
      }
    case .fetch(let key, let number, let isAgain):
      if isAgain { respond(.fetchInterrupted(number: number)) }
      let failure = reliable ? nil : Self.failure(Int.random(in: 0..<10, using: &random))
      let served = Served(foreignChanges: foreignChanges, stream: server.stream == nil ? nil : streams)
      flights.append(
        .fetched(key, number: number, failure.map { .failure($0) } ?? .success(server.order), served: served))
    case .fetched(_, let number, .success(let ids), let served):
      // A response during the fetch overrides the fetch, which may be older. The response of a running request does
      // too, because the server may have applied it before the other client's change.
      let (state, newer) = (state, state.bookkeeping.newerThanFetch)
      unknown = unknown.filter { $0.value > served.foreignChanges || newer.contains($0.key) || state.isPending($0.key) }
      // A stream reports the changes since it was opened: it does not help a fetch that was answered before.
      if unknown.isEmpty || (server.stream != nil && served.stream == streams) { knowsServer = true }
      respond(.loaded(FavoritesSnapshot(ids), number: number))
    case .fetched(_, let number, .failure(let failure), _):
      respond(.loadFailed(failure, number: number))
    }
  }

  /// The failure of an outcome. With 0 to 4 and 10 the server has applied the request; with 4 and 10 the response is
  /// lost.
  static func failure(_ outcome: Int) -> FavoritesFailure? {
    switch outcome {
    case 4, 5: FavoritesFailure(.timeout, "lost")
    case 6: FavoritesFailure(.offline, "no network")
    case 7: FavoritesFailure(.busy, "later", retryAfter: .seconds(1))
    case 8: FavoritesFailure(.refused, "no")
    case 9: FavoritesFailure(.conflict, "changed")
    case 10: FavoritesFailure(.unknown, "what?")
    default: nil
    }
  }

  /// Lets a delay or a time limit pass.
  mutating func time() {
    let passing = work.filter {
      switch $0 {
      case .delay, .fetchDelay, .followDelay: true
      case .requestLimit, .fetchLimit: Int.random(in: 0..<4, using: &random) == 0
      case .request, .fetch, .follow, .settled: false
      }
    }
    if let work = passing.randomElement(using: &random) { pass(work) }
  }

  mutating func pass(_ work: FavoritesWork<Int>) {
    let late = FavoritesFailure(.timeout, "late")
    switch work {
    case .delay(let id, let number, let attempt, _): respond(.due(id, number: number, attempt: attempt))
    case .fetchDelay(let number, _, _): respond(.loadDue(number: number))
    case .followDelay(let number, _, _): respond(.followingDue(number: number))
    case .requestLimit(let slot, _): respond(.expired(late, slot: slot))
    case .fetchLimit(let number): respond(.loadFailed(late, number: number))
    case .request, .fetch, .follow, .settled: break
    }
  }

  /// Lets another client change something, or lets the stream of changes continue or fail.
  mutating func serverAlone() {
    if hasOthers, Bool.random(using: &random) {
      let id = Int.random(in: 0..<Self.items, using: &random)
      let before = server.held
      server.put(id, Bool.random(using: &random))
      if server.held != before { noteForeignChange(of: id) }
      return count("other client")
    }
    readStream(mayBreak: true)
  }

  mutating func readStream(mayBreak: Bool) {
    guard case .open(_, let number) = state.following, var stream = server.stream else { return }
    if mayBreak, Int.random(in: 0..<10, using: &random) == 0 {
      closeStream()
      return respond(.followingEnded(FavoritesFailure(.offline, "no network"), number: number))
    }
    if stream.isEmpty {
      if mayBreak, Int.random(in: 0..<4, using: &random) == 0 {
        respond(.pushed(.replaced(FavoritesSnapshot(server.order)), number: number))
      }
      return
    }
    let change = stream.removeFirst()
    server.stream = stream
    respond(.pushed(change, number: number))
  }

  /// Closes the stream. Unread changes are lost, so the server's favourites are unknown until the next fetch.
  mutating func closeStream() {
    if server.stream?.isEmpty == false { knowsServer = false }
    server.stream = nil
  }

  /// Kills and restarts the app, or removes and installs the feature.
  mutating func lifeCycle() {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: saved = state
    case 1: restart(with: state, isNewRun: false, "reinstalled")
    case 2, 3: restart(with: state, isNewRun: true, "restored")
    default:
      intents = [:]
      knowsServer = false
      foreignChanges += 1
      for id in 0..<Self.items { unknown[id] = foreignChanges }
      let last = saved.bookkeeping.lastNumber
      numbers = numbers.filter { $0.key <= last }
      restart(with: saved, isNewRun: true, "restored from an older copy")
    }
  }

  mutating func restart(with state: FavoritesState<Int>, isNewRun: Bool, _ what: String) {
    count(what)
    for flight in flights { giveUp(flight) }
    flights = []
    work = []
    closeStream()
    if isNewRun { run += 1 }
    self.state = state
    if isNewRun, Int.random(in: 0..<20, using: &random) == 0 {
      do {
        self.state = try JSONDecoder().decode(FavoritesState<Int>.self, from: JSONEncoder().encode(state))
        if self.state != state { violation = "a state is not read as it was written" }
      } catch {
        violation = "a state cannot be read: \(error)"
      }
      count("encoded")
    }
    updateWork()
    check()
  }

  /// Decides what happens to a message that the client no longer waits for.
  mutating func giveUp(_ flight: Flight) {
    guard case .call(_, let calls, _) = flight else { return }
    switch server.safeguard {
    case .numbers: strays += calls
    case .none: if Bool.random(using: &random) { for call in calls { server.serve(call) } }
    }
  }
}
