public import Observation
public import ReeluxCore

/// A store for a user interface: on the main actor, with each field tracked by
/// itself.
///
/// It shows the state of any store or projection to code on the main actor, and
/// sends actions to it. SwiftUI, `withObservationTracking` and observers are
/// called when a field that they read has changed, and for no other field.
///
/// ```swift
/// let store = MainActorStore(Store(initialState: AppState(), feature: app))
/// print(store.title)
/// store.send(.rename("Metropolis"))
/// print(store.title)  // Metropolis
/// ```
///
/// - A field is read by its name, `store.title`, or by a key path, `store[\.selected?.title]`. It is tracked as that
///   key path: reading `store.favorites.ids` tracks all of `favorites`. ``projection(action:state:file:line:column:)``
///   makes a store of `favorites` alone, whose fields are tracked one by one.
/// - ``send(_:info:file:function:line:)`` shows the change before it returns.
/// - Reading, tracking and calling happen on the main actor: no change is missed, and no older state is shown after
///   a newer one.
/// - Changes by other threads are shown in the next turn of the main actor, together.
///
/// A member of this class hides a field of the same name; `store[\.state]` reads such a field.
///
/// Cost: reading a field is O(1). A turn copies the state once and compares the fields that were read since they last
/// changed; an update of a list compares its elements, and visits only the rows that differ.
@MainActor
@dynamicMemberLookup
public final class MainActorStore<Action: Sendable, State: Sendable>: Observable {
  /// The shown state.
  private(set) var shown: State
  /// Whether the part of this store is still in the state.
  var isPresent = true

  private let deliver: @MainActor (Action, ActionSource, @escaping @MainActor () -> Void) -> ActionTask
  private var fields: [FieldKey: TrackedField<State>] = [:]
  private var parts: [FieldKey: Part<State>] = [:]
  private var written: [AnyKeyPath: WrittenValue] = [:]
  private var writes: UInt64 = 0
  private var observers: [any FieldObserving] = []

  init(
    shown: State,
    deliver: @escaping @MainActor (Action, ActionSource, @escaping @MainActor () -> Void) -> ActionTask
  ) {
    self.shown = shown
    self.deliver = deliver
  }

  /// Shows a store, a projection or a child store, and keeps it alive.
  ///
  /// - Parameters:
  ///   - store: The store to show. Sending waits for an action only if this is one of ReeluxCore's types. With a
  ///     `StoreType` of your own, an action that waits in the queue is shown in a later turn.
  ///   - waitLimit: The longest time that ``send(_:info:file:function:line:)`` waits while another thread runs the
  ///     pipeline; default 100 ms.
  public convenience init(_ store: some StoreType<Action, State>, waitLimit: Duration = .milliseconds(100)) {
    let connection = StoreConnection(store, waitLimit: waitLimit)
    self.init(shown: store.state) { connection.deliver($0, from: $1, shown: $2) }
    connection.view = self
    connection.refresh()
  }

  /// Shows a provider that takes no actions, such as a selection.
  public convenience init(observing provider: some StateProvider<State>) where Action == Never {
    self.init(withoutActions: provider)
  }

  private convenience init(withoutActions provider: some StateProvider<State>) {
    let connection = StoreConnection<Action, State>(observing: provider)
    self.init(shown: provider.state) { connection.deliver($0, from: $1, shown: $2) }
    connection.view = self
    connection.refresh()
  }

  // MARK: Reading

  /// The whole state; tracked as a whole.
  public var state: State {
    track(FieldKey(path: \State.self, kind: .value)) { _, _ in false }
    return shown
  }

  /// A field. A tracker that reads it is called when the field has changed.
  public subscript<Value: Equatable>(dynamicMember path: KeyPath<State, Value>) -> Value { self[path] }

  /// A field that cannot be compared: a tracker that reads it is called for each update.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { self[path] }

  /// A field by its key path, also of nested properties and through optionals.
  public subscript<Value: Equatable>(_ path: KeyPath<State, Value>) -> Value {
    track(FieldKey(path: path, kind: .value)) { $0[keyPath: path] == $1[keyPath: path] }
    return value(at: path)
  }

  /// A field that cannot be compared, by its key path: a tracker that reads it is called for each update.
  @_disfavoredOverload
  public subscript<Value>(_ path: KeyPath<State, Value>) -> Value {
    track(FieldKey(path: path, kind: .value)) { _, _ in false }
    return value(at: path)
  }

