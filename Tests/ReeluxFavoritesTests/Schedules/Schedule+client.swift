import Foundation
import ReeluxCore

@testable import ReeluxFavorites

/// The client of a schedule: it dispatches actions, and performs the work that the state lists.
extension Schedule {
  // MARK: The client

  mutating func respond(_ response: FavoritesAction<Int>.Response) { dispatch(.response(response)) }

  mutating func dispatch(_ action: FavoritesAction<Int>) {
    if keepsHistory { history.append("\(action)") }
    let before = state
    let isAccepted = reducer.reduce(action, &state)
    if !isAccepted {
      if state != before { violation = "\(action) was not accepted and changed the state" }
      // Otherwise, no work is required.
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

  /// Starts and ends the work that the state lists, by keys, as feeds do.
  mutating func updateWork() {
    let wanted = state.work
    // There are only a few keys, so searching a list is faster than hashing.
    let keys = wanted.map(\.key)
    let old = work.map(\.key)
    work = wanted
    for flight in flights where !keys.contains(flight.key) { giveUp(flight) }
    flights.removeAll { !keys.contains($0.key) }
    if !wanted.contains(where: { if case .follow = $0 { true } else { false } }) { closeStream() }
    var interruption: FavoritesAction<Int>.Response?
    for work in wanted where !old.contains(work.key) {
      switch work {
      case .request(let slot, let requests, let started):
        for request in requests { note(request) }
        let calls = requests.map { [run] in ServerModel.Call(run: run, request: $0) }
        let isAgain = started.set()
        if isAgain { count("made again") }
        flights.append(.call(work.key, calls, interruptedSlot: isAgain ? slot : nil))
      case .fetch(let number, let isAgain): flights.append(.fetch(work.key, number: number, isAgain: isAgain))
      case .follow(let number, let isAgain):
        server.stream = []
        streams += 1
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
