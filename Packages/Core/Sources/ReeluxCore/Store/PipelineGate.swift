public import Synchronization

/// The word that contains the thread that runs the pipeline, and the rule for readers of the state.
///
/// Each transition of ``PipelineMachine`` is one atomic step on the word.
///
/// **Readers.** A reader on another thread first increments `readers`, and then checks whether a reducer runs. The
/// thread that begins the phase `reducing` writes the phase, and then checks whether there is a reader. Both write
/// before they check, in one total order. So at least one of them detects the other:
///
/// - The thread that runs the pipeline waits for the present readers. They only copy, and the last one wakes it.
/// - A reader that finds a running reducer decrements `readers`, adds its read to `waitingReads`, and sleeps. When
///   the reducers of the action have returned, the thread that runs the pipeline performs these reads and wakes the
///   readers. A reader therefore waits for the reducers of at most one action. No reducer waits for a sleeping reader.
@usableFromInline struct PipelineGate: ~Copyable, Sendable {
  @usableFromInline let word = Atomic<UInt>(0)
  /// The number of readers. The bit `runnerWaits` is set while the thread that runs the pipeline sleeps until they have
  /// left. The bit `readsWait` is set while a reader waits in `waitingReads`.
  @usableFromInline let readers = Atomic<Int>(0)
  let waitingReads = WaitingReads()
  let waitingReadsLock = ConditionLock()
  private let readersLock = ConditionLock()

  @usableFromInline static var runnerWaits: Int { 1 << (Int.bitWidth - 3) }
  @usableFromInline static var readsWait: Int { 1 << (Int.bitWidth - 2) }

  /// The state of the pipeline. Only the thread that runs it can rely on the value after the read.
  @inlinable var machine: PipelineMachine { PipelineMachine(bits: word.load(ordering: .relaxed)) }

  /// Whether `thread` runs the pipeline.
  @inlinable @inline(__always) func isRun(by thread: UInt) -> Bool { machine.thread == thread }

  /// Whether reducers run. Only the thread that runs the pipeline may call it.
  @inlinable var isReducing: Bool { machine.isIn(.reducing) }

  /// Whether something was added to the queue since this thread last checked. Only the thread that runs the pipeline
  /// may call it.
  @inlinable var isAnythingWaiting: Bool { PipelineMachine(bits: word.load(ordering: .acquiring)).isWaiting }

  // MARK: Any thread

  /// Enters the pipeline if it is idle: replaces the word by `entered`, which contains the calling thread. Otherwise
  /// returns false.
  @inlinable @inline(__always) func enter(_ entered: PipelineMachine) -> Bool {
    // The word is read first, because a failed exchange would take the word from the cache of the processor that runs
    // the pipeline.
    let old = machine
    var new = old
    guard new.enter(entered) == .run, replace(old, by: new) else { return false }
    // The thread that ran the pipeline before may have left before it saw a waiting read.
    if entered.isIn(.reducing) { awaitReaders() } else if isReaderWaiting { performWaitingReads() }
    return true
  }

  /// Announces an addition to the queue. Returns true if `thread` now runs the pipeline. It must then drain the queue.
  ///
  /// If *waiting* is already set, nothing is written. The thread that clears *waiting* takes the items from the queue
  /// afterwards, under the queue's lock. It therefore finds all items that were added before.
  @inlinable func announce(_ thread: UInt) -> Bool {
    var old = word.load(ordering: .relaxed)
    while true {
      var machine = PipelineMachine(bits: old)
      if machine.isWaiting { return false }
      let command = machine.announce(thread)
      if command == .refuse { return false }
      let result = word.compareExchange(expected: old, desired: machine.bits, ordering: .acquiringAndReleasing)
      if result.exchanged {
        if command == .drain && isReaderWaiting { performWaitingReads() }
        return command == .drain
      }
      old = result.original
    }
  }

  // MARK: The thread that runs the pipeline

  /// Replaces the machine in one step. Returns false if another thread has changed it.
  @inlinable @inline(__always) func replace(_ old: PipelineMachine, by new: PipelineMachine) -> Bool {
    word.compareExchange(expected: old.bits, desired: new.bits, ordering: .sequentiallyConsistent).exchanged
  }

  /// Applies a transition of the thread that runs the pipeline. Other threads only set *waiting*, so writing the
  /// difference is sufficient.
  @inlinable @inline(__always) func apply(_ transition: (inout PipelineMachine) -> Void) {
    let old = machine
    var new = old
    transition(&new)
    word.bitwiseXor(old.bits ^ new.bits, ordering: .sequentiallyConsistent)
  }

  /// Moves to another phase. When `reducing` ends, this thread performs the reads of the waiting readers.
  @inlinable @inline(__always) func move(to phase: PipelineMachine.Phase) {
    let old = machine
    if old.isIn(phase) { return }
    apply { $0.move(to: phase) }
    if phase == .reducing {
      awaitReaders()
    } else if old.isIn(.reducing) && isReaderWaiting {
      performWaitingReads()
    }
  }

