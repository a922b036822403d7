import Observation
import ReeluxCore

/// A value that a control reads and writes. It consists of a field of a store and the action that a write sends.
///
/// It corresponds to a SwiftUI `Binding`, for other user interfaces and for tests.
///
/// ```swift
/// let query = store.fieldBinding(\.query, send: SearchAction.queryChanged)
/// query.wrappedValue = "metropolis"
/// print(query.wrappedValue)  // metropolis
/// ```
@MainActor
public struct FieldBinding<Value> {
  private let get: @MainActor () -> Value
  private let set: @MainActor (Value) -> Void

  init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value. A read tracks the field, and a write sends the action.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

extension MainActorStore {
  /// Returns a binding to a field. A write sends an action.
  ///
  /// After a write to an idle store, this binding and the field have the reducer's value. If another thread keeps the
  /// store busy, the action waits in the queue. The store then shows the written value until the action is reduced, and
  /// the reducer's value after that. If the reducer rejects the written value, the state stays the same, but the
  /// trackers are still called. So the control reads the field again. With a `StoreType` of your own, a busy store
  /// shows the old value until the action is reduced.
  ///
  /// Writing the displayed value sends no action, because text fields write when they gain or lose the focus. If the
  /// part that this store shows no longer exists, no action is sent either.
  ///
  /// - Parameters:
  ///   - sendsEqual: Whether writing the displayed value sends the action too, for example to detect a second tap on
  ///     the selected tab. Default: false.
  public func fieldBinding<Value: Equatable>(
    _ path: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action, sendsEqual: Bool = false,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> FieldBinding<Value> {
    let source = ActionSource(file: file, function: function, line: line)
    return FieldBinding {
      self[path]
    } set: { value in
      if !sendsEqual && value == self.value(at: path) { return }
      self.write(value, to: path, by: action(value), from: source)
    }
  }

  /// Returns a binding to a navigation path.
  ///
  /// It differs from ``fieldBinding(_:send:sendsEqual:file:function:line:)`` in one point. A navigation stack writes
  /// late, when its animation ends. If the path of the store is no longer the one that the stack last read, a write is
  /// accepted only if it removes screens from the end of the store's path. The same applies if the store's path is not
  /// displayed yet and differs from the path that the stack last read. Any other write is ignored, and the stack reads
  /// the path again.
  public func pathBinding<Element: Equatable>(
    _ path: KeyPath<State, [Element]>, send action: @escaping @MainActor ([Element]) -> Action,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> FieldBinding<[Element]> {
    let source = ActionSource(file: file, function: function, line: line)
    let navigation = navigation(path, send: action, from: source)
    return FieldBinding {
      navigation.value
    } set: {
      navigation.value = $0
    }
  }

  /// The only navigation for a key path, with the action that was passed last.
  func navigation<Element: Equatable>(
    _ path: KeyPath<State, [Element]>, send action: @escaping @MainActor ([Element]) -> Action,
    from source: ActionSource
  ) -> Navigation<Action, State, Element> {
    let navigation = part(FieldKey(path: path, kind: .navigation)) {
      Navigation<Action, State, Element>(store: self, path: path)
    }
    navigation.send = (action, source)
    return navigation
  }
}

/// A navigation path as an object, so that SwiftUI finds the same binding in each update of a view.
final class Navigation<Action: Sendable, State: Sendable, Element: Equatable>: Part<State>, Observable {
  private weak var store: MainActorStore<Action, State>?
  private let path: KeyPath<State, [Element]>
  var send: (action: @MainActor ([Element]) -> Action, source: ActionSource)?
  /// The path that the navigation stack read last.
  private var seen: [Element]?

  init(store: MainActorStore<Action, State>, path: KeyPath<State, [Element]>) {
    self.store = store
    self.path = path
  }

  var value: [Element] {
    get {
      let elements = store?[path] ?? []
      seen = elements
      return elements
    }
    set {
      guard let store, let send else { return }
      if newValue == store.value(at: path) { return }
      let newest = store.newestValue(at: path)
      let isLate = seen.map { $0 != newest } ?? false
      if isLate && !newest.starts(with: newValue) { return store.notify(path) }
      store.write(newValue, to: path, by: send.action(newValue), from: send.source)
      seen = store.value(at: path)
    }
  }
}
