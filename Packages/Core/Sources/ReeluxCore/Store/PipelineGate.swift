public import Synchronization

/// The word that says which thread runs the pipeline, and the rule for readers of the state.
///
/// Each function is one transition of ``PipelineMachine``, applied to the word in one atomic step.
///
/// **Readers.** A reader on another thread counts itself in `readers`, then looks whether a reducer runs. The thread that
/// begins to reduce writes the phase, then looks whether a reader is counted. Both write before they look, in one total
/// order, so at least one of them sees the other:
///
/// - The thread that runs the pipeline waits for the readers inside. They only copy, and the last one wakes it.
/// - A reader that finds a reducer running counts itself out, puts its read into `shutOutReaders`, and sleeps. The thread that
///   runs the pipeline performs the reads there when the reducers of the action have returned, and wakes the
///   readers. So a reader waits for the reducers of one action at most, and no reducer waits for a reader that sleeps.
@usableFromInline
struct PipelineGate: ~Copyable, Sendable {
  @usableFromInline let word = Atomic<UInt>(0)
  /// How many readers are inside, plus `runnerWaits` while the thread that runs the pipeline sleeps until they are out,
  /// plus `shutOut` while one waits in `shutOutReaders`.
  @usableFromInline let readers = Atomic<Int>(0)
  private let shutOutReaders = ShutOutReaders()
  private let readersAreOut = Bell()

  @usableFromInline static var runnerWaits: Int { 1 << 40 }
  @usableFromInline static var shutOut: Int { 1 << 41 }

  @usableFromInline init() {}

  /// The pipeline's state; only the thread that runs it can rely on more than one look.
  @inlinable
  var machine: PipelineMachine { PipelineMachine(bits: word.load(ordering: .relaxed)) }

  /// Whether `thread` runs the pipeline.
  @inlinable
  @inline(__always)
  func isOwned(by thread: UInt) -> Bool { machine.thread == thread }

  /// Whether reducers run; to be asked by the thread that runs the pipeline.
  @inlinable
  var isReducing: Bool { machine.isIn(.reducing) }

  /// Whether something waits in the queue; to be asked by the thread that runs the pipeline.
  @inlinable
  var isAnythingWaiting: Bool { PipelineMachine(bits: word.load(ordering: .acquiring)).isWaiting }

  // MARK: Any thread

  /// Makes an idle pipeline this one: a thread that runs it, in some phase. False if the pipeline is not idle.
  @inlinable
  @inline(__always)
  func enter(_ entered: PipelineMachine) -> Bool {
    let idle = PipelineMachine()
    // It reads the word first: a failed exchange would take the word from the cache of the processor that runs the
    // pipeline.
    guard word.load(ordering: .relaxed) == idle.bits,
      word.compareExchange(expected: idle.bits, desired: entered.bits, ordering: .sequentiallyConsistent).exchanged
    else { return false }
    if entered.isIn(.reducing) { awaitReaders() }
    return true
  }

  /// To be called after something was put into the queue. True if `thread` runs the pipeline from now on: it drains.
  ///
  /// Where *waiting* is set already, nothing is written: the thread that clears it takes from the queue afterwards, under
  /// the queue's lock, and so finds what was put there before.
  @inlinable
  func announce(_ thread: UInt) -> Bool {
    var old = word.load(ordering: .relaxed)
    while true {
      var machine = PipelineMachine(bits: old)
      if machine.isWaiting { return false }
      let command = machine.announce(thread)
      if command == .refuse { return false }
      let result = word.compareExchange(expected: old, desired: machine.bits, ordering: .acquiringAndReleasing)
      if result.exchanged { return command == .drain }
      old = result.original
    }
  }

  // MARK: The thread that runs the pipeline

  /// Goes on to another stage; the end of `reducing` performs the reads of those that were shut out.
  @inlinable
  @inline(__always)
  func move(to phase: PipelineMachine.Phase) {
    let old = machine.phase
    if old == phase { return }
    // Only the thread that runs the pipeline changes the phase: the difference of two phases is all that is written.
    word.bitwiseXor(old.bits ^ phase.bits, ordering: .sequentiallyConsistent)
    if phase == .reducing {
      awaitReaders()
    } else if old == .reducing && isReaderWaiting {
      admit()
    }
  }

  /// Clears *waiting*, before the queue is emptied.
  @inlinable
  func acknowledge() {
    word.bitwiseAnd(~PipelineMachine.waitingBit, ordering: .acquiringAndReleasing)
  }

  /// Goes on from `reducing`, if that is the stage.
  @inlinable
  @inline(__always)
  func endReducing() {
    if isReducing { move(to: .startingEffects) }
  }

