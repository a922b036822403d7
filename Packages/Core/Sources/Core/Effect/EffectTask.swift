/// Asynchronous work with its name, before it is started.
@usableFromInline
struct EffectTask<Action: Sendable>: Sendable {
  /// Makes the task. Its work begins after the pause, if there is one, and calls ``Send/end()`` when it is done.
  @usableFromInline typealias Launch =
    @Sendable (Send<Action>, (any TaskExecutor)?, EffectTraits.Pause?) -> Task<Void, Never>

  @usableFromInline let launch: Launch
  /// Boxed, so that work without a name or a delay, which is the usual one, stays small.
  @usableFromInline var traits: EffectTraits?

  @inlinable
  init(traits: EffectTraits? = nil, launch: @escaping Launch) {
    self.launch = launch
    self.traits = traits
  }

  /// Work that sends any number of actions.
  @inlinable
  init(
    source: ActionSource, traits: EffectTraits? = nil, body: @escaping @Sendable (Send<Action>) async -> Void
  ) {
    self.init(traits: traits) { send, executor, pause in
      send.begin(at: source)
      return .begin(on: executor) {
        if await send.mayBegin(after: pause) { await body(send) }
        send.end()
      }
    }
  }

  /// Work that answers with one action, or with none.
  @inlinable
  init(source: ActionSource, answer: @escaping @Sendable () async -> Action?) {
    self.init { send, executor, pause in
      send.begin(at: source)
      return .begin(on: executor) {
        if await send.mayBegin(after: pause), let action = await answer() {
          send.end(with: action, from: source)
        } else {
          send.end()
        }
      }
    }
  }

  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectTask<Other> {
    let launch = self.launch
    return EffectTask<Other>(traits: traits) { send, executor, pause in
      launch(send.mapped(by: transform), executor, pause)
    }
  }
}

extension Task where Failure == Never {
  /// Makes a task that prefers an executor, if there is one to prefer.
  @inlinable
  @inline(__always)
  static func begin(
    on executor: (any TaskExecutor)?, _ work: sending @escaping @isolated(any) () async -> Success
  ) -> Task {
    if let executor { Task(executorPreference: executor, operation: work) } else { Task(operation: work) }
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
