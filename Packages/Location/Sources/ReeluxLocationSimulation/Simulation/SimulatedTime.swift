import ReeluxCore

/// The time of a simulation, which all of its services share.
///
/// It begins when a service is first opened, and runs on while services come and go. When the end of the track was
/// reached and no service is open, the next one begins it again.
final class SimulatedTime: Sendable {
  private struct Run {
    /// When simulated time began, on the pacer.
    var begin: Duration?
    var departed = false
    var reachedEnd = false
  }

  let gate = SimulationGate()
  private let speed: Double?
  private let pacer: Pacer
  private let run = Locked(Run())

  init(speed: SimulationSpeed, pacer: Pacer) {
    self.speed = speed.value
    self.pacer = pacer
  }

  /// Takes a seat at the gate, and begins the time if need be.
  func enter() -> Int {
    let now = pacer.elapsed()
    let isEmpty = gate.isEmpty
    run.withLock { run in
      if run.begin == nil || (run.reachedEnd && isEmpty) { run = Run(begin: now) }
    }
    return gate.enter()
  }

  /// Simulated seconds since the beginning, for a service that opens.
  ///
  /// It is 0 until a first answer was given, so that the services that were opened first miss nothing, however long
  /// opening took. As fast as possible there is no present: every service sees it all.
  var present: Double {
    guard let speed, let begin = run.withLock({ $0.departed ? $0.begin : nil }) else { return 0 }
    return max(0, (pacer.elapsed() - begin).inSeconds * speed)
  }

  /// Gives services that were asked for together the time to take their seats.
  func gather() async {
    for _ in 0..<8 { await Task.yield() }
  }

  /// When a simulated second comes, on the pacer; nothing if it has come.
  func deadline(of seconds: Double) -> Duration? {
    guard let speed else { return nil }
    let begin = run.withLock { $0.begin } ?? .zero
    let deadline = begin + Duration(limitedSeconds: seconds / speed)
    return deadline > pacer.elapsed() ? deadline : nil
  }

  /// Sleeps until a time on the pacer.
  func sleep(until deadline: Duration) async throws {
    try await pacer.sleep(deadline)
  }

  /// Notes that an answer was given.
  func depart() {
    run.withLock { $0.departed = true }
  }

  /// Notes that a service came to the end of the track.
  func reachedEnd() {
    run.withLock { $0.reachedEnd = true }
  }
}
