import ReeluxLocation

/// The responses of one service of a simulation. Each is returned at its time, in a fixed order among the services of a
/// store.
///
/// A consumer that is not a store has no seat at the gate. It receives responses at their times, and other consumers do
/// not wait for it.
struct PacedResponses<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  /// A response and its place. `nil` marks the end, and an error a failure.
  typealias Timed = (place: SimulationGate.Place, response: Result<Element?, any Error>)

  /// Opens the responses after a moment, given in simulated seconds.
  typealias Opening = @Sendable (_ seconds: Double, _ isJump: Bool) -> () -> Timed

  private let time: SimulatedTime
  private let seat: SimulationSeat?
  private let delivered: @Sendable (SimulationGate.Place) -> Void
  private let open: Opening

  /// - Parameter delivered: A closure that is called with the place of each returned response.
  init(
    time: SimulatedTime, delivered: @escaping @Sendable (SimulationGate.Place) -> Void = { _ in },
    open: @escaping Opening
  ) {
    self.time = time
    self.delivered = delivered
    self.open = open
    seat = LocationFeed.reservation as? SimulationSeat
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(time: time, seat: seat, delivered: delivered, open: open)
  }

  /// An iterator that keeps its seat at the gate until the iterator is released or its task is cancelled. The
  /// consumer's reaction to the end is therefore in order too.
  struct Iterator: AsyncIteratorProtocol {
    private let time: SimulatedTime
    private let seat: SimulationSeat?
    private let delivered: @Sendable (SimulationGate.Place) -> Void
    private let open: Opening
    private var service: OpenService?
    private var jumps = 0
    private var nextResponse: (() -> Timed)?
    private var waiting: Timed?
    private var isOver = false

    init(
      time: SimulatedTime, seat: SimulationSeat?, delivered: @escaping @Sendable (SimulationGate.Place) -> Void,
      open: @escaping Opening
    ) {
      self.time = time
      self.seat = seat
      self.delivered = delivered
      self.open = open
    }

    mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
      if service == nil, !isOver { service = OpenService(time) }
      while !isOver, !Task.isCancelled {
        let timed = upcoming()
        switch time.plan(timed.place.seconds, jump: jumps) {
        case .withdrawn: continue
        case .later(let deadline, let changes):
          if let seat { _ = time.gate.announce(timed.place, seat: seat.id, jump: jumps, isDue: false) }
          do { try await time.sleep(until: deadline, unlessChangedSince: changes) } catch { return end() }
        case .due:
          if let seat, !time.gate.announce(timed.place, seat: seat.id, jump: jumps, isDue: true) {
            guard await time.gate.pass(seat: seat.id) else { continue }
            // The simulation may have been paused or moved in the meantime.
            guard case .due = time.plan(timed.place.seconds, jump: jumps) else { continue }
          }
          guard !Task.isCancelled else { return end() }
          time.depart()
          delivered(timed.place)
          waiting = nil
          if let element = try timed.response.get() { return element }
          isOver = true
          time.reachedEnd()
          // The store may start the service again before this iterator is released.
          service = nil
          return nil
        }
      }
      return end()
    }

    /// The next response. After a jump, the responses are opened again.
    private mutating func upcoming() -> Timed {
      let now = time.jumps
      if nextResponse == nil || now != jumps {
        waiting = nil
        nextResponse = open(time.present(reserved: seat?.reserved), nextResponse != nil)
        jumps = now
      }
      let timed = waiting ?? nextResponse?() ?? (SimulationGate.Place(seconds: 0, rank: 0), .success(nil))
      waiting = timed
      return timed
    }

    /// Releases the seat.
    private mutating func end() -> Element? {
      isOver = true
      seat?.leave()
      return nil
    }
  }

  /// An open service. It closes when the iterator is released.
  private final class OpenService: Sendable {
    private let time: SimulatedTime

    init(_ time: SimulatedTime) {
      self.time = time
      time.enter()
    }

    deinit { time.leave() }
  }
}
