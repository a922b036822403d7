import ReeluxCore
import ReeluxLocation

/// Puts the answers of a simulation's services in order of their simulated time.
///
/// Services run in tasks of their own, whose order is not determined. To make each run the same, a service announces
/// the time of its next answer. Then it waits until this answer is the first one and no other answer is being
/// consumed.
///
/// A seat is *busy* (its consumer works on an answer, or has not announced one yet), *announced* (the time of its next
/// answer is known), or *waiting* (it asks to be let through). The seat that is announced for the earliest time is let
/// through when it waits and none is busy.
final class SimulationGate: Sendable {
  /// The place of an answer in the simulation.
  struct Place: Comparable {
    /// Simulated seconds.
    var seconds: Double
    /// What comes first at the same time.
    var rank: Int
    /// What comes first at the same time and rank: a region's id.
    var name = ""

    static func < (lhs: Place, rhs: Place) -> Bool {
      (lhs.seconds, lhs.rank, lhs.name) < (rhs.seconds, rhs.rank, rhs.name)
    }
  }

  private struct Seat {
    var place: Place?
    var continuation: CheckedContinuation<Void, Never>?
  }

  private struct Contents {
    var seats: [Int: Seat] = [:]
    var seatsGiven = 0

    /// The seat that may go through now.
    var first: Int? {
      var first: (id: Int, place: Place)?
      for (id, seat) in seats {
        guard let place = seat.place else { return nil }
        if let found = first, found.place < place || (found.place == place && found.id < id) { continue }
        first = (id, place)
      }
      return first?.id
    }

    /// Lets the first seat through, if it waits.
    mutating func admit() -> CheckedContinuation<Void, Never>? {
      guard let first, let continuation = seats[first]?.continuation else { return nil }
      seats[first] = Seat()
      return continuation
    }
  }

  private let contents = Locked(Contents())

  /// Takes a seat, which is busy.
  func enter() -> Int {
    contents.withLock { contents in
      contents.seatsGiven += 1
      contents.seats[contents.seatsGiven] = Seat()
      return contents.seatsGiven
    }
  }

  /// Says where the next answer of a seat belongs.
  ///
  /// - Parameter isDue: Whether the answer's time has come.
  /// - Returns: Whether it may be given at once, without ``pass(seat:)``.
  func announce(_ place: Place, seat: Int, isDue: Bool) -> Bool {
    let (passed, admitted) = contents.withLock { contents -> (Bool, CheckedContinuation<Void, Never>?) in
      guard contents.seats[seat] != nil else { return (false, contents.admit()) }
      contents.seats[seat]?.place = place
      guard isDue, contents.first == seat else { return (false, contents.admit()) }
      contents.seats[seat] = Seat()
      return (true, nil)
    }
    admitted?.resume()
    return passed
  }

  /// Returns when the announced answer of a seat may be given, or when the seat has been left.
  func pass(seat: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let admitted = contents.withLock { contents -> CheckedContinuation<Void, Never>? in
          guard contents.seats[seat] != nil else { return continuation }
          contents.seats[seat]?.continuation = continuation
          return contents.admit()
        }
        admitted?.resume()
      }
    } onCancel: {
      leave(seat: seat)
    }
  }

  /// Gives a seat back; a second time does nothing.
  func leave(seat: Int) {
    let (left, admitted) = contents.withLock { contents in
      let left = contents.seats.removeValue(forKey: seat)?.continuation
      return (left, contents.admit())
    }
    left?.resume()
    admitted?.resume()
  }

  /// Whether every seat is free.
  var isEmpty: Bool { contents.withLock { $0.seats.isEmpty } }
}

extension LocationService {
  /// The place of an answer of this service at a simulated second: services answer in the order of their declaration,
  /// regions in the order of their ids.
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