  /// Clears *waiting* before the queue is emptied.
  @inlinable func acknowledge() {
    apply { $0.acknowledge() }
  }

  /// Ends the phase `reducing`, if the pipeline is in it. The next phase also stands for the time between two actions.
  @inlinable @inline(__always) func endReducing() {
    if isReducing { move(to: .startingEffects) }
  }

  /// Leaves from any phase. Returns false if something waits. The caller then still runs the pipeline.
  @inlinable @inline(__always) func tryLeave(_ thread: UInt, to phase: PipelineMachine.Phase = .idle) -> Bool {
    guard leaveUnlessWaiting(to: phase) else { return false }
    // A read may have begun to wait just before. The next thread performs it, or this one if there is no next thread.
    if isReaderWaiting { return !performReadsLate(thread, phase) }
    return true
  }

  @inlinable @inline(__always) func leaveUnlessWaiting(to phase: PipelineMachine.Phase) -> Bool {
    let old = machine
    var left = old
    return left.leave(to: phase) == .stop && replace(old, by: left)
  }

  /// Performs the reads that began to wait before this thread left, unless another thread runs the pipeline now and
  /// performs them. Returns whether the calling thread runs the pipeline again.
  @usableFromInline func performReadsLate(_ thread: UInt, _ phase: PipelineMachine.Phase) -> Bool {
    if phase == .closed {
      // No thread runs the pipeline now, so the state does not change.
      performWaitingReads()
      return false
    }
    return enter(PipelineMachine(.startingEffects, thread: thread))
  }

  /// Hands the pipeline with its waiting items to the background task.
  @usableFromInline func handOver() {
    // This sets *waiting*, which another thread may set at the same time. So the difference must not be written.
    var machine = self.machine
    machine.handOver()
    word.store(machine.bits, ordering: .releasing)
  }

  /// Lets the thread of the background task run the pipeline.
  @usableFromInline func takeOver(_ thread: UInt) {
    apply { $0.takeOver(thread) }
  }

  @inlinable @inline(__always) func awaitReaders() {
    if readers.load(ordering: .sequentiallyConsistent) != 0 { awaitReadersSlowly() }
  }

  @usableFromInline func awaitReadersSlowly() {
    var round = 0
    while areReadersInside {
      round += 1
      if round < 64 { continue }
      readers.bitwiseOr(Self.runnerWaits, ordering: .sequentiallyConsistent)
      readersLock.withLock { lock in
        while areReadersInside { lock.wait() }
      }
      readers.bitwiseAnd(~Self.runnerWaits, ordering: .sequentiallyConsistent)
    }
    // Some readers may wait for a reducer of a thread that has left since. Their reads come first.
    if isReaderWaiting { performWaitingReads() }
  }

  private var areReadersInside: Bool {
    readers.load(ordering: .sequentiallyConsistent) & (Self.runnerWaits - 1) != 0
  }

  /// Performs the reads that wait for a reducer to return. The thread that runs the pipeline calls this function while
  /// no reducer runs. In a closed pipeline, the thread that has left it calls the function.
  @usableFromInline func performWaitingReads() {
    waitingReadsLock.withLock { lock in
      for request in waitingReads.requests {
        request.read()
        request.isDone = true
      }
      waitingReads.requests = []
      readers.bitwiseAnd(~Self.readsWait, ordering: .sequentiallyConsistent)
      lock.wakeAll()
    }
  }

  // MARK: Readers

  /// Adds a reader. Returns false and adds none if a reducer runs.
  @inlinable func beginReading() -> Bool {
    readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !PipelineMachine(bits: word.load(ordering: .sequentiallyConsistent)).isIn(.reducing) { return true }
    endReading()
    return false
  }

  /// Removes a reader.
  @inlinable func endReading() {
    let left = readers.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left & ~Self.readsWait == Self.runnerWaits { wakeRunner() }
  }

  @usableFromInline func wakeRunner() {
    readersLock.withLock { $0.wakeAll() }
  }

  /// Performs a read that found a running reducer. If the reducer has returned by now, this thread performs the read.
  /// Otherwise the thread that runs the pipeline performs it when the reducer has returned.
  ///
  /// The reader announces its read before it checks for the reducer again. The thread that runs the pipeline ends the
  /// reducing phase before it checks for reads. A sleeping reader is therefore always found.
  @usableFromInline func waitToRead(_ read: () -> Void) {
    // The closure does not escape, because this function returns after the request was removed.
    let isDone = withoutActuallyEscaping(read) { read in
      waitingReadsLock.withLock { lock in
        let request = WaitingReads.Request(read)
        waitingReads.requests.append(request)
        readers.bitwiseOr(Self.readsWait, ordering: .sequentiallyConsistent)
        if beginReading() {
          waitingReads.requests.removeAll { $0 === request }
          if waitingReads.requests.isEmpty { readers.bitwiseAnd(~Self.readsWait, ordering: .sequentiallyConsistent) }
          return false
        }
        waitingReads.whenAReaderWaits()
        while !request.isDone { lock.wait() }
        return true
      }
    }
    if isDone { return }
    read()
    endReading()
  }

