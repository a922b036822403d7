/// The answers of one service of a simulation: each is given at its time, and in its turn among the services.
struct PacedAnswers<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  /// An answer and where it belongs; nothing at the end, and an error where it breaks off.
  typealias Timed = (place: SimulationGate.Place, answer: Result<Element?, any Error>)

  let time: SimulatedTime
  /// Opens the answers from a moment on, in simulated seconds.
  let open: @Sendable (_ seconds: Double) throws -> () -> Timed

  func makeAsyncIterator() -> Iterator {
    Iterator(answers: self)
  }

  /// Keeps its seat at the gate until it is released, so that what its consumer says about the end comes in turn too.
  struct Iterator: AsyncIteratorProtocol {
    let answers: PacedAnswers
    private var seat: Seat?
    private var answer: (() -> Timed)?
    private var isOver = false

    init(answers: PacedAnswers) {
      self.answers = answers
    }

    mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
      guard !isOver, !Task.isCancelled else { return end() }
      let time = answers.time
      let seat = self.seat ?? Seat(time)
      self.seat = seat
      if answer == nil {
        await time.gather()
        answer = try answers.open(time.present)
      }
      guard let timed = answer?() else { return end() }
      let deadline = time.deadline(of: timed.place.seconds)
      if !time.gate.announce(timed.place, seat: seat.id, isDue: deadline == nil) {
        if let deadline {
          do { try await time.sleep(until: deadline) } catch { return end() }
        }
        await time.gate.pass(seat: seat.id)
      }
      guard !Task.isCancelled else { return end() }
      time.depart()
      if let element = try timed.answer.get() { return element }
      isOver = true
      time.reachedEnd()
      return nil
    }

    /// Gives the seat back.
    private mutating func end() -> Element? {
      isOver = true
      seat = nil
      return nil
    }
  }

  /// A seat at the gate, which is given back when nobody holds it any more.
  private final class Seat: Sendable {
    let id: Int
    private let time: SimulatedTime

    init(_ time: SimulatedTime) {
      self.time = time
      id = time.enter()
    }

    deinit { time.gate.leave(seat: id) }
  }
}
