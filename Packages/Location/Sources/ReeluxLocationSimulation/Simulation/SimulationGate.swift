import ReeluxCore
import ReeluxLocation

/// A gate that orders the responses of a simulation's services by their simulated time.
///
/// Each service runs in its own task, and the order of tasks is not determined. To make every run the same, a service
/// announces the time of its next response. Then it waits until this response is the earliest and no other response is
/// being consumed.
///
/// A seat is *busy* (its consumer works on a response, or has not announced the next one), *announced* (the time of its
/// next response is known), or *waiting* (its task is suspended). If no seat is busy, the seat with the earliest time
/// passes as soon as it waits.
///
/// When the simulated time is set, all announced places are withdrawn (``withdraw(jump:)``). Each service then
/// announces the time of its next response again.
final class SimulationGate: Sendable {
  /// The position of a response in the order.
  struct Place: Comparable {
    /// Simulated seconds.
    var seconds: Double
    /// The order among responses of the same time.
    var rank: Int
    /// The order among responses of the same time and rank: the id of a region.
    var name = ""

    static func < (lhs: Place, rhs: Place) -> Bool {
      (lhs.seconds, lhs.rank, lhs.name) < (rhs.seconds, rhs.rank, rhs.name)
    }
  }

  private struct Seat {
    var place: Place?
    /// Resumed with false if the place was withdrawn.
    var continuation: CheckedContinuation<Bool, Never>?
  }

  private struct Contents {
    var seats: [Int: Seat] = [:]
    var seatsGiven = 0
    /// How often the simulated time was set.
    var jumps = 0

    /// The seat that may pass now.
    var first: Int? {
      var first: (id: Int, place: Place)?
      for (id, seat) in seats {
        guard let place = seat.place else { return nil }
        if let found = first, found.place < place || (found.place == place && found.id < id) { continue }
        first = (id, place)
      }
      return first?.id
    }

    /// Lets the first seat pass if it waits.
    mutating func admit() -> CheckedContinuation<Bool, Never>? {
      guard let first, let continuation = seats[first]?.continuation else { return nil }
      seats[first] = Seat()
      return continuation
    }
  }

  private let contents = Locked(Contents())

  /// Adds a seat, which is busy.
  func enter() -> Int {
    contents.withLock { contents in
      contents.seatsGiven += 1
      contents.seats[contents.seatsGiven] = Seat()
      return contents.seatsGiven
    }
  }

  /// Announces the place of a seat's next response.
  ///
  /// - Parameters:
  ///   - jump: The number of the jump after which this place was found. An older place is ignored.
  ///   - isDue: Whether the time of the response has come.
  /// - Returns: Whether the response may be returned immediately, without ``pass(seat:)``.
  func announce(_ place: Place, seat: Int, jump: Int = 0, isDue: Bool) -> Bool {
    let (passed, admitted) = contents.withLock { contents -> (Bool, CheckedContinuation<Bool, Never>?) in
      guard contents.seats[seat] != nil, jump == contents.jumps else { return (false, contents.admit()) }
      contents.seats[seat]?.place = place
      guard isDue, contents.first == seat else { return (false, contents.admit()) }
      contents.seats[seat] = Seat()
      return (true, nil)
    }
    admitted?.resume(returning: true)
    return passed
  }

  /// Waits until the announced response of a seat may be returned, or the seat has been removed. Returns false if the
  /// place was withdrawn.
  func pass(seat: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let (resumed, isAdmitted) = contents.withLock { contents -> (CheckedContinuation<Bool, Never>?, Bool) in
          guard let found = contents.seats[seat] else { return (continuation, true) }
          if found.place == nil { return (continuation, false) }
          contents.seats[seat]?.continuation = continuation
          return (contents.admit(), true)
        }
        resumed?.resume(returning: isAdmitted)
      }
    } onCancel: {
      leave(seat: seat)
    }
  }

  /// Withdraws all announced places, because the simulated time was set. No response passes until each seat has
  /// announced its place again.
  ///
  /// - Parameter jump: How often the time was set, with this time.
  /// - Returns: The suspended tasks. The caller resumes them with false.
  func withdraw(jump: Int) -> [CheckedContinuation<Bool, Never>] {
    contents.withLock { contents in
      contents.jumps = jump
      let waiting = contents.seats.sorted { $0.key < $1.key }.compactMap(\.value.continuation)
      contents.seats = contents.seats.mapValues { _ in Seat() }
      return waiting
    }
  }

  /// Removes a seat. A second call has no effect.
  func leave(seat: Int) {
    let (left, admitted) = contents.withLock { contents in
      let left = contents.seats.removeValue(forKey: seat)?.continuation
      return (left, contents.admit())
    }
    left?.resume(returning: true)
    admitted?.resume(returning: true)
  }

  /// Whether there are no seats.
  var isEmpty: Bool { contents.withLock { $0.seats.isEmpty } }
}

extension LocationService {
  /// The place of this service's response at a simulated second. Services respond in the order of their declaration,
  /// and regions in the order of their ids.
  func place(at seconds: Double) -> SimulationGate.Place {
    let (rank, name) =
      switch self {
      case .authorization: (0, "")
      case .position: (1, "")
      case .request: (2, "")
      case .significantChange: (3, "")
      case .heading: (4, "")
      case .visits: (5, "")
      case .region(let id): (6, id)
      }
    return SimulationGate.Place(seconds: seconds, rank: rank, name: name)
  }
}
