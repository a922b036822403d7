public import ReeluxLocation
import ReeluxCore

/// A control to pause, resume and move a running simulation, and to change the simulated permission.
///
/// ```swift
/// let control = SimulationControl()
/// let feed = LocationFeed.simulated(track, speed: 10, control: control)
/// control.pause()
/// control.seek(to: 600)
/// control.resume()
/// control.changeAuthorization(to: .denied)
/// ```
public final class SimulationControl: Sendable {
  private struct Contents {
    var times: [SimulatedTime] = []
    var continuations: [Int: AsyncStream<LocationAuthorization>.Continuation] = [:]
    var continuationsMade = 0
  }

  private let contents = Locked(Contents())

  /// Creates a control for one simulated feed.
  public init() {}

  /// Pauses the simulated time. No service responds until ``resume()``.
  public func pause() { forEachTime { $0.pause() } }

  /// Continues the simulated time.
  public func resume() { forEachTime { $0.resume() } }

  /// Sets the simulated time, forwards or backwards. Costs the time to read the track up to there.
  ///
  /// The position service is interrupted, so the path to the new place does not count as travelled.
  ///
  /// - Parameter seconds: The seconds since the start of the track. A negative value counts as 0.
  public func seek(to seconds: Double) { forEachTime { $0.seek(to: seconds) } }

  /// Changes the simulated permission. A refusal stops every running service. The change is lost if the permission is
  /// not refused and no service is running, because no store then follows the permission.
  public func changeAuthorization(to authorization: LocationAuthorization) {
    for continuation in contents.withLock({ Array($0.continuations.values) }) { continuation.yield(authorization) }
  }

  func add(_ time: SimulatedTime) { contents.withLock { $0.times.append(time) } }

  /// The changes of the permission from now on.
  var authorizations: AsyncStream<LocationAuthorization> {
    let (stream, continuation) = AsyncStream.makeStream(of: LocationAuthorization.self)
    let number = contents.withLock { contents in
      contents.continuationsMade += 1
      contents.continuations[contents.continuationsMade] = continuation
      return contents.continuationsMade
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.contents.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  private func forEachTime(_ body: (SimulatedTime) -> Void) {
    for time in contents.withLock({ $0.times }) { body(time) }
  }
}
