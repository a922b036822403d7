/// A part of a store's state that has projections.
@MainActor
class Part<State: Sendable> {
  /// Updates the part to the new state.
  func commit(_ old: State, _ new: State, into round: inout Round) {}
}

/// A store of a part, without its action type.
@MainActor
protocol PartStore<State>: AnyObject {
  associatedtype State: Sendable
  var isPresent: Bool { get set }
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
}

/// An optional part: whether it has a value, the number of this value, and its stores.
final class OptionalPart<State: Sendable, PartState: Sendable>: Part<State> {
  private let path: KeyPath<State, PartState?>
  private let isSame: (PartState, PartState) -> Bool
  private var registration = Registration()
  private var stores: [ProjectionKey: any PartStore<PartState>] = [:]
  /// The number of changes between `nil` and a value; `nil` while there is no value.
  private var number: UInt64 = 0
  /// The number of the value whose dismissal waits in the queue.
  var dismissed: UInt64?

  init(path: KeyPath<State, PartState?>, isSame: @escaping (PartState, PartState) -> Bool) {
    self.path = path
    self.isSame = isSame
  }

  /// The number of the present value, or `nil`. The same number means the same part.
  func number(in shown: State) -> UInt64? {
    registration.access()
    return shown[keyPath: path] == nil ? nil : number
  }

  /// The store of the part while the part exists.
  func store<PartAction: Sendable>(
    _ key: ProjectionKey, in shown: State, make: (PartState) -> MainActorStore<PartAction, PartState>
  ) -> MainActorStore<PartAction, PartState>? {
    registration.access()
    guard let part = shown[keyPath: path] else { return nil }
    if let store = stores[key] as? MainActorStore<PartAction, PartState> { return store }
    let store = make(part)
    stores[key] = store
    return store
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    let part = new[keyPath: path]
    switch (old[keyPath: path], part) {
    case (nil, nil): return
    case (let before?, let after?) where isSame(before, after):
      for store in stores.values { store.commit(after, into: &round) }
    default:
      for store in stores.values { store.isPresent = false }
      stores = [:]
      number += 1
      round.registrations.append(registration)
      registration = Registration()
    }
  }
}
