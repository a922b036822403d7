import Testing

@testable import ReeluxCore

@Suite(.timeLimit(.minutes(15))) struct EffectTableTests {
  let table = EffectTable()

  private func run(
    _ id: EffectID? = nil, owner: EffectOwner = EffectOwner(), group: EffectGroup? = nil, kind: EffectRun.Kind = .effect
  ) -> EffectRun {
    EffectRun(
      in: table, keys: id.map { [EffectKey(owner: owner, id: $0)] } ?? [], owner: owner, group: group, kind: kind)
  }

  @Test func anEndedEffectLeavesNothingBehind() {
    let runs = (0..<3).map { run(EffectID($0)) }
    for run in runs { #expect(table.register(run)) }
    for run in [runs[1], runs[0], runs[2]] { table.end(run) }
    #expect(table.running.isEmpty)
    #expect(table.isIdle)
    table.contents.withLock { contents in
      #expect(contents.keys.isEmpty)
      #expect(contents.tickets.isEmpty)
    }
  }

  @Test func endingTwiceOrAfterACancelIsOnce() {
    let first = run()
    let second = run()
    #expect(table.register(first))
    #expect(table.register(second))
    table.cancel(first)
    table.end(first)
    table.end(first)
    #expect(table.running.count == 1)
    #expect(!table.isIdle)
    table.end(second)
    #expect(table.isIdle)
  }

  @Test func cancellingByNameMeetsThatOwnersEffectsOnly() {
    let owner = EffectOwner()
    let mine = run(EffectID("load"), owner: owner)
    let others = run(EffectID("load"))
    let unnamed = run(owner: owner)
    for run in [mine, others, unnamed] { #expect(table.register(run)) }
    table.cancel(EffectKey(owner: owner, id: EffectID("load")))
    #expect(mine.isCancelled)
    #expect(!others.isCancelled)
    #expect(!unnamed.isCancelled)
    #expect(table.running.count == 2)
    table.close()
  }

  @Test func aGroupIsLiveUntilItsLastEffectAndItsLastWaitingActionAreGone() async {
    let group = EffectGroup(in: table, ticket: 7)
    let run = run(group: group)
    #expect(table.register(run))
    table.retain(.group(group, nil))
    #expect(table.group(ticket: 7) === group)
    table.end(run)
    #expect(table.group(ticket: 7) === group)
    table.release(.group(group, nil))
    #expect(table.group(ticket: 7) == nil)
    await table.wait(for: group)
  }

  @Test func anEffectStillRunsAfterItsWaitingActionIsGone() {
    let run = run(group: EffectGroup(in: table, ticket: 0))
    #expect(table.register(run))
    table.retain(.run(run))
    table.release(.run(run))
    #expect(table.running.count == 1)
    table.end(run)
    #expect(table.isIdle)
  }

  @Test func anEndedEffectCanBeCancelledUntilItsLastWaitingActionIsGone() {
    let owner = EffectOwner()
    let run = run(EffectID("load"), owner: owner, group: EffectGroup(in: table, ticket: 0))
    #expect(table.register(run))
    table.retain(.run(run))
    table.retain(.run(run))
    table.end(run)
    table.release(.run(run))
    table.cancel(EffectKey(owner: owner, id: EffectID("load")))
    #expect(run.isCancelled)
    table.release(.run(run))
  }

  @Test func cancellingAnEndedEffectReleasesItsGroupOnce() {
    let group = EffectGroup(in: table, ticket: 0)
    let (ended, running) = (run(group: group), run(group: group))
    for run in [ended, running] { #expect(table.register(run)) }
    table.retain(.run(ended))
    table.end(ended)
    table.cancel(ended)
    table.release(.run(ended))
    #expect(group.isLive)
    table.end(running)
    #expect(!group.isLive)
  }

  @Test func anActionThatWasCancelledInTheQueueStartsNoEffectLater() {
    table.cancel(ticket: 3)
    let group = EffectGroup(in: table, ticket: 3)
    #expect(!table.accepts(EffectOwner(), group))
    table.retain(.group(group, nil))
    table.forget(ticket: 3)
    #expect(!table.register(run(group: group)))
    table.release(.group(group, nil))
    #expect(!group.isLive)
  }

  @Test func anOwnerThatHasEndedStartsNothing() {
    let owner = EffectOwner()
    owner.end()
    #expect(!table.register(run(owner: owner)))
    #expect(table.isIdle)
  }

  @Test func aCancelledGroupStartsNothingMore() {
    let group = EffectGroup(in: table, ticket: 0)
    let first = run(group: group)
    #expect(table.register(first))
    table.cancel(group)
    #expect(first.isCancelled)
    #expect(!table.register(run(group: group)))
    #expect(table.running.isEmpty)
  }

  @Test func feedsAreNotWaitedFor() async {
    #expect(table.register(run(kind: .feed)))
    #expect(table.isIdle)
    await table.waitUntilIdle()
    #expect(table.running.count == 1)
    table.close()
  }

  @Test func aClosedTableCancelsAllAndStartsNothing() async {
    let group = EffectGroup(in: table, ticket: 1)
    let running = run(group: group)
    #expect(table.register(running))
    table.close()
    #expect(running.isCancelled)
    #expect(!table.register(run()))
    await table.wait(for: group)
    await table.waitUntilIdle()
  }
}
