/// An effect that begins at most once in each interval.
@usableFromInline
struct Throttle<Action: Sendable>: Sendable {
  @usableFromInline let id: EffectID
  /// Further ids of the effect while it waits for the interval's end.
  @usableFromInline var names: [EffectName] = []
  @usableFromInline let latest: Bool
  @usableFromInline var effect: Effect<Action>
  @usableFromInline let source: ActionSource
  /// Sleeps for the interval; false if cancelled meanwhile.
  @usableFromInline let pause: @Sendable () async -> Bool

  @inlinable
  init(
    id: EffectID, names: [EffectName] = [], latest: Bool, effect: Effect<Action>, source: ActionSource,
    pause: @escaping @Sendable () async -> Bool
  ) {
    self.id = id
    self.names = names
    self.latest = latest
    self.effect = effect
    self.source = source
    self.pause = pause
  }

  /// Its id, and the further ones.
  @usableFromInline
  var allNames: [EffectName] { [EffectName(id, cancelsInFlight: false)] + names }

  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Throttle<Other> {
    Throttle<Other>(
      id: id, names: names, latest: latest, effect: effect.map(transform), source: source, pause: pause)
  }
}
