import ReeluxCore
import ReeluxLocation

/// The time of a simulation, shared by all its services.
///
/// It starts when the first service opens, and continues while services open and close. If a service has reached the
/// end of the track and no service is open, the next service starts it again. A replayed recording does not start
/// again. The first response follows 0.1 ms after the start, so that services that are started one after the other
/// start together.
final class SimulatedTime: Sendable {
  /// The time at which a response may be returned.
  enum Plan {
    /// Not at all: the time was set since the response was found.
    case withdrawn
    /// Immediately.
    case due
    /// At a time of the pacer, or after a further use of the control. The time is `nil` during a pause, and while the
    /// permission is refused.
    case later(Duration?, changes: Int)
  }

  private struct Run {
    /// The pacer's time at the start of the simulated time.
    var begin: Duration?
    /// A time of the pacer and the simulated seconds at this time.
    var anchor: (time: Duration, seconds: Double) = (.zero, 0)
    var departed = false
    var reachedEnd = false
    var isPaused = false
  }

  private struct Contents {
    var run = Run()
    /// The number of open services.
    var open = 0
    /// How often the time was set. An open service then starts again.
    var jumps = 0
    /// Whether a control has refused the permission.
    var isRefused = false
    /// How often the control was used.
    var changes = 0
    var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    var sleepersMade = 0
  }

  /// The time from the start to the first response.
  static let settling = Duration.microseconds(100)

  let gate = SimulationGate()
  private let speed: Double?
  private let pacer: Pacer
  private let isControlled: Bool
  private let isReplay: Bool
  private let contents = Locked(Contents())

  init(speed: SimulationSpeed, pacer: Pacer, isControlled: Bool = false, isReplay: Bool = false) {
    self.speed = speed.value
    self.pacer = pacer
    self.isControlled = isControlled
    self.isReplay = isReplay
  }

  /// A seat at the gate for a service that is about to open.
  func reserve() -> SimulationSeat { SimulationSeat(gate, reserved: pacer.elapsed()) }

  /// Records that a service opened, and starts the time if necessary.
  func enter() {
    let now = pacer.elapsed()
    contents.withLock { contents in
      if contents.run.begin == nil {
        contents.run.begin = now
        contents.run.anchor.time = now
      } else if contents.run.reachedEnd && contents.open == 0 && !isReplay {
        contents.run = Run(begin: now, anchor: (now, 0), isPaused: contents.run.isPaused)
      }
      contents.open += 1
    }
  }

  /// Records that a service closed.
  func leave() { contents.withLock { $0.open -= 1 } }

  /// How often the time was set.
  var jumps: Int { contents.withLock { $0.jumps } }

  /// The simulated seconds since the start, for a service that opens.
  ///
  /// For services that start together, the value is 0 until the first response, or the time that the control has set.
  /// So none of them misses a point. With the speed `.max`, there is no current time unless the control has set one.
  /// Every service then receives the whole track.
  ///
  /// - Parameter reserved: The pacer's time at which the service was started; `nil` for the present time.
  func present(reserved: Duration?) -> Double {
    let now = pacer.elapsed()
    return contents.withLock {
      let isLate = !isReplay && (reserved ?? now) > ($0.run.begin ?? now) + Self.settling
      return $0.run.departed || $0.run.isPaused || isLate ? present(of: $0.run, at: now) : $0.run.anchor.seconds
    }
  }

  private func present(of run: Run, at now: Duration) -> Double {
    guard let speed, run.begin != nil, !run.isPaused else { return run.anchor.seconds }
    return max(0, run.anchor.seconds + (now - run.anchor.time).inSeconds * speed)
  }

  /// The plan for a response at a simulated second.
  ///
  /// - Parameter jump: The value of ``jumps`` when the response was found.
  func plan(_ seconds: Double, jump: Int) -> Plan {
    let now = pacer.elapsed()
    return contents.withLock { contents in
      let run = contents.run
      if jump != contents.jumps { return .withdrawn }
      if run.isPaused || contents.isRefused { return .later(nil, changes: contents.changes) }
      var deadline = run.anchor.time
      if let speed { deadline += Duration(limitedSeconds: (seconds - run.anchor.seconds) / speed) }
      if !run.departed { deadline = max(deadline, (run.begin ?? .zero) + Self.settling) }
      return deadline > now ? .later(deadline, changes: contents.changes) : .due
    }
  }

  /// Sleeps until a time of the pacer, or until the control is used.
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

  /// Records that a response was returned.
  func depart() { contents.withLock { $0.run.departed = true } }

  /// Records that a service reached the end of the track.
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
      guard contents.run.isPaused else { return }
      contents.run.anchor.time = now
      contents.run.isPaused = false
    }
  }

  func seek(to seconds: Double) {
    let now = pacer.elapsed()
    var waiting: [CheckedContinuation<Bool, Never>] = []
    change { contents in
      contents.run.anchor = (now, seconds > 0 ? seconds : 0)
      contents.run.reachedEnd = false
      contents.jumps += 1
      // In one step with the new time, so that no place of the old time is compared with one of the new time.
      waiting = gate.withdraw(jump: contents.jumps)
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }

  /// Sets whether the permission is refused. Services that sleep notice this after ``wake()``.
  func setRefused(_ isRefused: Bool) { contents.withLock { $0.isRefused = isRefused } }

  /// Wakes the services that sleep.
  func wake() { change { _ in } }

  private func change(_ body: (inout Contents) -> Void) {
    let sleepers = contents.withLock { contents in
      body(&contents)
      contents.changes += 1
      defer { contents.sleepers = [:] }
      return contents.sleepers.sorted { $0.key < $1.key }.map(\.value)
    }
    for sleeper in sleepers { sleeper.resume() }
  }

  /// Returns when the control has been used again, or the task is cancelled.
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

/// A seat at the gate. It is released with the last reference.
final class SimulationSeat: Sendable {
  let id: Int
  /// The pacer's time of the reservation.
  let reserved: Duration
  private let gate: SimulationGate

  init(_ gate: SimulationGate, reserved: Duration) {
    self.gate = gate
    self.reserved = reserved
    id = gate.enter()
  }

  func leave() { gate.leave(seat: id) }

  deinit { gate.leave(seat: id) }
}

/// Any clock, with durations since the pacer was created.
struct Pacer: Sendable {
  /// The time since the pacer was created.
  let elapsed: @Sendable () -> Duration
  /// Sleeps until this time after the pacer was created.
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

  /// Creates a duration of this number of seconds, limited to 0 … 1,000,000,000 (about 32 years).
  init(limitedSeconds seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0)
  }
}
