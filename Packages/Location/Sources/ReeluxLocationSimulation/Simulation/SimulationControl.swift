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
///
/// Call ``pause()`` and ``seek(to:)`` after you have made the feed. They do not affect a feed that you make later.
public final class SimulationControl: Sendable {
  private struct Contents {
    var times: [SimulatedTime] = []
    /// The last change; `nil` if there is none, or if it was `.notDetermined` and has been reported.
    var authorization: LocationAuthorization?
    var continuations: [Int: AsyncStream<LocationAuthorization>.Continuation] = [:]
    var continuationsMade = 0

    /// The user is asked only once after a change to `.notDetermined`.
    mutating func forgetQuestion() {
      if authorization == .notDetermined { authorization = nil }
    }
  }

  private let contents = Locked(Contents())
  /// Held during a change, so that the changes arrive in their order.
  private let changing = Locked(())

  /// Creates a control for simulated feeds.
  public init() {}

  /// Pauses the simulated time. No service responds until ``resume()``.
  public func pause() { forEachTime { $0.pause() } }

  /// Continues the simulated time.
  public func resume() { forEachTime { $0.resume() } }

  /// Sets the simulated time, forwards or backwards. Costs the time to read the track up to there.
  ///
  /// The position service is interrupted, so the path to the new place does not count as travelled. If the new place is
  /// on the other side of the edge of a watched region, the device enters or leaves the region there. A visit that has
  /// begun does not end.
  ///
  /// - Parameter seconds: The seconds since the start of the track. A negative value counts as 0.
  public func seek(to seconds: Double) { forEachTime { $0.seek(to: seconds) } }

  /// Changes the simulated permission. A refusal stops every running service. If no service is running, the change
  /// takes effect when one starts. While the permission is refused, no service responds. With `.notDetermined`, the
  /// simulated user is asked again.
  public func changeAuthorization(to authorization: LocationAuthorization) {
    // One change after the other, so that the newest one also arrives last.
    changing.withLock { _ in
      let continuations = contents.withLock { contents in
        contents.authorization = authorization
        if !contents.continuations.isEmpty { contents.forgetQuestion() }
        for time in contents.times { time.setRefused(authorization.isRefusal) }
        return Array(contents.continuations.values)
      }
      for continuation in continuations { continuation.yield(authorization) }
    }
    forEachTime { $0.wake() }
  }

  func add(_ time: SimulatedTime) {
    contents.withLock { contents in
      contents.times.append(time)
      time.setRefused(contents.authorization?.isRefusal == true)
    }
  }

  /// The last decision about the permission; `nil` without one. A read means that the user is asked now, so a change to
  /// `.notDetermined` is then complete.
  var decision: LocationAuthorization? {
    contents.withLock { contents in
      contents.forgetQuestion()
      return contents.authorization
    }
  }

  /// The last change of the permission, and the changes from now on.
  var authorizations: AsyncStream<LocationAuthorization> {
    let (stream, continuation) = AsyncStream.makeStream(of: LocationAuthorization.self)
    let number = contents.withLock { contents in
      contents.continuationsMade += 1
      contents.continuations[contents.continuationsMade] = continuation
      if let authorization = contents.authorization { continuation.yield(authorization) }
      contents.forgetQuestion()
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
