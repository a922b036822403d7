@testable import ReeluxCore

/// The steps of the thread that runs the pipeline, how it leaves, and what readers read in the meantime.
extension PipelineWorld {
  // MARK: Running

  mutating func process(_ item: Item, _ isFast: Bool, _ index: Int) throws {
    if let inside { throw Violation(description: "thread \(index) began an action inside one of thread \(inside)") }
    if machine.thread != threads[index].word {
      throw Violation(description: "thread \(index) processed without running the pipeline")
    }
    inside = index
    switch item {
    case .action(let action, let group, let isOwn, _):
      if isEmptied { return push([.release(item)], index) }
      if isFast && isInstalled { throw Violation(description: "the installed feature missed action \(action)") }
      let isQuiet =
        isFast && observers.allSatisfy { !$0.isMember } && action < 100 && kinds[action] == .dispatch(action)
      if isQuiet {
        return push([.awaitReaders, .performReadsEarly, .beginWrite, .endWrite(action), .release(item)], index)
      }
      push(
        [.reduce(action), .stopReducing, .notify, .effects(action, group: group, isOwn: isOwn), .release(item)], index)
    case .work(let work):
      try perform(work)
      push([.release(item)], index)
    }
  }

  mutating func perform(_ work: Work) throws {
    switch work {
    case .join(let place, let seen):
      if !observers[place].isAlive || isEmptied { return }
      observers[place].isMember = true
      if seen < 0 || (seen != log.count && defect != .joinMissesAChange) { try call(place) }
    case .sweep:
      for place in observers.indices where observers[place].isCancelled {
        observers[place].isAlive = false
        observers[place].isMember = false
      }
    case .install, .remove:
      isInstalled = work == .install
      startsReducing = !isInstalled
    case .close:
      isEmptied = true
      isQueueClosed = true
      for item in queue { discard(item) }
      queue = []
      for place in observers.indices { observers[place].isMember = false }
    case .barrier(let waiting): threads[waiting].passedBarrier = true
    }
  }

  mutating func call(_ place: Int) throws {
    if observers[place].isCancelled { throw Violation(description: "a cancelled observer was called") }
    if let last = observers[place].seen.last, last >= log.count {
      throw Violation(description: "an observer was given state \(log.count) after state \(last)")
    }
    observers[place].seen.append(log.count)
  }

  mutating func effects(of action: Int, _ group: Int, _ isOwn: Bool, _ index: Int) {
    machine.move(to: .startingEffects)
    if action >= 100 || isEmptied { return }
    switch kinds[action] {
    case .follow:
      groups[group, default: 0] += 1
      let item = Item.action(action + 100, group: group, isOwn: isOwn, counts: true)
      if defect == .followUpNests { return push([.process(item, isFast: false)], index) }
      if machine.isWaiting { return push([.append(item), .announce], index) }
      taken.append(item)
    case .effect:
      groups[group, default: 0] += 1
      threads.append(Thread(id: threads.count, steps: [.deliver(action + 200, group: group)]))
    default: break
    }
  }

  mutating func drain(_ index: Int) {
    let head: PipelineMachine.Turn.Head = taken.first.map { $0.isOwn ? .own : .other } ?? .none
    switch threads[index].turn.next(head) {
    case .process: push([.process(taken.removeFirst(), isFast: false), .moveOn, .drain], index)
    case .leave: push([.leave], index)
    case .handOver:
      machine.handOver()
      if defect == .handOverLeavesTheStoreIdle { machine = PipelineMachine() }
      if defect != .handOverMakesNoTask { threads.append(Thread(id: threads.count, steps: [.takeOver])) }
    }
  }

  // MARK: Leaving

  mutating func leaveQuietly(_ index: Int) {
    // In another phase, or if something waits, the thread leaves with all steps.
    if machine.phase != .reducing || machine.isWaiting || !taken.isEmpty {
      return push(machine.phase == .reducing ? [.stopReducing, .moveOn, .drain] : [.moveOn, .drain], index)
    }
    _ = machine.leave()
    push([.performReadsLate], index)
  }

  mutating func leave(_ index: Int) throws {
    if defect == .leaveIgnoresTheFlag { machine.acknowledge() }
    switch machine.leave(to: isEmptied ? .closed : .idle) {
    case .drain:
      push(
        defect == .takeComesBeforeAcknowledge ? [.take, .acknowledge, .drain] : [.acknowledge, .take, .drain], index)
    default: push([.performReadsLate], index)
    }
  }

  /// Performs a read that began to wait just before the thread left.
  mutating func performReadsLate(_ index: Int) throws {
    if waitingReaders.isEmpty || defect == .leavingPerformsNoReads { return }
    if machine.phase == .closed && defect != .closingPerformsNoReads { return try performWaitingReads() }
    guard machine.enter(PipelineMachine(.startingEffects, thread: threads[index].word)) == .run else { return }
    try performWaitingReads()
    push([.drain], index)
  }

  // MARK: Reading

  mutating func look(_ isSecond: Bool, _ index: Int) {
    let isShut = machine.phase == .reducing
    if defect == .readerLooksBeforeItCounts && !isSecond {
      return push(isShut ? [.register] : [.countIn(isSecond: false), .copy, .countOut], index)
    }
    if !isShut {
      if isSecond {
        waitingReaders.removeAll { $0 == index }
        bell = nil
      }
      return push([.copy, .countOut], index)
    }
    if isSecond {
      bell = nil
      threads[index].asleepSince = log.count
    }
    push(isSecond ? [.countOut, .sleep] : [.countOut, .register], index)
  }

  mutating func copy(_ index: Int) throws {
    if isTorn { throw Violation(description: "a reader saw a state that a reducer was changing") }
    if log.count < threads[index].lastRead {
      throw Violation(description: "a reader saw an older state after a newer one")
    }
    threads[index].lastRead = log.count
  }

  mutating func performWaitingReads() throws {
    for reader in waitingReaders { try copy(reader) }
    waitingReaders = []
  }

  // MARK: End

  /// Checks the world when no thread can continue.
  func checkEnd() throws {
    if let stuck = threads.first(where: { !$0.steps.isEmpty }) {
      throw Violation(description: "thread \(stuck.id) is stuck before \(stuck.steps.reversed())")
    }
    if machine.phase != (isEmptied ? .closed : .idle) || machine.isWaiting {
      throw Violation(description: "the pipeline rests in \(machine.phase)")
    }
    if !queue.isEmpty || !taken.isEmpty { throw Violation(description: "\(queue + taken) was left behind") }
    if !isClosed {
      let expected = dispatched.joined().flatMap { [$0, $0 + 100, $0 + 200] }.filter(isExpected)
      if Set(expected) != Set(log) { throw Violation(description: "\(log) was reduced in place of \(expected)") }
      if let open = groups.first(where: { $0.value != 0 }) {
        throw Violation(description: "action \(open.key) never finishes")
      }
      for observer in observers where !observer.isCancelled && observer.seen.last != log.count {
        throw Violation(description: "an observer's last state is \(observer.seen) of \(log.count)")
      }
    }
    for own in dispatched where log.filter(own.contains) != own.filter(log.contains) {
      throw Violation(description: "one thread's actions \(own) were reduced as \(log)")
    }
  }
}
