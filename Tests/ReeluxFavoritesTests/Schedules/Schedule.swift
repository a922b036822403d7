import Foundation
import ReeluxCore

@testable import ReeluxFavorites

/// One random order of everything that can happen to favourites: intents, answers, lost answers, time limits, delays,
/// other clients, sign-outs, kills and restores. No task, no clock; the seed decides everything.
///
/// These hold at every moment:
///
/// 1. An item whose intent is under way shows the last intent.
/// 2. No item is in two requests; there are no more requests than the limit, and none has more items than the batch.
/// 3. An item waits for a place only while all places are taken.
/// 4. What is not settled has something that the outside does about it: nothing waits for ever.
/// 5. A number stands for one item and one value; it is never given again for another one, not after a reset either.
/// 6. An action that is not accepted leaves the state as it was; the parts of the state fit each other.
/// 7. What is at rest is what the server holds, if the server's favourites were fetched, everything that was reported
///    has been read, and nothing has changed since then that this client cannot know of: another client's change that
///    was not reported, or a request that arrives after it was given up. Where a server does no number twice, this does
///    not hold with other clients: it confirms a repeated request although it holds another client's value.
///
/// These hold at the end, when everything was answered and the favourites were fetched once more:
///
/// 8. Nothing is under way.
/// 9. Client and server hold the same favourites.
/// 10. The last intent for each item is what the server holds, unless the state says why it is not, the failure was
///     dismissed, the state forgot the intent by a reset or an older copy, another client or a request that was given
///     up has changed the item since, or such a change was not known when the intent was formed. It holds for what was
///     wanted before the first fetch, after a reset, and while reported changes are read late or lost.
struct Schedule {
  /// Something between client and server.
  enum Flight {
    case call(FavoritesWork<Int>.Key, [ServerModel.Call], interruptedPlace: Int?)
    case answer(FavoritesWork<Int>.Key, [(FavoritesRequest<Int>, FavoritesFailure?)])
    case fetch(FavoritesWork<Int>.Key, number: Int, isAgain: Bool)
    case fetched(FavoritesWork<Int>.Key, number: Int, Result<[Int], FavoritesFailure>, served: Int)

    var key: FavoritesWork<Int>.Key {
      switch self {
      case .call(let key, _, _), .answer(let key, _), .fetch(let key, _, _), .fetched(let key, _, _, _): key
      }
    }
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
  /// Requests that the client has given up and that can still arrive; only for a server that guards.
  var strays: [ServerModel.Call] = []
  var run = 1
  var intents: [Int: Bool] = [:]
  /// Items to which the last line of the list does not apply.
  var excused: Set<Int> = []
  var saved: FavoritesState<Int>
  var numbers: [Int: (id: Int, isFavorite: Bool)] = [:]
  /// Whether the client has fetched the server's favourites, and can know of every change since then.
  var knowsServer: Bool
  /// How often the server was changed by something else than this client's present requests.
  var foreignChanges = 0
  /// The items changed in that way that no fetch has seen, and which of these changes was the last.
  var unknown: [Int: Int] = [:]
  var violation: String?
  var history: [String] = []
  let keepsHistory: Bool
  /// What happened how often, to see that everything does.
  var counts: [String: Int] = [:]
  /// How often the server answered in each of its ways; see `failure(_:)`.
  var answers = [Int](repeating: 0, count: 12)
  /// How many actions were accepted.
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

  /// Plays some steps, then lets everything be answered; the first thing that does not hold is in `violation`.
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

