import ReeluxLocation

/// The answers of one service of a simulation. Each comes at its time, in a fixed order among the services of a store.
///
/// A consumer that is not a store has no seat at the gate. It gets its answers at their times, and other consumers do not wait
/// for it.
struct PacedAnswers<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  /// An answer and where it belongs; nothing at the end, and an error where it breaks off.
  typealias Timed = (place: SimulationGate.Place, answer: Result<Element?, any Error>)

  /// Opens the answers from a moment on, in simulated seconds.
  typealias Opening = @Sendable (_ seconds: Double, _ isJump: Bool) throws -> () -> Timed

  private let time: SimulatedTime
  private let seat: SimulationSeat?
  private let open: Opening

  init(time: SimulatedTime, open: @escaping Opening) {
    self.time = time
    self.open = open
    seat = LocationFeed.reservation as? SimulationSeat
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(time: time, seat: seat, open: open)
  }

  /// Keeps its seat at the gate until it is released, so the consumer's reaction to the end comes in order too.
  struct Iterator: AsyncIteratorProtocol {
    private let time: SimulatedTime
    private let seat: SimulationSeat?
    private let open: Opening
    private var visit: Visit?
    private var jumps = 0
    private var answer: (() -> Timed)?
    private var waiting: Timed?
    private var isOver = false

    init(time: SimulatedTime, seat: SimulationSeat?, open: @escaping Opening) {
      self.time = time
      self.seat = seat
      self.open = open
    }

    mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
      if visit == nil { visit = Visit(time) }
      while !isOver, !Task.isCancelled {
        let timed = try upcoming()
        switch time.plan(timed.place.seconds) {
        case .later(let deadline, let changes):
          if let seat { _ = time.gate.announce(timed.place, seat: seat.id, isDue: false) }
          do { try await time.sleep(until: deadline, unlessChangedSince: changes) } catch { return end() }
        case .due:
          if let seat, !time.gate.announce(timed.place, seat: seat.id, isDue: true) {
            await time.gate.pass(seat: seat.id)
            // Meanwhile the simulation may have been paused or moved.
            guard case .due = time.plan(timed.place.seconds), time.jumps == jumps else { continue }
          }
          guard !Task.isCancelled else { return end() }
          time.depart()
          waiting = nil
          if let element = try timed.answer.get() { return element }
          isOver = true
          time.reachedEnd()
          return nil
        }
      }
      return end()
    }

    /// The answer that comes next; after a jump, the answers are opened anew.
    private mutating func upcoming() throws -> Timed {
      let now = time.jumps
      if answer == nil || now != jumps {
        waiting = nil
        answer = try open(time.present, answer != nil)
        jumps = now
      }
      let timed = waiting ?? answer?() ?? (SimulationGate.Place(seconds: 0, rank: 0), .success(nil))
      waiting = timed
      return timed
    }

    /// Gives the seat back.
    private mutating func end() -> Element? {
      isOver = true
      seat?.leave()
      return nil
    }
  }

  /// A service that is open, until the iterator is released.
  private final class Visit: Sendable {
    private let time: SimulatedTime

    init(_ time: SimulatedTime) {
      self.time = time
      time.enter()
    }

    deinit { time.leave() }
  }
}
