import Testing

@testable import ReeluxCore

/// The gate's table of states, one transition a test.
@Suite struct PipelineGateTests {
  static let thread: UInt = 0x1000
  static let other: UInt = 0x2000

  @Test func anIdleGateIsEnteredOnce() {
    let gate = GateBox()
    #expect(gate.enter(Self.thread, reducing: false))
    #expect(gate.isOwned(by: Self.thread))
    #expect(!gate.enter(Self.other, reducing: false))
    #expect(!gate.isOwned(by: Self.other))
  }

  @Test(arguments: [false, true])
  func leavingMakesItIdleAgain(reducing: Bool) {
    let gate = GateBox()
    #expect(gate.enter(Self.thread, reducing: reducing))
    #expect(gate.isReducing == reducing)
    #expect(gate.leave(Self.thread, reducing: reducing))
    #expect(gate.enter(Self.other, reducing: false))
  }

  @Test func leavingIsRefusedWhileSomethingWaits() {
    let gate = GateBox()
    #expect(gate.enter(Self.thread, reducing: false))
    #expect(!gate.announce())
    #expect(!gate.leave(Self.thread, reducing: false))
    gate.acknowledge()
    #expect(gate.leave(Self.thread, reducing: false))
  }

  @Test func anAnnouncementToAnIdleGateIsClaimedByOneThread() {
    let gate = GateBox()
    #expect(gate.announce())
    #expect(!gate.enter(Self.other, reducing: false))
    #expect(gate.claim(Self.thread))
    #expect(!gate.claim(Self.other))
    #expect(gate.isOwned(by: Self.thread))
    #expect(!gate.leave(Self.thread, reducing: false))
    gate.acknowledge()
    #expect(gate.leave(Self.thread, reducing: false))
  }

  @Test func theReducingPhaseIsEnteredAndLeftWithoutLosingAnAnnouncement() {
    let gate = GateBox()
    #expect(gate.enter(Self.thread, reducing: false))
    gate.beginReducing()
    #expect(gate.isReducing)
    #expect(!gate.announce())
    gate.endReducing()
    #expect(!gate.isReducing)
    #expect(!gate.leave(Self.thread, reducing: false))
  }

  @Test func onlyTheBackgroundGoesOnAfterAHandOver() {
    let gate = GateBox()
    #expect(gate.enter(Self.thread, reducing: false))
    #expect(!gate.announce())
    gate.handOver()
    #expect(!gate.isOwned(by: Self.thread))
    #expect(!gate.enter(Self.thread, reducing: false))
    #expect(!gate.claim(Self.thread))
    #expect(!gate.announce())
    gate.takeOver(Self.other)
    #expect(gate.isOwned(by: Self.other))
    gate.acknowledge()
    #expect(gate.leave(Self.other, reducing: false))
  }

  @Test func aReaderKeepsTheReducerOutAndTheReducerKeepsReadersOut() async {
    let box = GateBox()
    let value = GateValue()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<2_000 {
            box.gate.beginReading()
            let (first, second) = value.read()
            box.gate.endReading()
            if first != second { return false }
          }
          return true
        }
      }
      group.addTask {
        for _ in 0..<2_000 {
          guard box.gate.enter(Self.thread, reducing: true) else { return false }
          value.write()
          guard box.gate.leave(Self.thread, reducing: true) else { return false }
        }
        return true
      }
      for await isWhole in group { #expect(isWhole) }
    }
    #expect(value.read() == (2_000, 2_000))
  }
}

/// The gate as something that can be copied, which `#expect` wants.
final class GateBox: Sendable {
  let gate = PipelineGate()
  var isReducing: Bool { gate.isReducing }
  func isOwned(by thread: UInt) -> Bool { gate.isOwned(by: thread) }
  func enter(_ thread: UInt, reducing: Bool) -> Bool { gate.enter(thread, reducing: reducing) }
  func leave(_ thread: UInt, reducing: Bool) -> Bool { gate.leave(thread, reducing: reducing) }
  func announce() -> Bool { gate.announce() }
  func claim(_ thread: UInt) -> Bool { gate.claim(thread) }
  func acknowledge() { gate.acknowledge() }
  func beginReducing() { gate.beginReducing() }
  func endReducing() { gate.endReducing() }
  func handOver() { gate.handOver() }
  func takeOver(_ thread: UInt) { gate.takeOver(thread) }
}

/// Two numbers that are only ever changed together.
final class GateValue: @unchecked Sendable {
  private var first = 0
  private var second = 0
  func read() -> (Int, Int) { (first, second) }
  func write() {
    first += 1
    second += 1
  }
}