  /// The ids of a collection's elements. A tracker that reads them is called when an element was added, removed
  /// or moved.
  @inlinable
  public func elementIDs<Elements: Collection>(of path: KeyPath<State, Elements>) -> [Elements.Element.ID]
  where Elements.Element: Identifiable {
    elementIDs(of: path, areSame: haveSameIDs)
  }

  /// - Parameter areSame: Specialised for the collection where the caller is compiled.
  @usableFromInline
  func elementIDs<Elements: Collection>(
    of path: KeyPath<State, Elements>, areSame: @escaping (Elements, Elements) -> Bool
  ) -> [Elements.Element.ID] where Elements.Element: Identifiable {
    track(FieldKey(path: path, kind: .ids)) { areSame($0[keyPath: path], $1[keyPath: path]) }
    return shown[keyPath: path].map(\.id)
  }

  // MARK: Sending

  /// Sends an action, and shows the change before it returns.
  ///
  /// On an idle store, this thread runs the pipeline, with at most 128 actions of other threads. On a busy store, it
  /// waits until the other thread has reduced the action, at most for the store's `waitLimit`. After that, the change
  /// is shown in a later turn, and until then `send` does not wait for further actions of this store. If an observer
  /// or a middleware on the main actor sends the action, `send` does not wait either, because it is called inside the
  /// pipeline.
  ///
  /// If the part of this store no longer exists, the action is dropped. So an action of a closed sheet or of a deleted
  /// row never reaches a later sheet or row.
  ///
  /// - Returns: A handle to wait for the effects of the action, or to cancel them.
  @discardableResult
  public func send(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> ActionTask {
    send(action, from: ActionSource(info: info, file: file, function: function, line: line))
  }

  func send(
    _ action: Action, from source: ActionSource, shown: @escaping @MainActor () -> Void = {}
  ) -> ActionTask {
    guard isPresent else {
      shown()
      return .complete
    }
    return deliver(action, source, shown)
  }

  // MARK: Updating

  /// Shows a state; whether a tracker was called.
  func show(_ new: State) -> Bool {
    var round = Round()
    commit(new, into: &round)
    round.finish()
    return !round.registrations.isEmpty
  }

  /// Stores the new state, and notes the fields, parts and observers that the
  /// change concerns.
  func commit(_ new: State, into round: inout Round) {
    let old = shown
    shown = new
    // Two steps: removing from a dictionary that is being walked would copy it.
    var different: [FieldKey] = []
    for (key, field) in fields where !field.areEqual(old, new) { different.append(key) }
    for key in different {
      if let field = fields.removeValue(forKey: key) { round.registrations.append(field.registration) }
    }
    for part in parts.values { part.commit(old, new, into: &round) }
    observers.removeAll { !$0.isAlive }
    round.observers += observers
  }

  func track(_ key: FieldKey, areEqual: @escaping (State, State) -> Bool) {
    let field =
      fields[key]
      ?? {
        let field = TrackedField(areEqual: areEqual)
        fields[key] = field
        return field
      }()
    field.registration.access()
  }

  /// Calls the trackers of a field whose value may look different from what they read.
  func notify(_ path: AnyKeyPath) {
    fields.removeValue(forKey: FieldKey(path: path, kind: .value))?.registration.notify()
  }

  /// The projection of a field that `key` names, made at the first call and kept as long as this store.
  func part<Kept: Part<State>>(_ key: FieldKey, make: () -> Kept) -> Kept {
    if let part = parts[key] as? Kept { return part }
    let part = make()
    parts[key] = part
    return part
  }

  func add(_ observer: any FieldObserving) {
    observers.append(observer)
    observer.check()
  }

  // MARK: Written values

  /// The written value of a binding while its action waits in the queue;
  /// otherwise the field.
  func value<Value>(at path: KeyPath<State, Value>) -> Value {
    if !written.isEmpty, let value = written[path]?.value as? Value { return value }
    return shown[keyPath: path]
  }

  /// Sends the action of a binding, and shows the written value until the action is reduced.
  func write<Value: Equatable>(
    _ value: Value, to path: KeyPath<State, Value>, by action: Action, from source: ActionSource
  ) {
    writes += 1
    let number = writes
    var isShown = false
    _ = send(action, from: source) { [weak self] in
      isShown = true
      guard let self else { return }
      if let last = written[path] {
        // A later write of the same field still waits: its value stays.
        guard last.number <= number else { return }
        written[path] = nil
      }
      // The control shows the written value. If the reducer set another one, the control must read again.
      if shown[keyPath: path] != value { notify(path) }
    }
    if isShown { return }
    written[path] = WrittenValue(value: value, number: number)
    notify(path)
  }
}
