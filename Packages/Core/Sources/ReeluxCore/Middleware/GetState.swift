/// A function that reads a middleware's state, at any time.
///
/// In `handle` it reads the state before the action's reducers. In
/// after-reducer work and in tasks it reads the current state. After the store
/// is released, it reads the last state.
@dynamicMemberLookup
public struct GetState<State: Sendable>: Sendable {
  /// Calls its second argument with the state. The first argument is true if this calls code of the app, such
  /// as a computed property's getter. Such code runs outside the section that excludes reducers.
  @usableFromInline typealias Visit = @Sendable (_ callsApp: Bool, (UnsafePointer<State>) -> Void) -> Void
  @usableFromInline let visit: Visit

  @inlinable
  init(visit: @escaping Visit) {
    self.visit = visit
  }

  /// A getter made of a closure, for tests of a middleware without a store.
  @inlinable
  public init(_ get: @escaping @Sendable () -> State) {
    visit = { _, body in withUnsafePointer(to: get()) { body($0) } }
  }

  /// The current state.
  @inlinable
  public func callAsFunction() -> State {
    var state: State?
    visit(false) { state = $0.pointee }
    guard let state else { preconditionFailure("A getter did not call its reader.") }
    return state
  }

  /// Unavailable: call the getter to read the state, as in `state().count`.
  @available(*, unavailable, message: "A GetState is called: write `state().name` in place of `state.name`.")
  public subscript<Part>(dynamicMember path: KeyPath<State, Part>) -> Part {
    self()[keyPath: path]
  }

  /// Calls `body` with the state: in place on the pipeline's thread, with a copy elsewhere.
  @inlinable
  func read<Result>(_ body: (State) -> Result) -> Result {
    var result: Result?
    visit(true) { result = body($0.pointee) }
    guard let result else { preconditionFailure("A getter did not call its reader.") }
    return result
  }

  /// A getter of something that is computed from this state.
  @inlinable
  public func map<Part: Sendable>(_ transform: @escaping @Sendable (State) -> Part) -> GetState<Part> {
    // The transformation runs on a copy, so it may be slow, read the store or
    // dispatch.
    let get = self
    return GetState<Part> { _, body in withUnsafePointer(to: transform(get())) { body($0) } }
  }

  /// A getter of one property. It copies only this property.
  @inlinable
  public func map<Part: Sendable>(_ path: any KeyPath<State, Part> & Sendable) -> GetState<Part> {
    guard let offset = MemoryLayout<State>.offset(of: path) else { return map { $0[keyPath: path] } }
    let visit = self.visit
    return GetState<Part> { callsApp, body in
      visit(callsApp) { state in
        body(UnsafeRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Part.self))
      }
    }
  }
}
