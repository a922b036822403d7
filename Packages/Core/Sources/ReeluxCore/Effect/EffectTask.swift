/// Asynchronous work with its name, before it is started.
@usableFromInline
struct EffectTask<Action: Sendable>: Sendable {
  /// Tells the work where its actions go. It calls ``Send/end()`` when it is done.
  @usableFromInline typealias Prepare = @Sendable (Send<Action>) -> EffectChain.Work

  @usableFromInline let prepare: Prepare
  /// Boxed, so that work without a name or a delay, which is the usual one, stays small.
  @usableFromInline var traits: EffectTraits?

  @inlinable
  init(traits: EffectTraits? = nil, prepare: @escaping Prepare) {
    self.prepare = prepare
    self.traits = traits
  }

  /// Work that sends any number of actions.
  @inlinable
  init(
    source: ActionSource, traits: EffectTraits? = nil, body: @escaping @Sendable (Send<Action>) async -> Void
  ) {
    self.init(traits: traits) { send in
      send.belongs(to: source)
      return {
        if !send.isCancelled { await body(send) }
        send.end()
      }
    }
  }

  /// Work that answers with one action, or with none.
  @inlinable
  init(source: ActionSource, answer: @escaping @Sendable () async -> Action?) {
    self.init { send in
      send.belongs(to: source)
      return {
        if !send.isCancelled, let action = await answer() {
          send.end(with: action, from: source)
        } else {
          send.end()
        }
      }
    }
  }

  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectTask<Other> {
    let prepare = self.prepare
    return EffectTask<Other>(traits: traits) { send in prepare(send.mapped(by: transform)) }
  }

  /// The work, after its pause if it has one.
  @inlinable
  func work(_ send: Send<Action>) -> EffectChain.Work {
    let work = prepare(send)
    guard let pause = traits?.pause else { return work }
    return {
      if await pause() { await work() } else { send.end() }
    }
  }
}

/// What an effect's task is known by, and what it waits for first.
@usableFromInline
final class EffectTraits: Sendable {
  /// What is waited for; false if it was cancelled meanwhile.
  @usableFromInline typealias Pause = @Sendable () async -> Bool

  @usableFromInline let name: EffectID?
  /// Whether it cancels what is known by the same name.
  @usableFromInline let cancelInFlight: Bool
  @usableFromInline let pause: Pause?

  @inlinable
  init(name: EffectID?, cancelInFlight: Bool, pause: Pause?) {
    self.name = name
    self.cancelInFlight = cancelInFlight
    self.pause = pause
  }
}

extension EffectTraits? {
  @inlinable
  mutating func rename(_ name: EffectID, cancelInFlight: Bool) {
    self = EffectTraits(name: name, cancelInFlight: cancelInFlight, pause: self?.pause)
  }

  @inlinable
  mutating func scope(to element: EffectID) {
    guard let traits = self, let name = traits.name else { return }
    rename(name.scoped(to: element), cancelInFlight: traits.cancelInFlight)
  }

  /// Adds a pause before those that there are.
  @inlinable
  mutating func delay(_ pause: @escaping EffectTraits.Pause) {
    var both = pause
    if let next = self?.pause { both = { if await pause() { await next() } else { false } } }
    self = EffectTraits(name: self?.name, cancelInFlight: self?.cancelInFlight ?? false, pause: both)
  }
}
