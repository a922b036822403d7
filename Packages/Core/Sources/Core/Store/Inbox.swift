/// What waits to be processed, in the order in which it came.
///
/// States: *open* (takes items), *closed* (the store is gone: items are thrown
/// away). `append` is called by any thread; `take` only by the pipeline's
/// owner, which gets everything at once and leaves its own empty array in
/// exchange, so that in the long run nothing is allocated.
@usableFromInline
struct Inbox<Item: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var items: ContiguousArray<Item> = []
    /// How many items were ever appended.
    @usableFromInline var count: UInt64 = 0
    @usableFromInline var isClosed = false
    @usableFromInline init() {}
  }

  @usableFromInline let contents = Locked(Contents())

  @usableFromInline init() {}

  /// Adds an item at the end; returns its number, counted from 1, or `nil` when closed.
  @inlinable
  func append(_ item: Item) -> UInt64? {
    contents.withLock { contents in
      guard !contents.isClosed else { return nil }
      contents.items.append(item)
      contents.count += 1
      return contents.count
    }
  }

  /// Exchanges all items for `batch`, which must be empty; returns the first one's number.
  @inlinable
  func take(into batch: inout ContiguousArray<Item>) -> UInt64 {
    var spare = ContiguousArray<Item>()
    swap(&spare, &batch)
    let (items, first) = contents.withLock { [spare] contents in
      let items = contents.items
      contents.items = spare
      return (items, contents.count - UInt64(items.count) + 1)
    }
    batch = items
    return first
  }

  /// Throws everything away, now and from now on.
  @inlinable
  func close() {
    let leftovers = contents.withLock { contents in
      contents.isClosed = true
      let items = contents.items
      contents.items = []
      return items
    }
    withExtendedLifetime(leftovers) {}
  }
}
