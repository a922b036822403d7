public import Observation
public import ReeluxCore

/// A store for a user interface. It is on the main actor and tracks each field separately.
///
/// It shows the state of any store or projection to code on the main actor, and sends actions to it. A *tracker* is
/// code that Observation calls after a change: a SwiftUI view, or the `onChange` closure of `withObservationTracking`.
/// Trackers and observers are called only when a field that they read has changed.
///
/// ```swift
/// let store = MainActorStore(Store(initialState: AppState(), feature: app))
/// print(store.title)
/// store.send(.rename("Metropolis"))
/// print(store.title)  // Metropolis
/// ```
///
/// - A field is read by its name, `store.title`, or by a key path, `store[\.selected?.title]`. The store tracks the key
///   path that it receives. For `store.favorites.ids` it receives `\.favorites`, so it tracks all of `favorites`.
///   ``projection(action:state:file:line:column:)`` returns a store of `favorites`, which tracks its fields separately.
/// - ``send(_:info:file:function:line:)`` shows the change before it returns.
/// - Reading, tracking and notifying happen on the main actor. No change is missed, and an older state never replaces a
///   newer one.
/// - Changes from other threads are shown together in the next turn of the main actor. So is the change by a `dispatch`
///   to the store itself.
///
/// A member of this class hides a field with the same name. Use `store[\.state]` to read such a field.
///
/// Reading a field costs O(1). A turn copies the state once and compares the fields that were read since their last
/// change. An update of a list compares its elements and visits only the different rows.
@MainActor
@dynamicMemberLookup
public final class MainActorStore<Action: Sendable, State: Sendable>: Observable {
  /// The displayed state.
  private(set) var shown: State
  /// The lifetime of this store's part in the state.
  let lifetime: Lifetime
  private let watchWhole: @MainActor (@escaping Watches<State>.Look) -> Void
  /// The newest state, if it is not displayed yet and contains this store's part.
  let newest: @MainActor () -> State?

  /// Returns `nil` if the action was dropped.
  private let deliver: @MainActor (Action, ActionSource, @escaping @MainActor () -> Void) -> MainActorTask?
  private var fields: [FieldKey: TrackedField<State>] = [:]
  private var parts: [FieldKey: Part<State>] = [:]
  private var written: [AnyKeyPath: WrittenValue] = [:]
  private var writes: UInt64 = 0
  private var observers: [any FieldObserving] = []
  private var isCommitting = false
  /// A state that is to be shown after the present one.
  private var newer: State?
  let removal = Removal()

  init(
    shown: State, lifetime: Lifetime = Lifetime(),
    watch: @escaping @MainActor (@escaping Watches<State>.Look) -> Void,
    newest: @escaping @MainActor () -> State?,
    deliver: @escaping @MainActor (Action, ActionSource, @escaping @MainActor () -> Void) -> MainActorTask?
  ) {
    self.shown = shown
    self.lifetime = lifetime
    self.watchWhole = watch
    self.newest = newest
    self.deliver = deliver
  }

  /// Creates a main-actor store of a store, a projection or a child store, and retains it.
  ///
  /// - Parameters:
  ///   - store: The store to show. With a `StoreType` of your own, ``send(_:info:file:function:line:)`` does not wait
  ///     for an action in the queue. Its change is shown in a later turn.
  ///   - waitLimit: The longest time that ``send(_:info:file:function:line:)`` waits while another thread runs the
  ///     pipeline. Default: 100 ms. With zero or less, it does not wait.
  public convenience init(_ store: some StoreType<Action, State>, waitLimit: Duration = .milliseconds(100)) {
    let connection = StoreConnection(store, waitLimit: waitLimit)
    self.init(connection, shown: store.state)
  }

  /// Creates a main-actor store of a provider without actions, such as a selection.
  public convenience init(observing provider: some StateProvider<State>) where Action == Never {
    let connection = StoreConnection<Action, State>(observing: provider)
    self.init(connection, shown: provider.state)
  }

  convenience init(_ connection: StoreConnection<Action, State>, shown: State) {
    self.init(shown: shown) {
      connection.watch($0)
    } newest: {
      connection.newest
    } deliver: {
      connection.deliver($0, from: $1, shown: $2)
    }
    connection.view = self
    connection.refresh()
  }

  // MARK: Reading

  /// The whole state. A read tracks all of it.
  public var state: State {
    track(FieldKey(path: \State.self, kind: .touch)) { _, _ in false }
    return shown
  }

  /// A field. A tracker that reads it is called when the field has changed.
  public subscript<Value: Equatable>(dynamicMember path: KeyPath<State, Value>) -> Value { self[path] }

  /// A field that cannot be compared. A tracker that reads it is called for each update.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value { self[path] }

  /// A field by its key path, which may contain nested properties and optionals.
  public subscript<Value: Equatable>(_ path: KeyPath<State, Value>) -> Value {
    track(FieldKey(path: path, kind: .value)) { $0[keyPath: path] == $1[keyPath: path] }
    return value(at: path)
  }

  /// A field by its key path that cannot be compared. A tracker that reads it is called for each update.
  @_disfavoredOverload
  public subscript<Value>(_ path: KeyPath<State, Value>) -> Value {
    track(FieldKey(path: path, kind: .touch)) { _, _ in false }
    return value(at: path)
  }

  /// The ids of a collection's elements. A tracker that reads them is called when an element was added, removed or
  /// moved.
  @inlinable public func elementIDs<Elements: Collection>(of path: KeyPath<State, Elements>) -> [Elements.Element.ID]
  where Elements.Element: Identifiable {
    elementIDs(of: path, areSame: haveSameIDs)
  }

