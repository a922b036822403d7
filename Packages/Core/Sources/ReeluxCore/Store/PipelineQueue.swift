/// The items that wait to be processed, in the order in which they came.
///
/// All threads append under one lock. The thread that runs the pipeline takes all lists at once, leaves its own empty
/// lists in their place, and processes the items alone (``TakenItems``).
///
/// A list holds 256 items at most; then it is added to the full lists. So no thread moves a long list to a larger
/// place while the others wait for the lock.
///
/// States: *open* (takes items), *closed* (the store is gone: items are discarded).
///
/// `@unchecked Sendable`: `contents` is used under the bell's lock only. It lies in memory of its own, which is freed with
/// the queue, so that an item can be moved into it.
@usableFromInline
struct PipelineQueue<Item: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias List = ContiguousArray<Item>

  @usableFromInline
  struct Contents: Sendable {
    /// The lists that are full, the oldest first.
    @usableFromInline var full: ContiguousArray<List> = []
    @usableFromInline var last: List = []
    /// How many items were ever appended.
    @usableFromInline var count: UInt64 = 0
    /// How many of them were taken.
    @usableFromInline var taken: UInt64 = 0
    @usableFromInline var isClosed = false

    @inlinable
    init() {}

    @inlinable
    @inline(never)
    mutating func addList() {
      full.append(last)
      last = []
      last.reserveCapacity(256)
    }
  }

  @usableFromInline let bell = Bell()
  @usableFromInline let contents: UnsafeMutablePointer<Contents>

  @inlinable
  init() {
    contents = .allocate(capacity: 1)
    contents.initialize(to: Contents())
  }

  deinit {
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  @inlinable
  func withLock<Result>(_ body: (inout Contents) -> Result) -> Result {
    bell.lock()
    defer { bell.unlock() }
    return body(&contents.pointee)
  }

  /// How many items were ever appended.
  var count: UInt64 { withLock { $0.count } }

  /// How many items it has room for without another allocation.
  var capacity: Int {
    withLock { contents in contents.full.reduce(contents.last.capacity) { $0 + $1.capacity } }
  }

  /// Adds an item at the end; returns its number, counted from 1, or `nil` when closed.
  @inlinable
  func append(_ item: consuming Item) -> UInt64? {
    bell.lock()
    defer { bell.unlock() }
    if contents.pointee.isClosed { return nil }
    if contents.pointee.last.count == 256 { contents.pointee.addList() }
    contents.pointee.last.append(item)
    contents.pointee.count &+= 1
    return contents.pointee.count
  }

  /// Gives all items for empty lists; returns the number of the first one.
  @inlinable
  func take(_ full: inout ContiguousArray<List>, _ last: inout List) -> UInt64 {
    withLock { contents in
      swap(&contents.full, &full)
      swap(&contents.last, &last)
      let number = contents.taken + 1
      contents.taken = contents.count
      return number
    }
  }

  /// Discards everything, now and from now on.
  @usableFromInline
  func close() {
    let items = withLock { contents in
      defer {
        contents.full = []
        contents.last = []
      }
      contents.isClosed = true
      return (contents.full, contents.last)
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
  @usableFromInline typealias List = ContiguousArray<Item>

  /// The next items, in reverse: each is moved out at the end.
  @usableFromInline var current: List = []
  /// The lists after it, in reverse too.
  @usableFromInline var full: ContiguousArray<List> = []
  /// The last list, in order.
  @usableFromInline var last: List = []
  /// The number of the item that was removed last.
  @usableFromInline var ticket: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { current.isEmpty && last.isEmpty && full.isEmpty }

  /// How many items it has room for without another allocation.
  var capacity: Int { current.capacity + last.capacity }

  @inlinable
  var head: PipelineMachine.Turn.Head {
    mutating get {
      if current.isEmpty && !advance() { return .none }
      return current[current.count - 1].isOwn ? .own : .other
    }
  }

  /// Goes on to the next list; false if there is none.
  @inlinable
  @inline(never)
  mutating func advance() -> Bool {
    if let list = full.popLast() {
      current = list
    } else if last.isEmpty {
      // The memory of a flood is given back.
      if current.capacity > 4096 { current = [] }
      return false
    } else {
      swap(&current, &last)
    }
    current.reverse()
    return true
  }

  /// Removes the first item, which must be there; what was processed is released at once.
  @inlinable
  mutating func removeFirst() -> Item {
    ticket &+= 1
    return current.removeLast()
  }

  /// Adds an item at the end.
  @inlinable
  mutating func append(_ item: Item) {
    last.append(item)
  }

  /// Takes what waits; to be called when this is empty.
  @inlinable
  mutating func refill(from queue: borrowing PipelineQueue<Item>) {
    if last.capacity > 4096 { last = [] }
    ticket = queue.take(&full, &last) &- 1
    full.reverse()
  }
}
