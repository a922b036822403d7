/// The pipeline as a value: its phase, the thread that runs it, and whether actions wait in the queue.
///
/// | phase | thread | the store |
/// |---|---|---|
/// | `idle` | none | processes nothing; the thread that dispatches next runs the pipeline |
/// | `intercepting` | T | asks interceptors on T |
/// | `handling` | T | asks middlewares on T, or performs other work of the queue |
/// | `reducing` | T | runs reducers on T; no other thread looks at the state |
/// | `notifying` | T | calls observers on T |
/// | `startingEffects` | T | begins effects on T, or is between two actions |
/// | `handedOver` | none | waits for a background task, which processes the rest of the queue |
/// | `closed` | none | is gone; it takes no action |
///
/// The machine has no lock, no pointer and no task. A transition changes the value and returns a command, which says what
/// the calling thread does next. ``PipelineGate`` applies a transition as one atomic step, so that a program of several
/// threads is a sequence of transitions; a test goes through all such sequences of small programs.
///
/// All of it fits into one word: a thread's identity has four low bits that are zero (``ThreadID``).
@usableFromInline
struct PipelineMachine: Hashable, Sendable {
  @usableFromInline
  enum Phase: UInt, Sendable, CaseIterable {
    case idle, intercepting, handling, reducing, notifying, startingEffects, handedOver, closed

    /// Whether a thread runs the pipeline.
    @inlinable
    var isRunning: Bool { self != .idle && self != .handedOver && self != .closed }

    /// The phase as a part of the word.
    @inlinable
    var bits: UInt { rawValue << 1 }
  }

  /// What the thread that made a transition does next.
  @usableFromInline
  enum Command: Sendable, Equatable {
    /// It runs the pipeline: it processes its action, then drains the queue.
    case run
    /// It puts its action into the queue, then announces it.
    case enqueue
    /// It runs the pipeline: it takes what waits in the queue.
    case drain
    /// It does nothing: another thread processes what waits.
    case stay
    /// It has left the pipeline.
    case stop
    /// It drops its action: the store is gone.
    case refuse
  }

  @usableFromInline static var waitingBit: UInt { 1 }
  @usableFromInline static var phaseMask: UInt { 14 }
  @usableFromInline static var threadMask: UInt { ~15 }

  @usableFromInline private(set) var bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  /// A pipeline in a phase.
  @inlinable
  init(_ phase: Phase = .idle, thread: UInt = 0, isWaiting: Bool = false) {
    bits = thread | phase.bits | (isWaiting ? Self.waitingBit : 0)
  }

  @inlinable
  var phase: Phase { Phase(rawValue: (bits & Self.phaseMask) >> 1) ?? .idle }

  /// Whether the phase is this one; costs less than reading the phase.
  @inlinable
  @inline(__always)
  func isIn(_ phase: Phase) -> Bool { bits & Self.phaseMask == phase.bits }

  /// The thread that runs the pipeline; 0 for none.
  @inlinable
  var thread: UInt { bits & Self.threadMask }

  /// Whether something was put into the queue since the running thread looked last.
  @inlinable
  var isWaiting: Bool { bits & Self.waitingBit != 0 }

  // MARK: Any thread

  /// A thread has an action, or work, for the pipeline.
  @inlinable
  mutating func enter(_ thread: UInt, at phase: Phase) -> Command {
    switch self.phase {
    case .idle:
      self = PipelineMachine(phase, thread: thread)
      return .run
    case .closed: return .refuse
    default: return .enqueue
    }
  }

  /// A thread has put something into the queue.
  @inlinable
  mutating func announce(_ thread: UInt) -> Command {
    switch phase {
    case .idle:
      self = PipelineMachine(.startingEffects, thread: thread, isWaiting: true)
      return .drain
    case .closed: return .refuse
    default:
      self = PipelineMachine(bits: bits | Self.waitingBit)
      return .stay
    }
  }

  // MARK: The thread that runs the pipeline

  /// It goes on to another stage.
  @inlinable
  mutating func move(to phase: Phase) {
    self = PipelineMachine(phase, thread: thread, isWaiting: isWaiting)
  }

  /// It is about to take what waits in the queue.
  @inlinable
  mutating func acknowledge() {
    self = PipelineMachine(bits: bits & ~Self.waitingBit)
  }

  /// It has nothing left to process.
  ///
  /// - Parameter rest: `closed` if the store is gone.
  @inlinable
  mutating func leave(to rest: Phase = .idle) -> Command {
    if isWaiting { return .drain }
    self = PipelineMachine(rest)
    return .stop
  }

  /// It has processed its share.
  @inlinable
  mutating func handOver() {
    self = PipelineMachine(.handedOver, isWaiting: true)
  }

  // MARK: The background task

  /// It begins.
  @inlinable
  mutating func takeOver(_ thread: UInt) -> Command {
    self = PipelineMachine(.startingEffects, thread: thread, isWaiting: true)
    return .drain
  }
}

extension PipelineMachine {
  /// What a thread does while it runs the pipeline: which action is next, and when it has processed its share.
  ///
  /// A dispatching thread processes everything that its own action leads to, and at most 128 actions of other threads;
  /// the background task processes 4,096 before it lets other tasks run.
  @usableFromInline
  struct Turn: Hashable, Sendable {
    /// The first action of those that the thread has taken from the queue.
    @usableFromInline
    enum Head: Hashable, Sendable {
      case none, own, other
    }

    @usableFromInline
    enum Command: Hashable, Sendable {
      /// It processes that action.
      case process
      /// It leaves the pipeline, or takes what waits.
      case leave
      /// It gives the rest to a background task.
      case handOver
    }

    @usableFromInline let share: Int
    @usableFromInline let isBackground: Bool
    @usableFromInline private(set) var processed = 0

    @inlinable
    init(isBackground: Bool) {
      self.init(share: isBackground ? 4096 : 128, isBackground: isBackground)
    }

    @inlinable
    init(share: Int, isBackground: Bool) {
      self.share = share
      self.isBackground = isBackground
    }

    @inlinable
    mutating func next(_ head: Head) -> Command {
      if head == .none { return .leave }
      if head == .own && !isBackground { return .process }
      if processed == share { return .handOver }
      processed += 1
      return .process
    }
  }
}
