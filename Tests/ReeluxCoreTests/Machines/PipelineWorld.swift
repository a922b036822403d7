@testable import ReeluxCore

/// A store with a few threads, as a value. ``PipelineExplorationTests`` explores it step by step.
///
/// Each step of a thread is one atomic step of the store: a transition of ``PipelineMachine``, a critical section of
/// the queue's lock, or a read of a word. Between two steps, any other thread may make its own.
struct PipelineWorld: Hashable {
  /// An operation of a program.
  enum Operation: Hashable, Sendable {
    /// An action. `follow` leads to a follow-up action, and `effect` to an effect that sends an action.
    case dispatch(Int), follow(Int), effect(Int)
    /// Waits for everything that follows from this thread's last action.
    case finish
    case read, subscribe, cancel, install, remove, release
  }

  /// A deliberate defect.
  enum Defect: String, CaseIterable, Sendable {
    case announceForgetsTheFlag, announceDoesNotClaim, leaveIgnoresTheFlag, enterIgnoresTheRunningThread
    case takeComesBeforeAcknowledge, handOverLeavesTheStoreIdle, handOverMakesNoTask, reducerDoesNotAwaitReaders
    case readerLooksBeforeItCounts, reducerPerformsNoReads, leavingPerformsNoReads, startIsNotLookedAtAgain
    case effectEndsBeforeItsAnswerCounts, cancelOnlyQueues, joinMissesAChange, followUpNests
    case closingPerformsNoReads
  }

  enum Work: Hashable {
    case join(Int, seen: Int), sweep, install, remove, close, barrier(Int)
  }

  enum Item: Hashable {
    case action(Int, group: Int, isOwn: Bool, counts: Bool)
    case work(Work)

    var isOwn: Bool { if case .action(_, _, let isOwn, _) = self { isOwn } else { false } }
  }

  enum Step: Hashable {
    case operation(Operation)
    case enter(Item, looked: Bool), append(Item), announce, retain(Int)
    case process(Item, isFast: Bool), reduce(Int), awaitReaders, performReadsEarly, beginWrite, endWrite(Int),
      stopReducing, notify
    case effects(Int, group: Int, isOwn: Bool), release(Item)
    case leaveQuietly, moveOn, drain, leave, performReadsLate, acknowledge, take, takeOver
    case countIn(isSecond: Bool), look(isSecond: Bool), copy, countOut, register, sleep, seen(Int)
    case deliver(Int, group: Int), endRun(Int), awaitBarrier, awaitGroup(Int)

    /// Whether the step uses only data of the running thread.
    var isPrivate: Bool {
      switch self {
      case .process, .release, .drain, .deliver, .seen: true
      default: false
      }
    }
  }

  struct Thread: Hashable {
    let id: Int
    /// The steps of the thread. The next one is last.
    var steps: [Step]
    var turn = PipelineMachine.Turn(share: 1, isBackground: false)
    var lastRead = 0
    /// Its last action, and whether the action was added to the queue.
    var handle: (action: Int, isQueued: Bool)?
    var passedBarrier = false
    /// The number of the state when the thread fell asleep as a reader.
    var asleepSince = 0

    var word: UInt { UInt(id + 2) << 4 }

    static func == (lhs: Thread, rhs: Thread) -> Bool {
      lhs.id == rhs.id && lhs.steps == rhs.steps && lhs.turn == rhs.turn && lhs.lastRead == rhs.lastRead
        && lhs.handle?.action == rhs.handle?.action && lhs.handle?.isQueued == rhs.handle?.isQueued
        && lhs.passedBarrier == rhs.passedBarrier && lhs.asleepSince == rhs.asleepSince
    }
    func hash(into hasher: inout Hasher) {
      hasher.combine(steps)
    }
  }

  struct Observer: Hashable {
    var isAlive = true
    var isMember = false
    var isCancelled = false
    /// The numbers of the states that it read.
    var seen: [Int] = []
  }

  /// A violation of a store's guarantee.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  var machine = PipelineMachine()
  var queue: [Item] = []
  var isQueueClosed = false
  var taken: [Item] = []
  var threads: [Thread]
  /// The reduced actions in order. The number of entries is the number of the state.
  var log: [Int] = []
  var isTorn = false
  /// The thread that is inside an action.
  var inside: Int?
  var readers = 0
  var waitingReaders: [Int] = []
  /// The thread that holds the lock of the waiting readers.
  var bell: Int?
  var observers: [Observer] = []
  var isInstalled = false
  var startsReducing = true
  /// The number of effects and waiting actions of each dispatched action.
  var groups: [Int: Int] = [:]
  var isClosed = false
  var isEmptied = false
  /// The actions that were dispatched to the open store, by thread.
  var dispatched: [[Int]]
  var defect: Defect?