  /// Leaves from any stage. False, and the caller still runs the pipeline, if something waits.
  @inlinable
  @inline(__always)
  func leave(_ thread: UInt, to rest: PipelineMachine.Phase = .idle) -> Bool {
    leave(thread, from: machine.phase, to: rest)
  }

  /// The same from a stage that the caller knows.
  @inlinable
  @inline(__always)
  func leave(_ thread: UInt, from phase: PipelineMachine.Phase, to rest: PipelineMachine.Phase = .idle) -> Bool {
    let expected = PipelineMachine(phase, thread: thread)
    let left = PipelineMachine(rest)
    guard
      word.compareExchange(expected: expected.bits, desired: left.bits, ordering: .sequentiallyConsistent).exchanged
    else { return false }
    // A reader that was shut out just before: the next thread lets it in, or this one if there is none.
    return !isReaderWaiting || !admitLate(thread, rest)
  }

  /// Returns whether the calling thread runs the pipeline again, since something was put into the queue meanwhile.
  @usableFromInline
  func admitLate(_ thread: UInt, _ rest: PipelineMachine.Phase) -> Bool {
    if rest == .closed {
      // No thread runs the pipeline any more, and the state stays as it is.
      admit()
      return false
    }
    while isReaderWaiting {
      guard enter(PipelineMachine(.startingEffects, thread: thread)) else { return false }
      admit()
      let expected = PipelineMachine(.startingEffects, thread: thread)
      if !word.compareExchange(expected: expected.bits, desired: 0, ordering: .sequentiallyConsistent).exchanged {
        return true
      }
    }
    return false
  }

  /// Gives the pipeline to the background task, with something waiting.
  @usableFromInline
  func handOver() {
    var machine = self.machine
    machine.handOver()
    word.store(machine.bits, ordering: .releasing)
  }

  /// The background task's thread runs the pipeline.
  @usableFromInline
  func takeOver(_ thread: UInt) {
    var machine = PipelineMachine(bits: word.load(ordering: .acquiring))
    _ = machine.takeOver(thread)
    word.store(machine.bits, ordering: .relaxed)
  }

  @inlinable
  @inline(__always)
  func awaitReaders() {
    if readers.load(ordering: .sequentiallyConsistent) != 0 { awaitReadersSlowly() }
  }

  @usableFromInline
  func awaitReadersSlowly() {
    var round = 0
    while areReadersInside {
      round += 1
      if round < 64 { continue }
      readers.bitwiseOr(Self.runnerWaits, ordering: .sequentiallyConsistent)
      readersAreOut.withLock { bell in
        while areReadersInside { bell.wait() }
      }
      readers.wrappingSubtract(Self.runnerWaits, ordering: .sequentiallyConsistent)
    }
    // Readers that wait for the reducer of a thread that has left since: their reads
    // come first.
    if isReaderWaiting { admit() }
  }

  private var areReadersInside: Bool {
    readers.load(ordering: .sequentiallyConsistent) & (Self.runnerWaits - 1) != 0
  }

  /// Performs the reads that found a reducer running. The thread that runs the pipeline calls it while no reducer
  /// runs.
  @usableFromInline
  func admit() {
    shutOutReaders.admit { noteShutOut($0) }
  }

  private func noteShutOut(_ isAny: Bool) {
    if isAny {
      readers.bitwiseOr(Self.shutOut, ordering: .sequentiallyConsistent)
    } else {
      readers.bitwiseAnd(~Self.shutOut, ordering: .sequentiallyConsistent)
    }
  }

  // MARK: Readers

  /// Counts a reader in. False, and it is not counted, if a reducer runs.
  @inlinable
  func beginReading() -> Bool {
    readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !PipelineMachine(bits: word.load(ordering: .sequentiallyConsistent)).isIn(.reducing) { return true }
    endReading()
    return false
  }

  /// Counts a reader out.
  @inlinable
  func endReading() {
    let left = readers.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue
    if left & ~Self.shutOut == Self.runnerWaits { wakeRunner() }
  }

  @usableFromInline
  func wakeRunner() {
    readersAreOut.withLock { $0.ring() }
  }

  /// Performs a read that found a reducer running: here, or on the thread that runs the reducer when that has returned.
  @usableFromInline
  func readLater(_ read: () -> Void) {
    shutOutReaders.wait(
      for: read, note: { noteShutOut($0) }, isOpen: { beginReading() }, leave: { endReading() })
  }

  /// Whether a reader waits for a reducer to return.
  @inlinable
  var isReaderWaiting: Bool { readers.load(ordering: .sequentiallyConsistent) & Self.shutOut != 0 }
}
