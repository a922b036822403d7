/// Asynchronous work with its ids, before it is started.
@usableFromInline
struct EffectTask<Action: Sendable>: Sendable {
  /// Passes a sender to the work. The work calls ``Send/end()`` when it has finished.
  @usableFromInline typealias Prepare = @Sendable (Send<Action>) -> EffectChain.Work

  @usableFromInline let prepare: Prepare
  /// Boxed, so that work without an id and a delay stays small.
  @usableFromInline var traits: EffectTraits?

  @inlinable
  init(traits: EffectTraits? = nil, prepare: @escaping Prepare) {
    self.prepare = prepare
    self.traits = traits
  }

  /// Creates work that sends any number of actions.
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

  /// Creates work that returns one action, or none.
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

  /// The work, after its delay if it has one.
  @inlinable
  @inline(__always)
  func work(_ send: Send<Action>) -> EffectChain.Work {
    let work = prepare(send)
    guard let pause = traits?.pause else { return work }
    return {
      if await pause() { await work() } else { send.end() }
    }
  }
}

/// An id with which an effect can be cancelled.
@usableFromInline
struct EffectName: Sendable {
  @usableFromInline let id: EffectID
  /// Whether starting the effect cancels running effects with the same id.
  @usableFromInline let cancelsInFlight: Bool

  @inlinable
  init(_ id: EffectID, cancelsInFlight: Bool) {
    self.id = id
    self.cancelsInFlight = cancelsInFlight
  }
}

/// The ids of an effect's task, and its delay.
@usableFromInline
final class EffectTraits: Sendable {
  /// Waits. Returns false if the task was cancelled.
  @usableFromInline typealias Pause = @Sendable () async -> Bool

  @usableFromInline let names: [EffectName]
  @usableFromInline let pause: Pause?

  @inlinable
  init(names: [EffectName], pause: Pause?) {
    self.names = names
    self.pause = pause
  }
}

extension EffectTraits? {
  /// Adds an id. A debounce keeps its own id.
  @inlinable
  mutating func add(_ name: EffectName) {
    self = EffectTraits(names: (self?.names ?? []) + [name], pause: self?.pause)
  }

  /// Adds a delay before the existing ones.
  @inlinable
  mutating func delay(_ pause: @escaping EffectTraits.Pause) {
    var both = pause
    if let next = self?.pause { both = { if await pause() { await next() } else { false } } }
    self = EffectTraits(names: self?.names ?? [], pause: both)
  }
}
