import Testing

@testable import ReeluxCore

@Suite struct InboxTests {
  @Test func itemsLeaveInTheOrderInWhichTheyCame() {
    let inbox = InboxBox<Int>()
    #expect((1...1000).map { inbox.append($0) } == (1...1000).map { UInt64($0) })
    let first = inbox.take()
    #expect(first.number == 1)
    #expect(first.items == Array(1...1000))
    #expect(inbox.append(6) == 1001)
    let second = inbox.take()
    #expect(second.number == 1001)
    #expect(second.items == [6])
  }

  @Test func takingFromAnEmptyInboxGivesNothing() {
    let inbox = InboxBox<Int>()
    #expect(inbox.take().items.isEmpty)
    #expect(inbox.append(1) == 1)
    #expect(inbox.take().items == [1])
    #expect(inbox.take().items.isEmpty)
  }

  @Test func twoChunksGoBackAndForth() {
    let inbox = InboxBox<Int>()
    for round in 0..<100 {
      for item in 0..<8 { _ = inbox.append(round + item) }
      _ = inbox.take()
    }
    #expect(inbox.chunks.count <= 2)
    #expect(inbox.inbox.capacity <= 16)
  }

  @Test func aClosedInboxTakesNothingAndForgetsWhatItHad() {
    let inbox = InboxBox<Witness>()
    weak var kept: Witness?
    do {
      let witness = Witness()
      kept = witness
      for _ in 0..<300 { _ = inbox.append(witness) }
    }
    #expect(kept != nil)
    inbox.inbox.close()
    #expect(kept == nil)
    #expect(inbox.append(Witness()) == nil)
    #expect(inbox.take().items.isEmpty)
  }

  @Test func manyThreadsLoseNothingAndKeepTheirOwnOrder() async {
    let inbox = InboxBox<Int>()
    await withTaskGroup(of: Void.self) { group in
      for producer in 0..<4 {
        group.addTask { for item in 0..<5_000 { _ = inbox.append(producer * 10_000 + item) } }
      }
    }
    let items = inbox.take().items
    #expect(items.count == 20_000)
    for producer in 0..<4 {
      #expect(items.filter { $0 / 10_000 == producer } == (0..<5_000).map { producer * 10_000 + $0 })
    }
  }

  final class Witness: Sendable {}
}

/// The inbox as something that can be copied, which `#expect` wants.
final class InboxBox<Item: Sendable>: @unchecked Sendable {
  let inbox = Inbox<Item>()
  private var empty: Inbox<Item>.Chunk?
  /// Every chunk that was ever taken.
  private(set) var chunks: Set<Inbox<Item>.Chunk> = []

  func append(_ item: Item) -> UInt64? { inbox.append(item) }

  /// Takes the chain and works it off as the pipeline does.
  func take() -> (items: [Item], number: UInt64) {
    let spare = empty
    empty = nil
    guard let (first, _, number) = inbox.take(returning: spare) else { return ([], 0) }
    var items: [Item] = []
    var next: Inbox<Item>.Chunk? = first
    while let chunk = next {
      chunks.insert(chunk)
      for index in 0..<chunk.pointee.count { items.append((chunk.pointee.items + index).move()) }
      next = chunk.pointee.next
      chunk.pointee.next = nil
      chunk.pointee.count = 0
      if empty == nil { empty = chunk } else { InboxChunk.free(chunk) }
    }
    return (items, number)
  }

  deinit {
    if let empty { InboxChunk.free(empty) }
  }
}
