/// The items that wait to be processed, in the order in which they came.
///
/// All threads append to one list. The thread that runs the pipeline takes the whole list at once, leaves its own empty
/// one in its place, and works it off alone (``TakenItems``).
///
/// States: *open* (takes items), *closed* (the store is gone: items are discarded).
@usableFromInline
struct PipelineQueue<Item: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var items: ContiguousArray<Item?> = []
    /// How many items were ever appended.
    @usableFromInline var count: UInt64 = 0
    @usableFromInline var isClosed = false

    @inlinable
    init() {}
  }

  @usableFromInline let contents = Locked(Contents())

  @inlinable
  init() {}

  /// How many items were ever appended.
  var count: UInt64 { contents.withLock { $0.count } }

  /// How many items it has room for without another allocation.
  var capacity: Int { contents.withLock { $0.items.capacity } }

  /// Adds an item at the end; returns its number, counted from 1, or `nil` when closed.
  @inlinable
  func append(_ item: Item) -> UInt64? {
    contents.withLock { contents in
      if contents.isClosed { return nil }
      contents.items.append(item)
      contents.count += 1
      return contents.count
    }
  }

  /// Gives all items for an empty list; returns the number of the first one.
  @inlinable
  func take(into list: inout ContiguousArray<Item?>) -> UInt64 {
    var empty = list
    list = []
    let (items, number) = contents.withLock { contents in
      swap(&contents.items, &empty)
      return (empty, contents.count + 1 - UInt64(empty.count))
    }
    list = items
    return number
  }

  /// Discards everything, now and from now on.
  @usableFromInline
  func close() {
    let items = contents.withLock { contents in
      defer { contents.items = [] }
      contents.isClosed = true
      return contents.items
    }
    withExtendedLifetime(items) {}
  }
}

/// An item that knows whether the running thread's own action led to it.
@usableFromInline
protocol QueuedItem: Sendable {
  var isOwn: Bool { get }
}

/// The items that the thread that runs the pipeline has taken from the queue, and later follow-ups.
@usableFromInline
struct TakenItems<Item: QueuedItem> {
  /// Those before `index` have been processed.
  @usableFromInline var items: ContiguousArray<Item?> = []
  @usableFromInline var index = 0
  /// The number of the item that was removed last.
  @usableFromInline var ticket: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { index == items.count }

  @inlinable
  var head: PipelineMachine.Turn.Head {
    if isEmpty { return .none }
    return items[index]?.isOwn == true ? .own : .other
  }

  /// Removes the first item, which must be there; what was processed is released at once.
  @inlinable
  mutating func removeFirst() -> Item {
    guard let item = items[index].take() else { preconditionFailure("An item was processed twice.") }
    index += 1
    ticket &+= 1
    return item
  }

  /// Adds an item at the end.
  @inlinable
  mutating func append(_ item: Item) {
    if index > 16 && index > items.count / 2 { compact() }
    items.append(item)
  }

  /// Forgets the places of what has been processed: each is moved over once for each that was added.
  @inlinable
  mutating func compact() {
    items.removeSubrange(..<index)
    index = 0
  }

  /// Takes what waits; to be called when this is empty.
  @inlinable
  mutating func refill(from queue: borrowing PipelineQueue<Item>) {
    // The memory of a flood is given back.
    if items.capacity > 4096 { items = [] } else { items.removeAll(keepingCapacity: true) }
    index = 0
    ticket = queue.take(into: &items) &- 1
  }
}
