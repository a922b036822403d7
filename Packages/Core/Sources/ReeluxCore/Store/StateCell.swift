/// The store's state, and the rule for reading it.
///
/// The thread that runs the pipeline reads it at any time but inside a reducer, and writes it inside a reducer only.
/// Other threads read it whenever no reducer runs (see ``PipelineGate``).
///
/// `@unchecked Sendable`: `memory` is used by that thread, or between `beginReading` and `endReading`.
@usableFromInline
final class StateCell<State: Sendable>: StateReader, @unchecked Sendable {
  @usableFromInline let gate: PipelineGate
  @usableFromInline let ownedState: Memory<State>
  @usableFromInline let ownedChanges = Memory<UInt64>(0)
  @usableFromInline let ownedChildChanges = Memory<UInt64>(0)
  /// The number of actions that changed the state. The same rule applies to reads and writes.
  @inlinable
  @inline(__always)
  var changes: MemoryAddress<UInt64> { ownedChanges.address }
  /// The number of actions that changed a child store's own state.
  @inlinable
  @inline(__always)
  var childChanges: MemoryAddress<UInt64> { ownedChildChanges.address }
  @inlinable
  @inline(__always)
  var memory: MemoryAddress<State> { ownedState.address }
  /// A description of the action that is being reduced. The pipeline sets it for the diagnosis below.
  @usableFromInline var describeCurrentAction: @Sendable () -> String = { "an action" }

  @inlinable
  init(_ state: State) {
    gate = PipelineGate()
    ownedState = Memory(state)
  }

  /// Calls `body` with the state. `body` may call code of the app, such as a getter or a comparison.
  ///
  /// On the thread that runs the pipeline, `body` receives the state in place. Other threads copy the state first, and
  /// call `body` outside of the section that excludes reducers. `body` may therefore be slow, read the store or
  /// dispatch.
  @inlinable
  func visit<Result>(_ body: (Lent<State>) -> Result) -> Result {
    if gate.isOwned(by: ThreadID.current()) { return readInside(body) }
    return lend(readOutside { $0.value }, to: body)
  }

  /// Calls `body` with the state: as ``visit(_:)``, or as ``read(_:)``. It is compiled once, not for each type of an
  /// app.
  @usableFromInline
  func look(_ callsApp: Bool, _ body: (LentBytes) -> Void) {
    if gate.isOwned(by: ThreadID.current()) {
      readInside { body(LentBytes($0)) }
    } else if callsApp {
      lend(readOutside { $0.value }) { body(LentBytes($0)) }
    } else {
      readOutside { body(LentBytes($0)) }
    }
  }

  /// Calls `body` with the state in place. `body` only copies and calls no code of the app. It may run on the thread
  /// that runs the pipeline.
  @inlinable
  func read<Result>(_ body: (Lent<State>) -> Result) -> Result {
    gate.isOwned(by: ThreadID.current()) ? readInside(body) : readOutside(body)
  }

  /// Reads on the thread that runs the pipeline.
  @inlinable
  @inline(__always)
  func readInside<Result>(_ body: (Lent<State>) -> Result) -> Result {
    if gate.isReducing { misused("read the store's state") }
    return body(memory.lent)
  }

  /// Reads on any other thread.
  @inlinable
  func readOutside<Result>(_ body: (Lent<State>) -> Result) -> Result {
    guard gate.beginReading() else { return readLater(body) }
    defer { gate.endReading() }
    return body(memory.lent)
  }

  @inlinable
  @inline(never)
  func readLater<Result>(_ body: (Lent<State>) -> Result) -> Result {
    var result: Result?
    gate.readLater { result = body(memory.lent) }
    guard let result else { preconditionFailure("A read was not performed.") }
    return result
  }

  /// Stops the program with a message that names the action and its source.
  @usableFromInline
  func misused(_ deed: String) -> Never {
    fatalError(
      "A reducer \(deed) while it was reducing \(describeCurrentAction()). "
        + "A reducer may use only the state that it receives; "
        + "read other state or dispatch from a middleware or an observer.")
  }
}
