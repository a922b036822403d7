import Testing

@testable import ReeluxCore

/// An action with a number.
struct NumberedAction: Sendable {
  final class Witness: Sendable {}

  let number: Int
  var witness: Witness?
}

extension QueueItem where Action == NumberedAction {
  fileprivate init(_ number: Int, isOwn: Bool = false, witness: NumberedAction.Witness? = nil) {
    var context = ActionContext()
    context.followsOwnAction = isOwn
    self.init(.action(NumberedAction(number: number, witness: witness), ActionSource()), context: context)
  }

  fileprivate var number: Int {
    if case .action(let action, _) = kind { action.number } else { -1 }
  }
}

extension TakenItems {
  /// The number of items for which it has memory.
  var capacity: Int { current.capacity + later.capacity }
}

@Suite(.timeLimit(.minutes(15))) struct PipelineQueueTests {
  typealias Witness = NumberedAction.Witness
  typealias Item = QueueItem<NumberedAction>

  /// The queue in a copyable form, which `#expect` requires.
  final class Box: Sendable {
    let queue = PipelineQueue<Item>()
    func append(_ number: Int) -> UInt64? { queue.append(Item(number)) }

    func takeAll() -> [Int] {
      var taken = TakenItems<NumberedAction>()
      taken.refill(from: queue)
      var numbers: [Int] = []
      while taken.advanceToHead() != .none { numbers.append(taken.removeFirst().number) }
      return numbers
    }
  }

  @Test func itemsLeaveInTheOrderInWhichTheyCame() {
    let box = Box()
    #expect((1...1000).map { box.append($0) } == (1...1000).map { UInt64($0) })
    var taken = TakenItems<NumberedAction>()
    taken.refill(from: box.queue)
    for number in 1...1000 {
      #expect(taken.advanceToHead() == .other)
      #expect(taken.removeFirst().number == number)
      #expect(taken.ticket == UInt64(number))
    }
    #expect(taken.isEmpty)
    #expect(box.append(6) == 1001)
    taken.refill(from: box.queue)
    #expect(taken.advanceToHead() == .other)
    #expect(taken.removeFirst().number == 6)
    #expect(taken.ticket == 1001)
    taken.refill(from: box.queue)
    #expect(taken.isEmpty)
  }

  @Test func whatWasProcessedIsReleasedAtOnceAndItsPlaceIsUsedAgain() {
    var taken = TakenItems<NumberedAction>()
    weak var kept: Witness?
    do {
      let witness = Witness()
      kept = witness
      taken.append(Item(0, witness: witness))
    }
    taken.append(Item(1, isOwn: true))
    #expect(taken.advanceToHead() == .other)
    _ = taken.removeFirst()
    #expect(kept == nil)
    #expect(taken.advanceToHead() == .own)
    for number in 2..<10_000 {
      taken.append(Item(number))
      #expect(taken.advanceToHead() != .none)
      #expect(taken.removeFirst().number == number - 1)
    }
    #expect(taken.capacity < 100)
  }

  @Test func theMemoryOfAFloodIsGivenBack() {
    let box = Box()
    var taken = TakenItems<NumberedAction>()
    for number in 0..<20_000 { _ = box.append(number) }
    taken.refill(from: box.queue)
    while taken.advanceToHead() != .none { _ = taken.removeFirst() }
    _ = box.append(0)
    taken.refill(from: box.queue)
    #expect(taken.capacity + box.queue.withLock { $0.items.capacity } < 10_000)
  }

  @Test func aClosedQueueTakesNothingAndForgetsWhatItHad() {
    let box = Box()
    weak var kept: Witness?
    do {
      let witness = Witness()
      kept = witness
      for number in 0..<300 { _ = box.queue.append(Item(number, witness: witness)) }
    }
    #expect(kept != nil)
    _ = box.queue.close()
    #expect(kept == nil)
    #expect(box.append(1) == nil)
    #expect(box.takeAll() == [])
  }

  @Test func manyThreadsLoseNothingAndKeepTheirOwnOrder() async {
    let box = Box()
    await withTaskGroup(of: Void.self) { group in
      for producer in 0..<4 {
        group.addTask { for item in 0..<5_000 { _ = box.append(producer * 10_000 + item) } }
      }
    }
    let items = box.takeAll()
    #expect(items.count == 20_000)
    for producer in 0..<4 {
      #expect(items.filter { $0 / 10_000 == producer } == (0..<5_000).map { producer * 10_000 + $0 })
    }
  }
}