  init(_ programs: [[Operation]], defect: Defect? = nil) {
    threads = programs.enumerated().map { id, program in
      Thread(id: id, steps: program.reversed().map { .operation($0) })
    }
    dispatched = programs.map { _ in [] }
    self.defect = defect
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(machine)
    hasher.combine(log)
    hasher.combine(queue.count &* 8 &+ taken.count)
    for thread in threads { hasher.combine(thread) }
  }

  // MARK: Steps

  var enabled: [Int] { threads.indices.filter { canStep($0) } }

  func canStep(_ index: Int) -> Bool {
    let thread = threads[index]
    switch thread.steps.last {
    case nil: return false
    case .awaitReaders: return readers == 0 || defect == .reducerDoesNotAwaitReaders
    case .register, .performReadsEarly, .stopReducing, .performReadsLate: return bell == nil
    case .sleep: return !waitingReaders.contains(index)
    case .awaitBarrier: return thread.passedBarrier
    case .awaitGroup(let group): return groups[group, default: 0] == 0 || isClosed
    default: return true
    }
  }

  /// Makes a thread's next step, and the following steps that no other thread can observe.
  mutating func step(_ index: Int) throws {
    try takeStep(index)
    while let step = threads[index].steps.last, step.isPrivate { try takeStep(index) }
  }

  mutating func takeStep(_ index: Int) throws {
    guard let step = threads[index].steps.popLast() else { return }
    switch step {
    case .operation(let operation): begin(operation, index)
    case .enter(let item, let looked): enter(item, looked, index)
    case .retain(let group): groups[group, default: 0] += 1
    case .append(let item): append(item, index)
    case .announce: announce(index)
    case .process(let item, let isFast): try process(item, isFast, index)
    case .reduce(let action):
      push([.awaitReaders, .performReadsEarly, .beginWrite, .endWrite(action)], index) { $0.move(to: .reducing) }
    case .awaitReaders: break
    case .performReadsEarly: if defect != .reducerPerformsNoReads { try performWaitingReads() }
    case .beginWrite:
      if readers(areCopying: true) { throw Violation(description: "a reducer began while a reader was inside") }
      isTorn = true
    case .endWrite(let action):
      isTorn = false
      if log.contains(action) { throw Violation(description: "action \(action) was reduced twice") }
      log.append(action)
      for reader in waitingReaders
      where threads[reader].steps.last == .sleep && threads[reader].asleepSince + 1 < log.count {
        throw Violation(description: "a reader waits for a second reducer")
      }
    case .stopReducing:
      machine.move(to: .notifying)
      if defect != .reducerPerformsNoReads { try performWaitingReads() }
    case .notify:
      for place in observers.indices where observers[place].isMember && observers[place].isAlive {
        try call(place)
      }
    case .effects(let action, let group, let isOwn): effects(of: action, group, isOwn, index)
    case .release(let item):
      inside = nil
      if case .action(_, let group, _, true) = item { groups[group, default: 0] -= 1 }
    case .leaveQuietly: leaveQuietly(index)
    case .moveOn: machine.move(to: .startingEffects)
    case .drain: drain(index)
    case .leave: try leave(index)
    case .performReadsLate: try performReadsLate(index)
    case .acknowledge: machine.acknowledge()
    case .take:
      taken += queue
      queue = []
    case .takeOver:
      threads[index].turn = PipelineMachine.Turn(share: 4096, isBackground: true)
      machine.takeOver(threads[index].word)
      push([.acknowledge, .take, .drain], index)
    case .countIn(let isSecond):
      readers += 1
      if defect != .readerLooksBeforeItCounts || isSecond { push([.look(isSecond: isSecond)], index) }
    case .look(let isSecond): look(isSecond, index)
    case .copy: try copy(index)
    case .countOut: readers -= 1
    case .register:
      bell = index
      waitingReaders.append(index)
      push([.countIn(isSecond: true)], index)
    case .sleep: break
    case .seen(let place):
      observers[place].seen.append(threads[index].lastRead)
      push([.append(.work(.join(place, seen: threads[index].lastRead))), .announce], index)
    case .deliver(let action, let group):
      push([.enter(.action(action, group: group, isOwn: true, counts: false), looked: false), .endRun(group)], index)
    case .endRun(let group): groups[group, default: 0] -= 1
    case .awaitBarrier: if let handle = threads[index].handle { push([.awaitGroup(handle.action)], index) }
    case .awaitGroup(let group):
      let family = [group, group + 100, group + 200]
      if !isClosed, let missing = family.first(where: { isExpected($0) && !log.contains($0) }) {
        throw Violation(description: "finish() returned before action \(missing) was reduced")
      }
    }
  }

  mutating func push(_ steps: [Step], _ index: Int, _ change: (inout PipelineMachine) -> Void = { _ in }) {
    change(&machine)
    threads[index].steps += steps.reversed()
  }

