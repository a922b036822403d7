import ReeluxTestSupport
import Synchronization
import Testing

@testable import ReeluxCore

/// The gate: each of its functions applies the machine's transition in one atomic step.
@Suite(.timeLimit(.minutes(15))) struct PipelineGateTests {
  typealias Phase = PipelineMachine.Phase
  static let thread: UInt = 0x1000
  static let other: UInt = 0x2000
  static let running = Phase.allCases.filter(\.isRunning)

  @Test func theWordHoldsPhaseThreadAndFlag() {
    for phase in Phase.allCases {
      for thread in [0, Self.thread, UInt.max & PipelineMachine.threadMask] {
        for isWaiting in [false, true] {
          let machine = PipelineMachine(phase, thread: thread, isWaiting: isWaiting)
          #expect(machine.phase == phase)
          #expect(machine.thread == thread)
          #expect(machine.isWaiting == isWaiting)
        }
      }
    }
  }

  @Test(arguments: Phase.allCases, [false, true])
  func enteringAndAnnouncingAreTheMachinesTransitions(phase: Phase, isWaiting: Bool) {
    let machine = PipelineMachine(phase, thread: phase.isRunning ? Self.thread : 0, isWaiting: isWaiting)
    if phase == .idle && isWaiting { return }
    let gate = GateBox(machine)
    var entered = machine
    #expect(
      gate.enter(Self.other, at: .handling) == (entered.enter(PipelineMachine(.handling, thread: Self.other)) == .run))
    #expect(gate.machine == entered)
    let second = GateBox(machine)
    var announced = machine
    #expect(second.announce(Self.other) == (announced.announce(Self.other) == .drain))
    #expect(second.machine == announced)
  }

  @Test(arguments: running, [false, true])
  func theRunningThreadsTransitionsAreTheMachines(phase: Phase, isWaiting: Bool) {
    let machine = PipelineMachine(phase, thread: Self.thread, isWaiting: isWaiting)
    for next in Self.running {
      let gate = GateBox(machine)
      var moved = machine
      gate.gate.move(to: next)
      moved.move(to: next)
      #expect(gate.machine == moved)
    }
    for rest in [Phase.idle, .closed] {
      let gate = GateBox(machine)
      var left = machine
      #expect(gate.leave(Self.thread, to: rest) == (left.leave(to: rest) == .stop))
      #expect(gate.machine == left)
    }
    let gate = GateBox(machine)
    var changed = machine
    gate.gate.acknowledge()
    changed.acknowledge()
    #expect(gate.machine == changed)
    gate.gate.handOver()
    changed.handOver()
    #expect(gate.machine == changed)
    #expect(changed == PipelineMachine(.handedOver, isWaiting: true))
    #expect(!gate.enter(Self.thread, at: .handling))
    gate.gate.takeOver(Self.other)
    changed.takeOver(Self.other)
    #expect(gate.machine == changed)
  }

  @Test func aThreadProcessesItsOwnActionsAndItsShareOfOthers() {
    var turn = PipelineMachine.Turn(isBackground: false)
    for _ in 0..<128 {
      #expect(turn.next(.own) == .process)
      #expect(turn.next(.other) == .process)
    }
    #expect(turn.next(.own) == .process)
    #expect(turn.next(.none) == .leave)
    #expect(turn.next(.other) == .handOver)
    var background = PipelineMachine.Turn(isBackground: true)
    for _ in 0..<4096 { #expect(background.next(.own) == .process) }
    #expect(background.next(.own) == .handOver)
  }

  @Test func aWaitingReadIsPerformedByTheThreadThatReduces() async {
    let box = GateBox(PipelineMachine())
    #expect(box.enter(Self.thread, at: .reducing))
    let values = await onThread {
      let read = Journal<Bool>()
      let isWaiting = Semaphore()
      let readers = (0..<3).map { _ in
        WorkThread {
          if box.gate.beginReading() { Issue.record("A reader came in.") }
          isWaiting.signal()
          box.gate.waitToRead { read.write(box.machine.phase == .reducing) }
        }
      }
      for _ in 0..<3 { isWaiting.wait() }
      // Only the thread that runs the pipeline performs the reads.
      if box.announce(Self.other) || box.gate.performReadsLate(Self.other, .idle) {
        Issue.record("Two threads run the pipeline.")
      }
      let before = read.entries
      box.gate.move(to: .notifying)
      for reader in readers { reader.join() }
      return (before, read.entries)
    }
    #expect(values.0 == [])
    #expect(values.1 == [false, false, false])
    #expect(!box.isReaderWaiting)
    box.gate.acknowledge()
    #expect(box.leave(Self.thread, to: .idle))
  }

  @Test(arguments: [false, true]) func aReadThatFindsNoReducerKeepsOnlyOtherReadsWaiting(otherWaits: Bool) {
    let box = GateBox(PipelineMachine(.notifying, thread: Self.thread))
    let read = Journal<String>()
    if otherWaits {
      box.gate.waitingReadsLock.withLock { _ in
        box.gate.waitingReads.requests.append(WaitingReads.Request { read.write("other") })
        box.gate.readers.bitwiseOr(PipelineGate.readsWait, ordering: .sequentiallyConsistent)
      }
    }
    box.gate.waitToRead { read.write("own") }
    #expect(read.entries == ["own"])
    #expect(box.isReaderWaiting == otherWaits)
    #expect(box.leave(Self.thread, to: .idle) != otherWaits)
    #expect(read.entries == (otherWaits ? ["own", "other"] : ["own"]))
  }

  @Test func aWaitingReadIsPerformedByTheThreadThatClosesTheStore() async {
    let box = GateBox(PipelineMachine())
    #expect(box.enter(Self.thread, at: .reducing))
    let isServed = await onThread {
      let isWaiting = Semaphore()
      box.gate.waitingReadsLock.withLock { _ in box.gate.waitingReads.whenAReaderWaits = { isWaiting.signal() } }
      let reader = WorkThread { box.gate.waitToRead {} }
      isWaiting.wait()
      let isServed = box.leave(Self.thread, to: .closed) && !box.isReaderWaiting
      if !isServed { box.gate.performWaitingReads() }
      reader.join()
      return isServed
    }
    #expect(isServed)
  }

  /// The thread that reduced has left, but has not looked for readers yet.
  @Test(arguments: [PipelineMachine.Phase.intercepting, .handling, .reducing, .startingEffects])
  func aWaitingReadIsPerformedByTheNextThreadBeforeItsFirstStage(phase: PipelineMachine.Phase) async {
    let box = GateBox(PipelineMachine())
    #expect(box.enter(Self.thread, at: .reducing))
    let isServed = await onThread {
      let isWaiting = Semaphore()
      box.gate.waitingReadsLock.withLock { _ in box.gate.waitingReads.whenAReaderWaits = { isWaiting.signal() } }
      let reader = WorkThread {
        if box.gate.beginReading() { Issue.record("A reader came in.") }
        box.gate.waitToRead {}
      }
      isWaiting.wait()
      if !box.gate.leaveUnlessWaiting(to: .idle) { Issue.record("Something waits.") }
      let other = Self.thread &+ 16
      // The drain begins after an addition to the queue.
      let hasEntered = phase == .startingEffects ? box.announce(other) : box.enter(other, at: phase)
      let isServed = hasEntered && !box.isReaderWaiting
      if !isServed { box.gate.performWaitingReads() }
      reader.join()
      return isServed
    }
    #expect(isServed)
  }

  @Test(arguments: [Phase.handling, .reducing])
  func aReaderKeepsTheReducerOutAndTheReducerKeepsReadersOut(first: Phase) async {
    let box = GateBox(PipelineMachine())
    let value = GateValue()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<2_000 {
            var pair = (0, 1)
            if box.gate.beginReading() {
              pair = value.read()
              // It stays inside for some time, so that a reducer that does not wait for it changes the pair.
              for _ in 0..<100 where value.read() != pair { pair = (0, 1) }
              box.gate.endReading()
            } else {
              box.gate.waitToRead { pair = value.read() }
            }
            if pair.0 != pair.1 { return false }
          }
          return true
        }
      }
      group.addTask {
        for _ in 0..<2_000 {
          // A waiting reader may have let this thread run the pipeline again.
          guard box.enter(Self.thread, at: first) else { return false }
          box.gate.move(to: .reducing)
          value.write()
          // It runs the pipeline again if a reader began to wait while it left.
          while !box.leave(Self.thread, to: .idle) {}
        }
        return true
      }
      for await isWhole in group { #expect(isWhole) }
    }
    #expect(value.read() == (2_000, 2_000))
  }
}

/// The gate in a copyable form, which `#expect` requires.
final class GateBox: Sendable {
  let gate = PipelineGate()

  init(_ machine: PipelineMachine) {
    gate.word.store(machine.bits, ordering: .sequentiallyConsistent)
  }

  var machine: PipelineMachine { gate.machine }
  var isReaderWaiting: Bool { gate.isReaderWaiting }
  func enter(_ thread: UInt, at phase: PipelineMachine.Phase) -> Bool {
    gate.enter(PipelineMachine(phase, thread: thread))
  }
  func leave(_ thread: UInt, to rest: PipelineMachine.Phase) -> Bool { gate.tryLeave(thread, to: rest) }
  func announce(_ thread: UInt) -> Bool { gate.announce(thread) }
}

/// Two numbers that are always changed together.
final class GateValue: @unchecked Sendable {
  private var first = 0
  private var second = 0
  func read() -> (Int, Int) { (first, second) }
  func write() {
    first += 1
    second += 1
  }
}
