/// A part of a store's state that has projections.
@MainActor
class Part<State: Sendable> {
  /// Updates the part to the new state.
  func commit(_ old: State, _ new: State, into round: inout Round) {}

  /// Whether a part inside this one has ended, although the displayed state still contains it. The next update
  /// replaces its store, even if the state is equal.
  var hasEndedPart: Bool { false }
}

/// A store of a part, without its action type.
@MainActor
protocol PartStore<State>: AnyObject {
  associatedtype State: Sendable
  var hasEndedPart: Bool { get }
  func commit(_ new: State, into round: inout Round)
}

extension MainActorStore: PartStore {}

/// A property that has a store.
final class PropertyPart<State: Sendable, PartAction: Sendable, PartState: Sendable>: Part<State> {
  let store: MainActorStore<PartAction, PartState>
  private let path: KeyPath<State, PartState>

  init(path: KeyPath<State, PartState>, store: MainActorStore<PartAction, PartState>) {
    self.path = path
    self.store = store
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    store.commit(new[keyPath: path], into: &round)
  }

  override var hasEndedPart: Bool { store.hasEndedPart }
}

/// An optional part: whether it has a value, the lifetime of this value, and its stores.
final class OptionalPart<State: Sendable, PartState: Sendable>: Part<State> {
  private let path: any KeyPath<State, PartState?> & Sendable
  private let isSame: @Sendable (PartState, PartState) -> Bool
  private let watch: @MainActor (@escaping Watches<State>.Look) -> Void
  private var registration = Registration()
  private var stores: [ProjectionKey: any PartStore<PartState>] = [:]
  /// The lifetime of the present value, if it was read.
  private var current: Lifetime?
  /// The number of the lifetime whose dismissal waits in the queue.
  var dismissed: UInt64?

  init(
    path: any KeyPath<State, PartState?> & Sendable, isSame: @escaping @Sendable (PartState, PartState) -> Bool,
    watch: @escaping @MainActor (@escaping Watches<State>.Look) -> Void
  ) {
    self.path = path
    self.isSame = isSame
    self.watch = watch
  }

  /// The present value and its lifetime, or `nil`.
  func value(in shown: State) -> (item: PartState, lifetime: Lifetime)? {
    registration.access()
    return shown[keyPath: path].map { ($0, lifetime(of: $0)) }
  }

  private func lifetime(of part: PartState) -> Lifetime {
    if let current { return current }
    let lifetime = Lifetime()
    current = lifetime
    watch { [path, isSame] state in
      if !lifetime.hasEnded, let new = state[keyPath: path], isSame(part, new) { return true }
      lifetime.endPart()
      return false
    }
    return lifetime
  }

  /// The store of the part while the part exists.
  func store<PartAction: Sendable>(
    _ key: ProjectionKey, in shown: State, make: (PartState, Lifetime) -> MainActorStore<PartAction, PartState>
  ) -> MainActorStore<PartAction, PartState>? {
    guard let (part, lifetime) = value(in: shown) else { return nil }
    if let store = stores[key] as? MainActorStore<PartAction, PartState> { return store }
    let store = make(part, lifetime)
    stores[key] = store
    return store
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    switch (old[keyPath: path], new[keyPath: path]) {
    case (nil, nil): return
    case (let before?, let after?) where isSame(before, after) && current?.hasEnded != true:
      for store in stores.values { store.commit(after, into: &round) }
    default:
      current?.end()
      current = nil
      stores = [:]
      round.registrations.append(registration)
      registration = Registration()
    }
  }

  override var hasEndedPart: Bool {
    current?.hasEnded == true || stores.values.contains { $0.hasEndedPart }
  }
}
