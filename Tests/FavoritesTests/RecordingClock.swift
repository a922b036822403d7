import Core

/// A clock on which every sleep is over at once, and remembered.
final class RecordingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let past = Locked<(now: Duration, sleeps: [Duration])>((.zero, []))

  var now: Instant { past.withLock { Instant(offset: $0.now) } }
  var minimumResolution: Duration { .zero }
  var sleeps: [Duration] { past.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    past.withLock { past in
      past.sleeps.append(deadline.offset - past.now)
      past.now = deadline.offset
    }
  }
}
