/// The pipeline as a value: its phase, the thread that runs it, and whether actions wait in the queue.
///
/// | phase | thread | the store |
/// |---|---|---|
/// | `idle` | none | processes nothing; the next thread that dispatches runs the pipeline |
/// | `intercepting` | T | calls interceptors on T |
/// | `handling` | T | calls middlewares on T, or performs other work that did not have to wait |
/// | `reducing` | T | runs reducers on T; no other thread reads the state |
/// | `notifying` | T | calls observers on T, ends removed parts and changes feeds, or is between two actions |
/// | `startingEffects` | T | starts effects on T, or is between two actions |
/// | `handedOver` | none | waits for a background task, which processes the rest of the queue |
/// | `closed` | none | has been released; it accepts no action |
///
/// Between two actions, the phase is the one in which the first action ended, or `startingEffects` after `reducing`.
/// The interceptors and middlewares of a child store run in the phase that they find.
///
/// The machine has no lock, no pointer and no task. A transition changes the value. If the next step of the calling
/// thread depends on the value, the transition returns a command. ``PipelineGate`` applies a transition as one atomic
/// step. A program with several threads is therefore a sequence of transitions, and a test explores all such sequences
/// of small programs.
///
/// The machine fits into one word, because the low four bits of a thread's identity are zero (``currentThreadID()``).
@usableFromInline struct PipelineMachine: Hashable, Sendable {
  @usableFromInline enum Phase: UInt, Sendable, CaseIterable {
    case idle, intercepting, handling, reducing, notifying, startingEffects, handedOver, closed

    /// The phase as a part of the word.
    @inlinable var bits: UInt { rawValue << 1 }
  }

  /// The command for the thread that made a transition.
  @usableFromInline enum Command: Sendable, Equatable {
    /// Run the pipeline: process the action, and then drain the queue.
    case run
    /// Add the action to the queue, and then announce it.
    case enqueue
    /// Run the pipeline: take the items of the queue.
    case drain
    /// Do nothing. The thread that runs the pipeline, or the background task, processes the queue.
    case stay
    /// Stop. The thread has left the pipeline.
    case stop
    /// Drop the action, because the store has been released.
    case refuse
  }

  @usableFromInline static var waitingBit: UInt { 1 }
  @usableFromInline static var phaseMask: UInt { 14 }
  @usableFromInline static var threadMask: UInt { ~15 }

  @usableFromInline private(set) var bits: UInt

  @inlinable init(bits: UInt) {
    self.bits = bits
  }

  /// Creates a pipeline in a phase.
  @inlinable init(_ phase: Phase = .idle, thread: UInt = 0, isWaiting: Bool = false) {
    bits = thread | phase.bits | (isWaiting ? Self.waitingBit : 0)
  }

  @inlinable var phase: Phase { Phase(rawValue: (bits & Self.phaseMask) >> 1) ?? .idle }

  /// Whether the phase is this one. This costs less than reading the phase.
  @inlinable @inline(__always) func isIn(_ phase: Phase) -> Bool { bits & Self.phaseMask == phase.bits }

  /// The thread that runs the pipeline; 0 if there is none.
  @inlinable var thread: UInt { bits & Self.threadMask }

  /// Whether something was added to the queue since the running thread last checked.
  @inlinable var isWaiting: Bool { bits & Self.waitingBit != 0 }

  // MARK: Any thread

  /// A thread has an action or other work for the pipeline.
  ///
  /// - Parameter entered: The pipeline in which this thread runs the first stage.
  @inlinable mutating func enter(_ entered: PipelineMachine) -> Command {
    guard self == PipelineMachine() else { return isIn(.closed) ? .refuse : .enqueue }
    self = entered
    return .run
  }

  /// A thread has added something to the queue.
  @inlinable mutating func announce(_ thread: UInt) -> Command {
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

  /// The thread moves to another stage.
  @inlinable mutating func move(to phase: Phase) {
    self = PipelineMachine(phase, thread: thread, isWaiting: isWaiting)
  }

  /// The thread is about to take the items of the queue.
  @inlinable mutating func acknowledge() {
    self = PipelineMachine(bits: bits & ~Self.waitingBit)
  }

  /// The thread has nothing left to process.
  ///
  /// - Parameter phase: `closed` if the store has been released.
  @inlinable mutating func leave(to phase: Phase = .idle) -> Command {
    if isWaiting { return .drain }
    self = PipelineMachine(phase)
    return .stop
  }

  /// The thread has processed its share: 128 actions of other threads, or 4,096 in the background.
  @inlinable mutating func handOver() {
    self = PipelineMachine(.handedOver, isWaiting: true)
  }

  // MARK: The background task

  /// The background task starts. It takes the items of the queue.
  @inlinable mutating func takeOver(_ thread: UInt) {
    self = PipelineMachine(.startingEffects, thread: thread, isWaiting: true)
  }

  /// The decisions in the loop of a thread that runs the pipeline: process the next action, leave, or hand over.
  ///
  /// A dispatching thread stops before the 129th action of another thread. A background task then processes the rest,
  /// also the follow-up actions of the thread's own action that are behind it. The background task processes 4,096
  /// actions before it lets other tasks run.
  @usableFromInline struct Turn: Hashable, Sendable {
    /// The first of the actions that the thread has taken from the queue.
    @usableFromInline enum Head: Hashable, Sendable {
      case none, own, other
    }

    @usableFromInline enum Command: Hashable, Sendable {
      /// Process that action.
      case process
      /// Leave the pipeline, or take the waiting items.
      case leave
      /// Hand the rest to a background task.
      case handOver
    }

    @usableFromInline let share: Int
    @usableFromInline let isBackground: Bool
    @usableFromInline private(set) var processed = 0

    @inlinable init(share: Int? = nil, isBackground: Bool) {
      self.share = share ?? (isBackground ? 4096 : 128)
      self.isBackground = isBackground
    }

    @inlinable mutating func next(_ head: Head) -> Command {
      if head == .none { return .leave }
      if head == .own && !isBackground { return .process }
      if processed == share { return .handOver }
      processed += 1
      return .process
    }
  }
}
