public import Synchronization

/// Who may run the pipeline, and who may look at the state: one word.
///
/// The word holds the owner (a thread, or the background) and two flags:
///
/// | owner | waiting | reducing | the store is |
/// |---|---|---|---|
/// | none | no | no | idle: whoever dispatches becomes the owner |
/// | none | yes | no | left with actions in the inbox: the thread that put them there is about to claim it |
/// | T | no | no | running interceptors, middlewares, observers or effects on T |
/// | T | no | yes | running reducers on T: nobody else may look at the state |
/// | T | yes | any | the same, and the inbox is not empty |
/// | background | yes | no | handed over: only the background task may go on |
///
/// Transitions: `enter` idle → T, `claim` left → T, `leave` T → idle (refused
/// while something waits), `announce` sets *waiting*, `acknowledge` clears it,
/// `beginReducing`/`endReducing`, `handOver` T → background, `takeOver`
/// background → T.
///
/// A reader on another thread counts itself in `readers`, then looks whether a
/// reducer is running; the reducing side sets its flag, then looks whether a
/// reader is counted. Both sides write before they look, in one total order, so
/// at least one of them sees the other and steps back. A reader that stepped
/// back is counted as *shut out* until it is in, and the next reducer lets it go
/// first: it waits for one reducer at most.
@usableFromInline
struct PipelineGate: ~Copyable, Sendable {
  @usableFromInline static var waiting: UInt { 1 }
  @usableFromInline static var reducing: UInt { 2 }
  @usableFromInline static var ownerMask: UInt { ~15 }

  @usableFromInline let word = Atomic<UInt>(0)
  /// How many readers are inside, and in multiples of `shutOut` how many wait.
  @usableFromInline let readers = Atomic<Int>(0)
  @usableFromInline static var shutOut: Int { 1 << 16 }

  @usableFromInline init() {}

  /// Whether `thread` runs the pipeline.
  @inlinable
  @inline(__always)
  func isOwned(by thread: UInt) -> Bool {
    word.load(ordering: .relaxed) & Self.ownerMask == thread
  }

  /// Whether the owner is inside its reducers; to be asked by the owner.
  @inlinable
  var isReducing: Bool { word.load(ordering: .relaxed) & Self.reducing != 0 }

  /// Whether the inbox is not empty; to be asked by the owner.
  @inlinable
  var isAnythingWaiting: Bool { word.load(ordering: .acquiring) & Self.waiting != 0 }

  /// Idle → `thread`, in the reducing phase at once if `reducing`. False if the store is not idle.
  @inlinable
  @inline(__always)
  func enter(_ thread: UInt, reducing: Bool) -> Bool {
    let desired = reducing ? thread | Self.reducing : thread
    guard word.compareExchange(expected: 0, desired: desired, ordering: .sequentiallyConsistent).exchanged
    else { return false }
    if reducing { waitForReaders() }
    return true
  }

  /// `thread` → idle, from any phase. False, and nothing changes, if something waits.
  @inlinable
  @inline(__always)
  func leave(_ thread: UInt, reducing: Bool) -> Bool {
    let expected = reducing ? thread | Self.reducing : thread
    return word.compareExchange(expected: expected, desired: 0, ordering: .acquiringAndReleasing).exchanged
  }

  /// Sets *waiting* after something was put into the inbox. True if nobody runs: then the caller claims.
  ///
  /// Where it is set already, whoever clears it looks into the inbox afterwards, and so finds what was put there before:
  /// nothing is written then, and the word stays with the owner's processor.
  @inlinable
  func announce() -> Bool {
    if word.load(ordering: .relaxed) & Self.waiting != 0 { return false }
    return word.bitwiseOr(Self.waiting, ordering: .acquiringAndReleasing).oldValue & Self.ownerMask == 0
  }

  /// Left → `thread`. False if another thread was first.
  @inlinable
  func claim(_ thread: UInt) -> Bool {
    word.compareExchange(expected: Self.waiting, desired: thread | Self.waiting, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Clears *waiting*, before the owner empties the inbox.
  @inlinable
  func acknowledge() {
    word.bitwiseAnd(~Self.waiting, ordering: .acquiringAndReleasing)
  }

  /// The owner shuts readers out.
  @inlinable
  @inline(__always)
  func beginReducing() {
    word.bitwiseOr(Self.reducing, ordering: .sequentiallyConsistent)
    waitForReaders()
  }

  /// The owner lets readers in again.
  @inlinable
  @inline(__always)
  func endReducing() {
    word.bitwiseAnd(~Self.reducing, ordering: .releasing)
  }

  /// The owner gives the pipeline to the background, with something waiting.
  @inlinable
  func handOver() {
    word.store(ThreadID.handedOver | Self.waiting, ordering: .releasing)
  }

  /// The background's thread becomes the owner.
  @inlinable
  func takeOver(_ thread: UInt) {
    _ = word.load(ordering: .acquiring)
    word.store(thread | Self.waiting, ordering: .relaxed)
  }

  @inlinable
  @inline(__always)
  func waitForReaders() {
    if readers.load(ordering: .sequentiallyConsistent) != 0 { waitForReadersSlowly() }
  }

  @usableFromInline
  func waitForReadersSlowly() {
    var round = 0
    if readers.load(ordering: .sequentiallyConsistent) >= Self.shutOut {
      // They came during an earlier reducer: they go first, once. Whoever comes now waits for this one.
      word.bitwiseAnd(~Self.reducing, ordering: .sequentiallyConsistent)
      while readers.load(ordering: .sequentiallyConsistent) >= Self.shutOut { ThreadID.relax(&round) }
      word.bitwiseOr(Self.reducing, ordering: .sequentiallyConsistent)
      round = 0
    }
    while readers.load(ordering: .sequentiallyConsistent) % Self.shutOut != 0 { ThreadID.relax(&round) }
  }

  /// Counts a reader in; returns while no reducer runs, and none begins before `endReading`.
  @inlinable
  func beginReading() {
    readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if word.load(ordering: .sequentiallyConsistent) & Self.reducing != 0 { beginReadingLater() }
  }

  /// The same for a reader that came during a reducer.
  @usableFromInline
  func beginReadingLater() {
    readers.wrappingAdd(Self.shutOut - 1, ordering: .sequentiallyConsistent)
    var round = 0
    while true {
      ThreadID.relax(&round)
      if word.load(ordering: .sequentiallyConsistent) & Self.reducing != 0 { continue }
      readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
      if word.load(ordering: .sequentiallyConsistent) & Self.reducing == 0 { break }
      readers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
    readers.wrappingSubtract(Self.shutOut, ordering: .sequentiallyConsistent)
  }

  /// Whether a reader waits for a reducer to end.
  var isReaderWaiting: Bool { readers.load(ordering: .sequentiallyConsistent) >= Self.shutOut }

  /// Counts a reader out.
  @inlinable
  func endReading() {
    readers.wrappingSubtract(1, ordering: .releasing)
  }
}
