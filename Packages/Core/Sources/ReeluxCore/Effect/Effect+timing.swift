extension Effect {
  /// Returns the same effect with a delay for its follow-up actions and tasks.
  ///
  /// A negative delay counts as zero. A delay or an interval of more than 1,000,000,000 seconds (about 32 years) counts
  /// as this time. Several delays, and the interval of a debounce, are added. After-reducer work, messages to
  /// feeds and cancellations are not delayed. A throttled effect is delayed as a whole: it reaches the throttle after
  /// the delay. Default of `clock`: `ContinuousClock`.
  public func delay(
    for delay: Duration, clock: some Clock<Duration> = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    guard let operation else { return self }
    let source = ActionSource(file: file, function: function, line: line)
    let next = EffectDelay(source: source) { await clock.delay(for: delay) }
    return Effect(.inContext(operation) { $0.delays.append(next) })
  }

  /// Returns the same effect, which starts when `interval` has passed without another effect with this id.
  ///
  /// If several effects with this id follow each other within the interval, only the last one runs. If the
  /// effects are throttled, only the last one reaches the throttle, after the interval. A negative interval counts as
  /// zero. Default of `clock`: `ContinuousClock`.
  @inlinable public func debounce(
    id: some Hashable & Sendable, for interval: Duration, clock: some Clock<Duration> = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    delay(for: interval, clock: clock, file: file, function: function, line: line)
      .cancellable(id: id, cancelInFlight: true)
  }

  /// Returns the same effect, limited to one start in each `interval`.
  ///
  /// The first effect starts immediately and begins an interval. Further effects with this id do not start within the
  /// interval. If `latest` is true, which is the default, the last one of them starts at the end of the interval.
  /// Otherwise all of them are dropped. `cancel(id:)` ends the interval, and drops the effect that waits for its end.
  /// <doc:Effects> describes throttled effects with several ids, and cancellation by a handle.
  ///
  /// With an interval of zero or less, the result is the same effect. Default of `clock`: `ContinuousClock`.
  public func throttle(
    id: some Hashable & Sendable, for interval: Duration, latest: Bool = true,
    clock: some Clock<Duration> = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    guard let operation, interval > .zero else { return self }
    let source = ActionSource(file: file, function: function, line: line)
    let delay = EffectDelay(source: source) { await clock.delay(for: interval) }
    return Effect(.throttle(Throttle(id: EffectID(id), latest: latest, interval: delay), operation))
  }

  /// Returns an effect that sends an action every `interval`, until the effect with this id is cancelled.
  ///
  /// The first action is sent after one interval. A late action does not delay the following ones, and no interval is
  /// left out. The default clock stops while the device is asleep. With a `ContinuousClock`, the actions for the time
  /// of the sleep would all follow after it. With an interval of zero or less, nothing is sent, but a running timer
  /// with this id ends.
  @inlinable public static func timer<C: Clock>(
    id: some Hashable & Sendable, every interval: Duration, clock: C = SuspendingClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ action: @escaping @Sendable () -> Action
  ) -> Effect where C.Duration == Duration {
    let source = ActionSource(file: file, function: function, line: line)
    return run(file: file, function: function, line: line) { send in
      guard interval > .zero else { return }
      let interval = interval.sleepable
      var next = clock.now.advanced(by: interval)
      while (try? await clock.sleep(until: next, tolerance: nil)) != nil, !Task.isCancelled {
        send.dispatch(action(), from: source)
        next = next.advanced(by: interval)
      }
    }
    .cancellable(id: id, cancelInFlight: true)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps. A negative duration counts as zero, and a very long one as its `sleepable` time. Returns false if the task
  /// was cancelled.
  package func delay(for duration: Duration) async -> Bool {
    if duration > .zero {
      do { try await sleep(for: duration.sleepable) } catch { return false }
    }
    return !Task.isCancelled
  }
}

extension Duration {
  /// The duration, or 1,000,000,000 seconds (about 32 years) if it is longer.
  ///
  /// The system's clocks count seconds as `Int64`. A sleep until a moment that this number cannot express traps.
  @usableFromInline package var sleepable: Duration { min(self, .seconds(1_000_000_000)) }
}

/// The id and the interval of a throttle, and whether the last waiting effect starts.
@usableFromInline struct Throttle: Sendable {
  let id: EffectID
  let latest: Bool
  let interval: EffectDelay
}