  /// A request arrives that the client has given up: like another client's change, if it changes anything.
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
    case .call(let key, let calls, let interruptedPlace):
      if let interruptedPlace { respond(.interrupted(place: interruptedPlace)) }
      var answers: [(FavoritesRequest<Int>, FavoritesFailure?)] = []
      let whole = reliable ? 0 : Int.random(in: 0..<12, using: &random)
      for call in calls {
        // A batch fails as a whole, or item by item.
        let outcome = reliable ? 0 : whole == 11 ? Int.random(in: 0..<11, using: &random) : whole
        if outcome < 5 || outcome == 10 { server.serve(call) }
        answers.append((call.request, Self.failure(outcome)))
      }
      self.answers[whole] += 1
      if keepsHistory { history.append("answer \(whole)") }
      flights.append(.answer(key, answers))
    case .answer(_, let answers):
      for (request, failure) in answers {
        respond(failure.map { .failed(request, $0) } ?? .confirmed(request))
      }
    case .fetch(let key, let number, let isAgain):
      if isAgain { respond(.fetchInterrupted(number: number)) }
      let failure = reliable ? nil : Self.failure(Int.random(in: 0..<10, using: &random))
      flights.append(
        .fetched(key, number: number, failure.map { .failure($0) } ?? .success(server.order), served: foreignChanges))
    case .fetched(_, let number, .success(let ids), let served):
      // An answer that came during the fetch counts more than the fetch, which may be older, and so will the answer to
      // a request under way: the server may have done it before the other client's change.
      let (state, newer) = (state, state.bookkeeping.newerThanFetch)
      unknown = unknown.filter { $0.value > served || newer.contains($0.key) || state.isPending($0.key) }
      if unknown.isEmpty || server.stream != nil { knowsServer = true }
      respond(.loaded(FavoritesSnapshot(ids), number: number))
    case .fetched(_, let number, .failure(let failure), _):
      respond(.loadFailed(failure, number: number))
    }
  }

  /// The failure of an outcome: up to 4 and 10 the server has done it, 4 and 10 lose the answer.
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

  /// A delay or a time limit passes.
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
    case .requestLimit(let place): respond(.expired(late, place: place))
    case .fetchLimit(let number): respond(.loadFailed(late, number: number))
    case .request, .fetch, .follow, .settled: break
    }
  }

  /// Another client changes something, or the stream of changes moves on or breaks.
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

  /// What was not read is lost: the server's favourites are not known until the next fetch.
  mutating func closeStream() {
    if server.stream?.isEmpty == false { knowsServer = false }
    server.stream = nil
  }

  /// The app is killed and comes back, or the feature is removed and installed again.
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

  /// What becomes of something that the client does not wait for any more.
  mutating func giveUp(_ flight: Flight) {
    guard case .call(_, let calls, _) = flight else { return }
    switch server.safeguard {
    case .numbers: strays += calls
    case .none: if Bool.random(using: &random) { for call in calls { server.serve(call) } }
    }
  }

  // MARK: The client

  mutating func respond(_ response: FavoritesAction<Int>.Response) { dispatch(.response(response)) }

  mutating func dispatch(_ action: FavoritesAction<Int>) {
    if keepsHistory { history.append("\(action)") }
    let before = state
    let isAccepted = reducer.reduce(action, &state)
    if !isAccepted {
      if state != before { violation = "\(action) was not accepted and changed the state" }
      // Nothing is wanted otherwise.
      return
    }
    actions += 1
    if case .response = action {
    } else {
      for id in 0..<Self.items
      where state.contains(id) != before.contains(id) || state.items[id]?.intent != before.items[id]?.intent {
        intents[id] = state.contains(id)
        if unknown[id] == nil { excused.remove(id) } else { excused.insert(id) }
      }
    }
    updateWork()
    check()
  }

  /// Begins and ends what the state wants of the outside, by keys, as feeds are.
  mutating func updateWork() {
    let wanted = state.work
    // There are only a few: looking through a list is faster than hashing.
    let keys = wanted.map(\.key)
    let old = work.map(\.key)
    work = wanted
    for flight in flights where !keys.contains(flight.key) { giveUp(flight) }
    flights.removeAll { !keys.contains($0.key) }
    if !wanted.contains(where: { if case .follow = $0 { true } else { false } }) { closeStream() }
    var interruption: FavoritesAction<Int>.Response?
    for work in wanted where !old.contains(work.key) {
      switch work {
      case .request(let place, let requests, let opening):
        for request in requests { note(request) }
        let calls = requests.map { [run] in ServerModel.Call(run: run, request: $0) }
        let isAgain = opening.begin()
        if isAgain { count("made again") }
        flights.append(.call(work.key, calls, interruptedPlace: isAgain ? place : nil))
      case .fetch(let number, let isAgain): flights.append(.fetch(work.key, number: number, isAgain: isAgain))
      case .follow(let number, let isAgain):
        server.stream = []
        if isAgain { interruption = .followingInterrupted(number: number) }
      case .delay, .fetchDelay, .followDelay, .requestLimit, .fetchLimit, .settled: break
      }
    }
    if let interruption { respond(interruption) }
  }

  mutating func note(_ request: FavoritesRequest<Int>) {
    if let known = numbers[request.number], known != (request.id, request.isFavorite) {
      violation = "number \(request.number) was given twice"
    }
    numbers[request.number] = (request.id, request.isFavorite)
  }

  mutating func count(_ what: String) {
    if keepsHistory { history.append(what) }
    counts[what, default: 0] += 1
  }
}
