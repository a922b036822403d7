public import Synchronization

/// A few items in a row, in memory of their own.
@usableFromInline
struct InboxChunk<Item: ~Copyable> {
  @usableFromInline let items: UnsafeMutablePointer<Item>
  @usableFromInline let capacity: Int
  /// How many are initialized, from the start.
  @usableFromInline var count = 0
  @usableFromInline var next: UnsafeMutablePointer<InboxChunk>?

  @inlinable
  init(capacity: Int) {
    items = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  @inlinable
  static func make(capacity: Int) -> UnsafeMutablePointer<InboxChunk> {
    let chunk = UnsafeMutablePointer<InboxChunk>.allocate(capacity: 1)
    chunk.initialize(to: InboxChunk(capacity: capacity))
    return chunk
  }

  @inlinable
  var hasRoom: Bool { count < capacity }

  /// Adds an item; there must be room.
  @inlinable
  mutating func append(_ item: consuming Item) {
    (items + count).initialize(to: item)
    count += 1
  }

  /// Frees a chunk whose items have been moved out or deinitialized.
  @inlinable
  static func free(_ chunk: UnsafeMutablePointer<InboxChunk>) {
    chunk.pointee.items.deallocate()
    chunk.deinitialize(count: 1)
    chunk.deallocate()
  }
}

/// What waits to be processed, in the order in which it came: a chain of chunks.
///
/// States: *open* (takes items), *closed* (the store is gone: items are thrown
/// away). `append` is called by any thread; `take` only by the pipeline's
/// owner, which gets the whole chain at once and works it off alone.
///
/// The lock is held for a few dozen instructions, or for one allocation in
/// 256 items; who finds it taken looks again, then yields. A mutex would put
/// the producers to sleep and wake them one by one, which costs a hundred times
/// as much as the work that it protects.
///
/// `@unchecked Sendable`: `contents` is used under the lock only.
@usableFromInline
struct Inbox<Item: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias Chunk = UnsafeMutablePointer<InboxChunk<Item>>

  @usableFromInline
  struct Contents {
    @usableFromInline var first: Chunk?
    @usableFromInline var last: Chunk?
    /// An empty chunk for the next item.
    @usableFromInline var spare: Chunk?
    /// How many items were ever appended.
    @usableFromInline var count: UInt64 = 0
    /// How many of them were taken.
    @usableFromInline var taken: UInt64 = 0
    @usableFromInline var isClosed = false
    @usableFromInline init() {}
  }

  @usableFromInline let isLocked = Atomic<Bool>(false)
  @usableFromInline let contents: UnsafeMutablePointer<Contents>

  @inlinable
  init() {
    contents = .allocate(capacity: 1)
    contents.initialize(to: Contents())
  }

  deinit {
    close()
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  @inlinable
  @inline(__always)
  func lock() {
    if isLocked.exchange(true, ordering: .acquiring) { lockSlowly() }
  }

  @inlinable
  @inline(__always)
  func unlock() {
    isLocked.store(false, ordering: .releasing)
  }

  @inlinable
  @inline(__always)
  func withLock<Result>(_ body: (inout Contents) -> Result) -> Result {
    lock()
    defer { unlock() }
    return body(&contents.pointee)
  }

  @usableFromInline
  func lockSlowly() {
    var round = 0
    repeat {
      while isLocked.load(ordering: .relaxed) { ThreadID.relax(&round) }
    } while isLocked.exchange(true, ordering: .acquiring)
  }

  /// How many items were ever appended.
  var count: UInt64 { withLock { $0.count } }

  /// How many items it has room for without another allocation.
  var capacity: Int {
    withLock { contents in
      var capacity = contents.spare?.pointee.capacity ?? 0
      var next = contents.first
      while let chunk = next {
        capacity += chunk.pointee.capacity
        next = chunk.pointee.next
      }
      return capacity
    }
  }

  /// Adds an item at the end; returns its number, counted from 1, or `nil` when closed.
  @inlinable
  func append(_ item: consuming Item) -> UInt64? {
    lock()
    if contents.pointee.isClosed {
      unlock()
      return nil
    }
    if contents.pointee.last?.pointee.hasRoom != true { addChunk() }
    contents.pointee.last?.pointee.append(item)
    contents.pointee.count += 1
    let number = contents.pointee.count
    unlock()
    return number
  }

  /// Adds a chunk with room at the end of the chain, under the lock.
  @inlinable
  @inline(never)
  func addChunk() {
    // A small one first: most stores never have more than a few items waiting.
    let chunk = contents.pointee.spare ?? InboxChunk.make(capacity: contents.pointee.first == nil ? 8 : 256)
    contents.pointee.spare = nil
    if let last = contents.pointee.last { last.pointee.next = chunk } else { contents.pointee.first = chunk }
    contents.pointee.last = chunk
  }

  /// Takes the whole chain, and the number of its first item; `nil` if nothing waits.
  ///
  /// - Parameter empty: A chunk that the caller has worked off, to be used again.
  @inlinable
  func take(returning empty: Chunk?) -> (first: Chunk, last: Chunk, number: UInt64)? {
    let (first, last, number, surplus) = withLock { contents in
      let (first, last) = (contents.first, contents.last)
      let number = contents.taken + 1
      contents.first = nil
      contents.last = nil
      contents.taken = contents.count
      var surplus = empty
      if contents.spare == nil { swap(&contents.spare, &surplus) }
      return (first, last, number, surplus)
    }
    if let surplus { InboxChunk.free(surplus) }
    return if let first, let last { (first, last, number) } else { nil }
  }

  /// Throws everything away, now and from now on.
  @usableFromInline
  func close() {
    let (chain, spare) = withLock { contents in
      let chunks = (contents.first, contents.spare)
      contents.isClosed = true
      contents.first = nil
      contents.last = nil
      contents.spare = nil
      return chunks
    }
    if let spare { InboxChunk.free(spare) }
    var next = chain
    while let chunk = next {
      next = chunk.pointee.next
      chunk.pointee.items.deinitialize(count: chunk.pointee.count)
      InboxChunk.free(chunk)
    }
  }
}
