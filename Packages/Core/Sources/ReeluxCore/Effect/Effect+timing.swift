extension Effect {
  /// The same effect, later: follow-up actions and tasks begin after `delay`.
  ///
  /// A negative delay counts as zero. Delays add up, with each other and with a
  /// debounce. After-reducer work, messages to feeds and cancellations are not delayed.
  @inlinable
  public func delay(
    for delay: Duration, clock: some Clock<Duration> = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    guard let operation else { return self }
    let source = ActionSource(file: file, function: function, line: line)
    return Effect(operation.delayed(source: source) { await clock.pause(for: delay) })
  }

  /// The same effect, delayed: it begins when `interval` has passed without
  /// another effect with this id.
  ///
  /// N triggers within the interval give one run, with the last one's values.
  @inlinable
  public func debounce(
    id: some Hashable & Sendable, for interval: Duration, clock: some Clock<Duration> = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    delay(for: interval, clock: clock, file: file, function: function, line: line)
      .cancellable(id: id, cancelInFlight: true)
  }

  /// The same effect at most once in each `interval`.
  ///
  /// The first effect begins at once. If `latest` is true, the last of the
  /// effects that come within the interval begins at its end. If it is false,
  /// they are dropped. `cancel(id:)` ends the interval too; cancelling the handle
  /// of one dispatch does not, since later ones may wait for its end.
  @inlinable
  public func throttle(
    id: some Hashable & Sendable, for interval: Duration, latest: Bool = true,
    clock: some Clock<Duration> = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    if isNone { return self }
    return Effect(
      .throttle(
        Throttle(
          id: EffectID(id), latest: latest, effect: self,
          source: ActionSource(file: file, function: function, line: line),
          pause: { await clock.pause(for: interval) })))
  }

  /// An action every `interval`, until the effect with this id is cancelled.
  ///
  /// The first action comes after one interval. A late action does not shift
  /// the following ones. An interval of zero or less sends nothing.
  @inlinable
  public static func timer<C: Clock>(
    id: some Hashable & Sendable, every interval: Duration, clock: C = ContinuousClock(),
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ action: @escaping @Sendable () -> Action
  ) -> Effect where C.Duration == Duration {
    let source = ActionSource(file: file, function: function, line: line)
    return Effect(
      .task(
        EffectTask(source: source) { send in
          guard interval > .zero else { return }
          var next = clock.now.advanced(by: interval)
          while (try? await clock.sleep(until: next, tolerance: nil)) != nil {
            send.dispatch(action(), from: source)
            next = next.advanced(by: interval)
          }
        })
    )
    .cancellable(id: id, cancelInFlight: true)
  }
}

extension EffectOperation {
  /// The same operation after a delay; follow-ups become one task, which keeps their order.
  @inlinable
  func delayed(source: ActionSource, by pause: @escaping EffectTraits.Pause) -> EffectOperation {
    switch self {
    case .send(let followUp): return .late([followUp], after: pause, source: source)
    case .task(var task):
      task.traits.delay(pause)
      return .task(task)
    case .throttle(var throttle):
      throttle.effect = Effect(throttle.effect.operation?.delayed(source: source, by: pause))
      return .throttle(throttle)
    case .part(let place, let operation): return .part(place, operation.delayed(source: source, by: pause))
    case .detached(let operation): return .detached(operation.delayed(source: source, by: pause))
    case .several(let operations):
      var followUps: [FollowUp<Action>] = []
      var delayed: [EffectOperation] = []
      for operation in operations {
        if case .send(let followUp) = operation {
          followUps.append(followUp)
        } else {
          delayed.append(operation.delayed(source: source, by: pause))
        }
      }
      if !followUps.isEmpty { delayed.append(.late(followUps, after: pause, source: source)) }
      return .several(delayed)
    case .afterReducer, .cancel, .cancelAll, .write: return self
    }
  }

  @inlinable
  static func late(
    _ followUps: [FollowUp<Action>], after pause: @escaping EffectTraits.Pause, source: ActionSource
  ) -> EffectOperation {
    .task(
      EffectTask(source: source) { send in
        guard await pause() else { return }
        for followUp in followUps { send.dispatch(followUp.action, from: followUp.source) }
      })
  }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps; a negative duration counts as zero. Returns false if the task was
  /// cancelled meanwhile.
  @usableFromInline
  func pause(for duration: Duration) async -> Bool {
    if duration > .zero {
      do { try await sleep(for: duration) } catch { return false }
    }
    return !Task.isCancelled
  }
}