  /// Whether a reader waits for a reducer to return.
  @inlinable var isReaderWaiting: Bool { readers.load(ordering: .sequentiallyConsistent) & Self.readsWait != 0 }
}

/// The reads that found a running reducer.
///
/// `@unchecked Sendable`: the variables are used only under the gate's `waitingReadsLock`.
final class WaitingReads: @unchecked Sendable {
  final class Request {
    let read: () -> Void
    var isDone = false
    init(_ read: @escaping () -> Void) { self.read = read }
  }

  var requests: [Request] = []
  /// Called when a reader begins to wait, for tests of the order.
  var whenAReaderWaits: () -> Void = {}
}

/// The store's state, and the rule for reading it.
///
/// Only reducers write the state. The thread that runs the pipeline reads it outside of reducers. Other threads read it
/// whenever no reducer runs (see ``PipelineGate``).
///
/// `@unchecked Sendable`: `state` is used by that thread, or between `beginReading` and `endReading`.
@usableFromInline final class StateCell<State: Sendable>: StateReader, @unchecked Sendable {
  @usableFromInline let gate = PipelineGate()
  @usableFromInline let stateStorage: Memory<State>
  @usableFromInline let changesStorage = Memory<UInt64>(0)
  @usableFromInline let childChangesStorage = Memory<UInt64>(0)
  /// The number of actions that changed the state. It is read and written by the same rule as the state.
  @inlinable @inline(__always) var changes: MemoryAddress<UInt64> { changesStorage.address }
  /// The number of actions that changed a child store's own state.
  @inlinable @inline(__always) var childChanges: MemoryAddress<UInt64> { childChangesStorage.address }
  @inlinable @inline(__always) var state: MemoryAddress<State> { stateStorage.address }
  /// A description of the action that is being reduced. The pipeline sets it for the diagnosis below.
  @usableFromInline var describeCurrentAction: @Sendable () -> String = { "an action" }
  @usableFromInline var isLasting: Bool { true }

  init(_ state: State) {
    stateStorage = Memory(state)
  }

  /// Calls `body` with the state. If `callsApp` is true, `body` calls code of the app, such as a getter or a
  /// comparison.
  ///
  /// On the thread that runs the pipeline, `body` receives the state in place. Other threads copy the state first if
  /// `callsApp` is true, and call `body` outside of the section that excludes reducers. `body` may then be slow, read
  /// the store or dispatch. This function is compiled once, not for each type of an app.
  @usableFromInline func visit(callsApp: Bool, _ body: (Lent<Void>) -> Void) {
    if gate.isRun(by: currentThreadID()) {
      readOnPipeline { body($0.part(at: 0)) }
    } else if callsApp {
      lend(readOnOtherThread { $0.value }) { body($0.part(at: 0)) }
    } else {
      readOnOtherThread { body($0.part(at: 0)) }
    }
  }

  /// Calls `body` with the state in place. `body` only copies and calls no code of the app. It may run on the thread
  /// that runs the pipeline.
  @inlinable func read<Result>(_ body: (Lent<State>) -> Result) -> Result {
    gate.isRun(by: currentThreadID()) ? readOnPipeline(body) : readOnOtherThread(body)
  }

  /// Reads on the thread that runs the pipeline.
  @inlinable @inline(__always) func readOnPipeline<Result>(_ body: (Lent<State>) -> Result) -> Result {
    if gate.isReducing { misused("read the store's state") }
    return body(state.lent)
  }

  /// Reads on any other thread.
  @inlinable func readOnOtherThread<Result>(_ body: (Lent<State>) -> Result) -> Result {
    guard gate.beginReading() else { return readLater(body) }
    defer { gate.endReading() }
    return body(state.lent)
  }

  @inlinable @inline(never) func readLater<Result>(_ body: (Lent<State>) -> Result) -> Result {
    var result: Result?
    gate.waitToRead { result = body(state.lent) }
    guard let result else { preconditionFailure("A read was not performed.") }
    return result
  }

  /// Stops the program with a message that names the action and its source.
  @usableFromInline func misused(_ operation: String) -> Never {
    fatalError(
      "A reducer \(operation) while it was reducing \(describeCurrentAction()). "
        + "A reducer may use only the state that it receives; "
        + "read other state or dispatch from a middleware or an observer.")
  }
}
