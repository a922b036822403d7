/// The items that wait to be processed, in the order in which they came.
///
/// A double buffer: all threads append to one list under a lock. The thread that runs the pipeline exchanges this list
/// for its own empty one, and processes the items alone (``TakenItems``). A closed queue accepts no item.
///
/// `contents` is used under the lock only.
@usableFromInline struct PipelineQueue<Item: Sendable>: ~Copyable, Sendable {
  @usableFromInline struct Contents: Sendable {
    @usableFromInline var items: ContiguousArray<Item> = []
    /// The number of items that have been appended so far.
    @usableFromInline var count: UInt64 = 0
    @usableFromInline var isClosed = false
  }

  @usableFromInline let lock = ConditionLock()
  @usableFromInline let storage = Memory(Contents())
  @inlinable @inline(__always) var contents: MemoryAddress<Contents> { storage.address }

  @inlinable func withLock<Result>(_ body: (inout Contents) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&contents.value)
  }

  /// Adds an item at the end. Returns its number, counted from 1, or `nil` if the queue is closed.
  @inlinable func append(_ item: consuming Item) -> UInt64? {
    lock.lock()
    if contents.value.isClosed {
      lock.unlock()
      // The item is released after the lock, because its release may call code of the app.
      withExtendedLifetime(item) {}
      return nil
    }
    defer { lock.unlock() }
    contents.value.items.append(item)
    contents.value.count &+= 1
    return contents.value.count
  }

  /// Exchanges the waiting items for an empty list. Returns the number of the first item.
  @inlinable func take(_ items: inout ContiguousArray<Item>) -> UInt64 {
    withLock { contents in
      swap(&contents.items, &items)
      return contents.count &- UInt64(items.count) &+ 1
    }
  }

  /// Refuses all later items. Returns the waiting ones.
  @usableFromInline func close() -> ContiguousArray<Item> {
    withLock { contents in
      contents.isClosed = true
      return exchange(&contents.items, with: [])
    }
  }
}

/// The items that the thread that runs the pipeline has taken from the queue, and later follow-ups.
@usableFromInline struct TakenItems<Action: Sendable> {
  @usableFromInline typealias Item = QueueItem<Action>

  /// The next items in reverse order. The next item is the last element, so removing it moves no other one.
  @usableFromInline var current: ContiguousArray<Item> = []
  /// The items after them, in order.
  @usableFromInline var later: ContiguousArray<Item> = []
  /// The number of the item that was removed last, if it came from the queue. Follow-ups, which come after those items,
  /// have no number.
  @usableFromInline var ticket: UInt64 = 0
  /// The number of items in both lists. Generic code that is not specialised reads it faster than two lists.
  @usableFromInline private(set) var count = 0

  @inlinable @inline(__always) var isEmpty: Bool { count == 0 }

  /// Moves the next item to the end of `current`, and returns whose action it is. ``removeFirst()`` requires this call.
  @inlinable mutating func advanceToHead() -> PipelineMachine.Turn.Head {
    if current.isEmpty && !advance() { return .none }
    return current[current.count - 1].context.followsOwnAction ? .own : .other
  }

  /// Continues with the items of `later`. Returns false if there are none.
  @inlinable @inline(never) mutating func advance() -> Bool {
    if later.isEmpty { return false }
    swap(&current, &later)
    current.reverseInPlace()
    return true
  }

  /// Removes and returns the first item. There must be one. The list does not retain it any longer.
  @inlinable mutating func removeFirst() -> Item {
    ticket &+= 1
    count &-= 1
    return current.removeLast()
  }

  /// Adds an item at the end.
  @inlinable mutating func append(_ item: consuming Item) {
    later.append(item)
    count &+= 1
  }

  /// Takes the waiting items from the queue. Call it only when both lists are empty.
  @inlinable mutating func refill(from queue: borrowing PipelineQueue<Item>) {
    ticket = queue.take(&later) &- 1
    count = later.count
    // A list that has become large is freed when much fewer items arrive.
    if current.capacity > 4096 && count < current.capacity / 4 { current = [] }
  }
}

/// An item of the queue.
@usableFromInline struct QueueItem<Action: Sendable>: Sendable {
  @usableFromInline enum Kind: Sendable {
    case action(Action, ActionSource)
    case work(@Sendable () -> Void)
  }

  @usableFromInline let kind: Kind
  @usableFromInline let context: ActionContext

  @inlinable init(_ kind: consuming Kind, context: consuming ActionContext) {
    self.kind = kind
    self.context = context
  }
}

/// The facts that an action inherits from the action that led to it.
@usableFromInline struct ActionContext: Sendable {
  /// The effect that sent the action, or the group of the action's effects. `nil` if a caller dispatched the action and
  /// the store carries no task-local values.
  @usableFromInline let origin: SendOrigin?
  /// The number of actions that led to it without a task in between.
  @usableFromInline var generation = 0
  /// Whether it follows from the running thread's own action.
  @usableFromInline var followsOwnAction = false
  /// The priority of the dispatch; 0 before the action is added to the queue.
  @usableFromInline var priority: UInt8 = 0

  @inlinable init(_ origin: SendOrigin? = nil) {
    self.origin = origin
  }

  /// Whether the action is dropped, because the effect that sent it was cancelled, or its part or middleware is gone.
  @inlinable var isDropped: Bool { origin?.dropsActions ?? false }
}
