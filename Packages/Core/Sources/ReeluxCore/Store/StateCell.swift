/// The store's state, and the rule for reading it.
///
/// The thread that runs the pipeline reads it at any time but inside a reducer,
/// and writes it inside a reducer only. Other threads read it whenever no
/// reducer runs (see ``PipelineGate``). The state lives in memory of its own
/// rather than in a class property, so that a write costs no exclusivity check.
///
/// `@unchecked Sendable`: every access to `pointer` is made by the gate's owner
/// or between `beginReading` and `endReading`.
@usableFromInline
final class StateCell<State: Sendable>: @unchecked Sendable {
  @usableFromInline let gate: PipelineGate
  @usableFromInline let pointer: UnsafeMutablePointer<State>
  /// How many actions changed the state so far; written and read under the same rule.
  @usableFromInline let changes: UnsafeMutablePointer<UInt64>
  /// How many actions changed a child store's own state.
  @usableFromInline let childChanges: UnsafeMutablePointer<UInt64>
  /// Names the action that is being reduced; set by the pipeline for the diagnosis
  /// below.
  @usableFromInline var describeCurrentAction: @Sendable () -> String = { "an action" }

  @inlinable
  init(_ state: State) {
    gate = PipelineGate()
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
    changes = .allocate(capacity: 1)
    changes.initialize(to: 0)
    childChanges = .allocate(capacity: 1)
    childChanges.initialize(to: 0)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
    changes.deallocate()
    childChanges.deallocate()
  }

  /// Calls `body` with the state, which it may examine with code of the app: a getter, a comparison.
  ///
  /// On the thread that runs the pipeline, `body` gets the state in place. Other threads copy the state first, and
  /// call `body` after the section that excludes reducers: `body` may be slow, read the store or dispatch.
  @inlinable
  func visit<Result>(_ body: (UnsafePointer<State>) -> Result) -> Result {
    if gate.isOwned(by: ThreadID.current()) { return read(body) }
    let copy = read { $0.pointee }
    return withUnsafePointer(to: copy, body)
  }

  /// Calls `body` with the state in place; `body` copies what it needs and calls no code of the app. It may run on the
  /// thread that runs the pipeline.
  @inlinable
  func read<Result>(_ body: (UnsafePointer<State>) -> Result) -> Result {
    if gate.isOwned(by: ThreadID.current()) {
      if gate.isReducing { misused("read the store's state") }
      return body(UnsafePointer(pointer))
    }
    guard gate.beginReading() else { return readLater(body) }
    defer { gate.endReading() }
    return body(UnsafePointer(pointer))
  }

  @inlinable
  @inline(never)
  func readLater<Result>(_ body: (UnsafePointer<State>) -> Result) -> Result {
    var result: Result?
    gate.readLater { result = body(UnsafePointer(pointer)) }
    guard let result else { preconditionFailure("A read was not performed.") }
    return result
  }

  /// Ends the program with a message that names the action and its source.
  @usableFromInline
  func misused(_ deed: String) -> Never {
    fatalError(
      "A reducer \(deed) while it was reducing \(describeCurrentAction()). "
        + "A reducer works on the state it is given and nothing else; "
        + "read other state or dispatch from a middleware or an observer.")
  }
}
