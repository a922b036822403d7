import ReeluxCore
import ReeluxLocation

/// The time of a simulation, which all of its services share.
///
/// It begins when the first service is opened, and goes on while services open and close. If the track has ended and
/// no service is open, the next service begins it again. The first answer comes 0.1 ms after the start, so services
/// that are started one after the other begin together.
final class SimulatedTime: Sendable {
  /// The time at which an answer may be given.
  enum Plan {
    /// Now.
    case due
    /// At a time on the pacer, or when the control was used more often; without a time while it is paused.
    case later(Duration?, changes: Int)
  }

  private struct Run {
    /// When simulated time began, on the pacer.
    var begin: Duration?
    /// A time on the pacer, and the simulated seconds of that time.
    var anchor: (time: Duration, seconds: Double) = (.zero, 0)
    var departed = false
    var reachedEnd = false
    var isPaused = false
  }

  private struct Contents {
    var run = Run()
    /// How many services are open.
    var open = 0
    /// How often the time was set; a service that is open then begins anew.
    var jumps = 0
    /// How often the control was used.
    var changes = 0
    var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    var sleepersMade = 0
  }

  /// How long nothing is answered at the begin.
  static let settling = Duration.microseconds(100)

  let gate = SimulationGate()
  private let speed: Double?
  private let pacer: Pacer
  private let isControlled: Bool
  private let contents = Locked(Contents())

  init(speed: SimulationSpeed, pacer: Pacer, isControlled: Bool = false) {
    self.speed = speed.value
    self.pacer = pacer
    self.isControlled = isControlled
  }

  /// A seat at the gate for a service that is about to be opened.
  func reserve() -> SimulationSeat { SimulationSeat(gate) }

  /// Notes that a service opened, and begins the time if need be.
  func enter() {
    let now = pacer.elapsed()
    contents.withLock { contents in
      if contents.run.begin == nil {
        contents.run.begin = now
        contents.run.anchor.time = now
      } else if contents.run.reachedEnd && contents.open == 0 {
        contents.run = Run(begin: now, anchor: (now, 0), isPaused: contents.run.isPaused)
      }
      contents.open += 1
    }
  }

  /// Notes that a service closed.
  func leave() { contents.withLock { $0.open -= 1 } }

  /// How often the time was set.
  var jumps: Int { contents.withLock { $0.jumps } }

  /// Simulated seconds since the beginning, for a service that opens.
  ///
  /// It is 0 until the first answer, so the services that were opened first miss nothing. At the speed `.max` there
  /// is no current time unless the control has set one: every service gets the whole track.
  var present: Double {
    let now = pacer.elapsed()
    return contents.withLock {
      $0.run.departed || $0.run.isPaused ? present(of: $0.run, at: now) : $0.run.anchor.seconds
    }
  }

  private func present(of run: Run, at now: Duration) -> Double {
    guard let speed, !run.isPaused else { return run.anchor.seconds }
    return max(0, run.anchor.seconds + (now - run.anchor.time).inSeconds * speed)
  }

  /// When the answer of a simulated second may be given.
  func plan(_ seconds: Double) -> Plan {
    let now = pacer.elapsed()
    return contents.withLock { contents in
      let run = contents.run
      if run.isPaused { return .later(nil, changes: contents.changes) }
      var deadline = run.anchor.time
      if let speed { deadline += Duration(limitedSeconds: (seconds - run.anchor.seconds) / speed) }
      if !run.departed { deadline = max(deadline, (run.begin ?? .zero) + Self.settling) }
      return deadline > now ? .later(deadline, changes: contents.changes) : .due
    }
  }

  /// Sleeps until a time on the pacer, or until the control is used.
  func sleep(until deadline: Duration?, unlessChangedSince changes: Int) async throws {
    guard isControlled else {
      if let deadline { try await pacer.sleep(deadline) }
      return
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let deadline { group.addTask { try await self.pacer.sleep(deadline) } }
      group.addTask { await self.change(since: changes) }
      try await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  /// Notes that an answer was given.
  func depart() { contents.withLock { $0.run.departed = true } }

  /// Notes that a service came to the end of the track.
  func reachedEnd() { contents.withLock { $0.run.reachedEnd = true } }

  // MARK: Control

  func pause() {
    let now = pacer.elapsed()
    change { contents in
      guard !contents.run.isPaused else { return }
      contents.run.anchor = (now, present(of: contents.run, at: now))
      contents.run.isPaused = true
    }
  }

  func resume() {
    let now = pacer.elapsed()
    change { contents in
      contents.run.anchor.time = now
      contents.run.isPaused = false
    }
  }

  func seek(to seconds: Double) {
    let now = pacer.elapsed()
    change { contents in
      contents.run.anchor = (now, seconds > 0 ? seconds : 0)
      contents.jumps += 1
    }
  }

  private func change(_ body: (inout Contents) -> Void) {
    let sleepers = contents.withLock { contents in
      body(&contents)
      contents.changes += 1
      defer { contents.sleepers = [:] }
      return contents.sleepers.values.map { $0 }
    }
    for sleeper in sleepers { sleeper.resume() }
  }

  /// Returns when the control was used again, or the task is cancelled.
  private func change(since changes: Int) async {
    let number = contents.withLock { contents in
      contents.sleepersMade += 1
      return contents.sleepersMade
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = contents.withLock { contents in
          guard contents.changes == changes, !Task.isCancelled else { return true }
          contents.sleepers[number] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      contents.withLock { $0.sleepers.removeValue(forKey: number) }?.resume()
    }
  }
}

/// A seat at the gate, which is given back when nothing holds it any more.
final class SimulationSeat: Sendable {
  let id: Int
  private let gate: SimulationGate

  init(_ gate: SimulationGate) {
    self.gate = gate
    id = gate.enter()
  }

  func leave() { gate.leave(seat: id) }

  deinit { gate.leave(seat: id) }
}

/// A clock of any kind, seen as durations since the pacer was made.
struct Pacer: Sendable {
  /// The time since the pacer was made.
  let elapsed: @Sendable () -> Duration
  /// Sleeps until that much time has passed since the pacer was made.
  let sleep: @Sendable (Duration) async throws -> Void

  init<C: Clock<Duration>>(_ clock: C) {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// A duration of a number of seconds, between 0 and 30 years.
  init(limitedSeconds seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0)
  }
}
