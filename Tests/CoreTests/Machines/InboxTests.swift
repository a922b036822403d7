import Testing

@testable import Core

@Suite struct InboxTests {
  @Test func itemsLeaveInTheOrderInWhichTheyCame() {
    let inbox = InboxBox<Int>()
    var batch = ContiguousArray<Int>()
    #expect((1...5).map { inbox.append($0) } == [1, 2, 3, 4, 5])
    #expect(inbox.take(into: &batch) == 1)
    #expect(batch == [1, 2, 3, 4, 5])
    #expect(inbox.append(6) == 6)
    batch.removeAll(keepingCapacity: true)
    #expect(inbox.take(into: &batch) == 6)
    #expect(batch == [6])
  }

  @Test func takingFromAnEmptyInboxGivesNothing() {
    let inbox = InboxBox<Int>()
    var batch = ContiguousArray<Int>()
    _ = inbox.take(into: &batch)
    #expect(batch.isEmpty)
  }

  @Test func theTwoArraysAreExchangedNotAllocated() {
    let inbox = InboxBox<Int>()
    var batch = ContiguousArray<Int>()
    var places: Set<UnsafeRawPointer> = []
    for round in 0..<100 {
      for item in 0..<8 { _ = inbox.append(round + item) }
      _ = inbox.take(into: &batch)
      batch.withUnsafeBytes { if let place = $0.baseAddress { places.insert(place) } }
      batch.removeAll(keepingCapacity: true)
    }
    #expect(places.count <= 4)
  }

  @Test func aClosedInboxTakesNothingAndForgetsWhatItHad() {
    let inbox = InboxBox<Witness>()
    weak var kept: Witness?
    do {
      let witness = Witness()
      kept = witness
      #expect(inbox.append(witness) == 1)
    }
    #expect(kept != nil)
    inbox.close()
    #expect(kept == nil)
    #expect(inbox.append(Witness()) == nil)
  }

  final class Witness: Sendable {}
}

/// The inbox as something that can be copied, which `#expect` wants.
final class InboxBox<Item: Sendable>: Sendable {
  let inbox = Inbox<Item>()
  func append(_ item: Item) -> UInt64? { inbox.append(item) }
  func take(into batch: inout ContiguousArray<Item>) -> UInt64 { inbox.take(into: &batch) }
  func close() { inbox.close() }
}
