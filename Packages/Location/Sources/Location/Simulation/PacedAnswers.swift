/// The answers of one service of a simulation: each is given at its time, and in its turn among the services.
struct PacedAnswers<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  /// An answer and where it belongs.
  typealias Timed = (place: SimulationGate.Place, element: Element)

  let time: SimulatedTime
  /// Opens the answers from a moment on, in simulated seconds.
  let open: @Sendable (_ seconds: Double) throws -> () throws -> Timed?

  func makeAsyncIterator() -> Iterator {
    Iterator(answers: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    let answers: PacedAnswers
    private var seat: Seat?
    private var answer: (() throws -> Timed?)?

    init(answers: PacedAnswers) {
      self.answers = answers
    }

    mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
      let time = answers.time
      let seat = self.seat ?? Seat(time)
      let isNew = self.seat == nil
      self.seat = seat
      if isNew {
        await time.gather()
        answer = try answers.open(time.present)
      }
      do {
        guard !Task.isCancelled, let timed = try answer?() else {
          if !Task.isCancelled { time.reachedEnd() }
          seat.leave()
          return nil
        }
        let deadline = time.deadline(of: timed.place.seconds)
        if !time.gate.announce(timed.place, seat: seat.id, isDue: deadline == nil) {
          if let deadline { try await time.sleep(until: deadline) }
          await time.gate.pass(seat: seat.id)
        }
        guard !Task.isCancelled else {
          seat.leave()
          return nil
        }
        time.depart()
        return timed.element
      } catch is CancellationError {
        seat.leave()
        return nil
      } catch {
        seat.leave()
        throw error
      }
    }
  }

  /// A seat at the gate, which is given back at the latest when nobody holds it any more.
  private final class Seat: Sendable {
    let id: Int
    private let time: SimulatedTime

    init(_ time: SimulatedTime) {
      self.time = time
      id = time.enter()
    }

    func leave() {
      time.gate.leave(seat: id)
    }

    deinit { leave() }
  }
}