  mutating func begin(_ operation: Operation, _ index: Int) {
    switch operation {
    case .dispatch(let action), .follow(let action), .effect(let action):
      if isClosed { return }
      dispatched[index].append(action)
      kinds[action] = operation
      threads[index].handle = (action, false)
      push([.enter(.action(action, group: action, isOwn: true, counts: false), looked: startsReducing)], index)
    case .finish:
      guard let handle = threads[index].handle else { return }
      if handle.isQueued {
        threads[index].passedBarrier = false
        push([.enter(.work(.barrier(index)), looked: false), .awaitBarrier], index)
      } else {
        push([.awaitGroup(handle.action)], index)
      }
    case .read: read(index)
    case .subscribe:
      observers.append(Observer())
      push([.enter(.work(.join(observers.count - 1, seen: -1)), looked: false)], index)
    case .cancel:
      guard let place = observers.firstIndex(where: { !$0.isCancelled }) else { return }
      observers[place].isCancelled = true
      if defect != .cancelOnlyQueues { observers[place].isAlive = false }
      push([.enter(.work(.sweep), looked: false)], index)
    case .install: push([.enter(.work(.install), looked: false)], index)
    case .remove: push([.enter(.work(.remove), looked: false)], index)
    case .release:
      isClosed = true
      push([.enter(.work(.close), looked: false)], index)
    }
  }

  /// The operation of each dispatched action.
  var kinds: [Int: Operation] = [:]

  func isExpected(_ action: Int) -> Bool {
    switch kinds[action % 100] {
    case .dispatch: action < 100
    case .follow: action < 200
    case .effect: action < 100 || action >= 200
    default: false
    }
  }

  mutating func read(_ index: Int) {
    push(
      defect == .readerLooksBeforeItCounts ? [.look(isSecond: false)] : [.countIn(isSecond: false)], index)
  }

  func readers(areCopying: Bool) -> Bool {
    threads.contains { $0.steps.last == .copy }
  }

  // MARK: Entering

  mutating func enter(_ item: Item, _ looked: Bool, _ index: Int) {
    if defect == .enterIgnoresTheRunningThread, machine.phase == .notifying {
      return push([.process(item, isFast: false), .moveOn, .drain], index)
    }
    var phase = PipelineMachine.Phase.handling
    if case .action = item, looked { phase = .reducing }
    switch machine.enter(PipelineMachine(phase, thread: threads[index].word)) {
    case .run:
      threads[index].turn = PipelineMachine.Turn(share: 1, isBackground: false)
      var isFast = false
      if phase == .reducing {
        isFast = startsReducing || defect == .startIsNotLookedAtAgain
        if !isFast { machine.move(to: .handling) }
      }
      push([.process(item, isFast: isFast)] + (isFast ? [.leaveQuietly] : [.moveOn, .drain]), index)
    case .refuse: if case .work(.barrier(let waiting)) = item { threads[waiting].passedBarrier = true }
    default: enqueue(item, index)
    }
  }

  mutating func enqueue(_ item: Item, _ index: Int) {
    switch item {
    case .action(let action, let group, _, _):
      // The action of an effect counts for its group before the effect ends.
      if action >= 200 {
        let queued: [Step] = [
          .retain(group), .append(.action(action, group: group, isOwn: false, counts: true)), .announce,
        ]
        if defect == .effectEndsBeforeItsAnswerCounts {
          _ = threads[index].steps.popLast()
          return push([.endRun(group)] + queued, index)
        }
        return push(queued, index)
      }
      threads[index].handle?.isQueued = true
      push([.append(.action(action, group: group, isOwn: false, counts: false)), .announce], index)
    case .work(.join(let place, seen: -1)):
      threads[index].steps.append(.seen(place))
      read(index)
    case .work: push([.append(item), .announce], index)
    }
  }

  mutating func append(_ item: Item, _ index: Int) {
    if !isQueueClosed {
      queue.append(item)
      return
    }
    _ = threads[index].steps.popLast()  // Nothing is announced.
    discard(item)
  }

  mutating func discard(_ item: Item) {
    switch item {
    case .action(_, let group, _, true): groups[group, default: 0] -= 1
    case .work(.barrier(let waiting)): threads[waiting].passedBarrier = true
    default: break
    }
  }

  mutating func announce(_ index: Int) {
    if machine.phase.isRunning && defect == .announceForgetsTheFlag { return }
    if machine.phase == .idle && defect == .announceDoesNotClaim { return }
    if machine.announce(threads[index].word) == .drain {
      threads[index].turn = PipelineMachine.Turn(share: 1, isBackground: false)
      push([.acknowledge, .take, .drain], index)
    }
  }
}

extension PipelineMachine.Phase {
  /// Whether a thread runs the pipeline.
  var isRunning: Bool { self != .idle && self != .handedOver && self != .closed }
}