  /// - Parameter areSame: Compares the ids. It is specialised where the caller is compiled.
  @usableFromInline func elementIDs<Elements: Collection>(
    of path: KeyPath<State, Elements>, areSame: @escaping (Elements, Elements) -> Bool
  ) -> [Elements.Element.ID] where Elements.Element: Identifiable {
    track(FieldKey(path: path, kind: .ids)) { areSame($0[keyPath: path], $1[keyPath: path]) }
    return shown[keyPath: path].map(\.id)
  }

  // MARK: Sending

  /// Sends an action and shows the change before it returns.
  ///
  /// On an idle store, this thread runs the pipeline, with at most 128 actions of other threads. On a busy store, it
  /// waits until the other thread has reduced the action, at most for the store's `waitLimit`. After this time, the
  /// change is shown in a later turn. While such an action is in the queue, further calls of `send` do not wait. If an
  /// observer or a middleware on the main actor sends the action, `send` does not wait either, because it is called
  /// inside the pipeline.
  ///
  /// If the part of this store no longer exists, the action is dropped. An action that is sent after a sheet was closed
  /// or a row was deleted therefore never reaches a later sheet or row. If another thread keeps the store busy, and the
  /// closing still waits in the queue, the action waits behind it, and reaches the part that exists then.
  ///
  /// - Returns: A handle to wait for the effects of the action or to cancel them.
  @discardableResult public func send(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> MainActorTask {
    send(action, from: ActionSource(info: info, file: file, function: function, line: line)) ?? .dropped
  }

  /// Sends an action, or drops it and returns `nil`.
  func send(
    _ action: Action, from source: ActionSource, shown: @escaping @MainActor () -> Void = {}
  ) -> MainActorTask? {
    if lifetime.hasEnded { return nil }
    return deliver(action, source, shown)
  }

  // MARK: Updating

  /// Calls `look` with the newest state, if this state is not displayed yet, and with each later state on the
  /// pipeline's thread, until it returns false or this store's part ends.
  func watch(_ look: @escaping Watches<State>.Look) {
    watchWhole { [lifetime] in !lifetime.hasEnded && look($0) }
  }

  /// Shows a state. Returns whether a tracker was called.
  ///
  /// A getter of the app, or the end of a value, may send an action while a state is committed. The call for its state
  /// returns at once, and the outer call then commits the newer state to every store of the tree.
  func show(_ new: State) -> Bool {
    newer = new
    if isCommitting { return false }
    isCommitting = true
    var round = Round()
    while let state = newer.take() { commit(state, into: &round) }
    isCommitting = false
    round.finish()
    return !round.registrations.isEmpty
  }

  /// Stores the new state and collects the fields, parts and observers that the change concerns.
  func commit(_ new: State, into round: inout Round) {
    let old = shown
    shown = new
    // The two loops are separate, because removing from a dictionary during iteration would copy it.
    var different: [FieldKey] = []
    for (key, field) in fields where !field.areEqual(old, new) { different.append(key) }
    for key in different {
      if let field = fields.removeValue(forKey: key) { round.registrations.append(field.registration) }
    }
    for part in parts.values { part.commit(old, new, into: &round) }
    removeCancelledObservers()
    round.observers += observers
  }

  /// Whether a part of the displayed state has ended.
  var hasEndedPart: Bool { parts.values.contains { $0.hasEndedPart } }

  func track(_ key: FieldKey, areEqual: @escaping (State, State) -> Bool) {
    if let field = fields[key] { return field.registration.access() }
    let field = TrackedField(areEqual: areEqual)
    fields[key] = field
    field.registration.access()
  }

  /// Calls the trackers of a field whose value may differ from the value that they read.
  func notify(_ path: AnyKeyPath) {
    // The field stays, because a tracked closure that writes the field is registered only after it has returned.
    for kind in [FieldKey.Kind.value, .touch] { fields[FieldKey(path: path, kind: kind)]?.registration.notify() }
  }

  /// The part for `key`. It is created at the first call and kept for the lifetime of this store.
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

  func removeCancelledObservers() {
    removal.begin()
    let all = observers
    observers = all.filter { !$0.lifetime.hasEnded }
    // Removed observers are released here, because the end of their captures may call code of the app.
    withExtendedLifetime(all) {}
  }

  // MARK: Written values

  /// The written value of a binding while its action waits in the queue. Otherwise the field.
  func value<Value>(at path: KeyPath<State, Value>) -> Value {
    if !written.isEmpty, let written = written[path], let value = written.value as? Value { return value }
    return shown[keyPath: path]
  }

  /// The written value, or the field of the newest state, even if that state is not displayed yet.
  func newestValue<Value>(at path: KeyPath<State, Value>) -> Value {
    if written[path] == nil, let newest = newest() { return newest[keyPath: path] }
    return value(at: path)
  }

  /// Sends the action of a binding and shows the written value until the action is reduced.
  func write<Value: Equatable>(
    _ value: Value, to path: KeyPath<State, Value>, by action: Action, from source: ActionSource
  ) {
    writes += 1
    let number = writes
    var isShown = false
    // The value that the trackers have read, if no written value is shown.
    let known = written[path] == nil ? shown[keyPath: path] : nil
    let task = send(action, from: source) { [weak self] in
      isShown = true
      guard let self else { return }
      let wasWritten = written[path] != nil
      if let last = written[path] {
        // If a later write of the same field still waits, its value stays.
        guard last.number <= number else { return }
        written[path] = nil
      }
      // The control shows the written value. If the reducer set another one, the control must read the field again. A
      // tracker of a field that has changed was called already.
      let current = shown[keyPath: path]
      if current != value, wasWritten || current == known { notify(path) }
    }
    if isShown || task == nil { return }
    written[path] = WrittenValue(value: value, number: number)
    notify(path)
  }
}
