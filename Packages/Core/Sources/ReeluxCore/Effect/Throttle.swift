/// An effect that is to begin at most once in each interval.
@usableFromInline
struct Throttle<Action: Sendable>: Sendable {
  @usableFromInline var id: EffectID
  @usableFromInline let latest: Bool
  @usableFromInline var effect: Effect<Action>
  @usableFromInline let source: ActionSource
  /// Sleeps for the interval; false if cancelled meanwhile.
  @usableFromInline let pause: @Sendable () async -> Bool

  @inlinable
  init(
    id: EffectID, latest: Bool, effect: Effect<Action>, source: ActionSource,
    pause: @escaping @Sendable () async -> Bool
  ) {
    self.id = id
    self.latest = latest
    self.effect = effect
    self.source = source
    self.pause = pause
  }

  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Throttle<Other> {
    Throttle<Other>(id: id, latest: latest, effect: effect.map(transform), source: source, pause: pause)
  }
}
