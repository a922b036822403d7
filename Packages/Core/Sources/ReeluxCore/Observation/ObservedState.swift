public import Observation

/// A state whose fields can be observed one by one with `withObservationTracking`, and so by SwiftUI.
///
/// A read of one field inside a tracked closure is invalidated by a change of
/// that field only. It works wherever Swift's `Observation` does.
///
/// ```swift
/// let observed = store.observed
/// withObservationTracking {
///   render(observed.favorites)
/// } onChange: {
///   // `favorites` became different; nothing else calls this.
/// }
/// ```
///
/// A change is told on the thread that runs the pipeline, when the state is
/// already the new one. Each field that was ever read costs one subscription,
/// which keeps the field's last value; a field that is not touched costs
/// nothing. It does not keep a store alive.
///
/// `withObservationTracking` installs its `onChange` when the tracked closure has
/// returned. A change that another thread makes between the read and that moment
/// is told to nobody; where this matters, ``Store/subscribe(_:)`` or ``Store/states``
/// miss none.
@dynamicMemberLookup
public final class ObservedState<State: Sendable>: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let fields: any FieldProvider<State>
  private let subscriptions = Locked<[FieldKey: Subscription]>([:])

  init(fields: any FieldProvider<State>) {
    self.fields = fields
  }

  /// Observes the state of any provider; each change of its state is compared for each field that was read.
  public convenience init(_ provider: some StateProvider<State>) {
    self.init(fields: ComputedFields(base: provider))
  }

  /// A field of the state now.
  public subscript<Part: Equatable & Sendable>(
    dynamicMember path: any KeyPath<State, Part> & Sendable
  ) -> Part {
    let field = fields.field(path)
    // First the subscription, then the registration, then the read: none of these misses a change.
    follow(field, path)
    registrar.access(self, keyPath: \.[dynamicMember: path])
    return field.state
  }

  private func follow<Part: Equatable & Sendable>(
    _ field: Selection<Part>, _ path: any KeyPath<State, Part> & Sendable
  ) {
    let key = FieldKey(path: path)
    if subscriptions.withLock({ $0[key] != nil }) { return }
    let isFirst = Locked(true)
    let subscription = field.subscribe { [weak self] _ in
      // The first call tells what is there already.
      let isInitial = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      guard !isInitial, let self else { return }
      self.registrar.withMutation(of: self, keyPath: \.[dynamicMember: path]) {}
    }
    // If another thread was faster, its subscription stays, and this one ends here.
    subscriptions.withLock { subscriptions in
      if subscriptions[key] == nil { subscriptions[key] = subscription }
    }
  }
}

extension Store {
  /// The state, to be observed field by field with `withObservationTracking`.
  ///
  /// Keep one and read from it; each has its own subscriptions.
  public var observed: ObservedState<State> { ObservedState(fields: StoreFields(core: core)) }
}

/// What gives a selection of each field.
protocol FieldProvider<State>: Sendable {
  associatedtype State: Sendable
  func field<Part: Equatable & Sendable>(_ path: any KeyPath<State, Part> & Sendable) -> Selection<Part>
}

private struct ComputedFields<Base: StateProvider>: FieldProvider {
  let base: Base

  func field<Part: Equatable & Sendable>(_ path: any KeyPath<Base.State, Part> & Sendable) -> Selection<Part> {
    base.select { $0[keyPath: path] }
  }
}

private struct StoreFields<Action: Sendable, State: Sendable>: FieldProvider {
  let core: StoreCore<Action, State>

  func field<Part: Equatable & Sendable>(_ path: any KeyPath<State, Part> & Sendable) -> Selection<Part> {
    core.select(path, by: ==)
  }
}

private struct FieldKey: Hashable, Sendable {
  let path: any AnyKeyPath & Sendable

  static func == (lhs: FieldKey, rhs: FieldKey) -> Bool { (lhs.path as AnyKeyPath) == (rhs.path as AnyKeyPath) }
  func hash(into hasher: inout Hasher) { hasher.combine(path as AnyKeyPath) }
}
