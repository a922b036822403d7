/// Ids without duplicates, in the order in which they were added.
///
/// A removed id that is added again goes to the end. Membership, adding and
/// removing take constant time (amortised); iterating takes time proportional
/// to the number of ids. Two values are equal when they hold the same ids in
/// the same order.
///
/// ```swift
/// var ids: OrderedIDs = ["nosferatu-1922", "metropolis-1927"]
/// ids.append("nosferatu-1922")     // false: it is there already
/// ids.remove("nosferatu-1922")     // true
/// Array(ids)                       // ["metropolis-1927"]
/// ```
public struct OrderedIDs<ID: Hashable & Sendable>: Sendable {
  /// The ids in order; a removed one leaves a hole until the next tidying.
  @usableFromInline var slots: [ID?] = []
  @usableFromInline var positions: [ID: Int] = [:]
  /// The first slot that may hold an id: taking from the front stays constant in time.
  @usableFromInline var head = 0

  /// No ids.
  @inlinable
  public init() {}

  /// The ids of a sequence; of duplicates, the first counts.
  @inlinable
  public init(_ ids: some Sequence<ID>) {
    let expected = ids.underestimatedCount
    slots.reserveCapacity(expected)
    positions.reserveCapacity(expected)
    for id in ids { append(id) }
  }

  /// The number of ids, in constant time.
  @inlinable
  public var count: Int { positions.count }

  /// Whether there are none.
  @inlinable
  public var isEmpty: Bool { positions.isEmpty }

  /// The id that was added first, in constant time (amortised).
  @inlinable
  public var first: ID? {
    var index = head
    while index < slots.count {
      if let id = slots[index] { return id }
      index += 1
    }
    return nil
  }

  /// Whether this id is among them, in constant time.
  @inlinable
  public func contains(_ id: ID) -> Bool { positions[id] != nil }

  /// Adds an id at the end; returns false when it was there already, and leaves it where it is.
  @inlinable
  @discardableResult
  public mutating func append(_ id: ID) -> Bool {
    guard positions[id] == nil else { return false }
    positions[id] = slots.count
    slots.append(id)
    return true
  }

  /// Removes an id; returns false when it was not there.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    guard let position = positions.removeValue(forKey: id) else { return false }
    slots[position] = nil
    while head < slots.count, slots[head] == nil { head += 1 }
    if slots.count > 2 * positions.count + 16 { tidy() }
    return true
  }

  /// Closes the holes; each removal has paid for one of them.
  @usableFromInline
  mutating func tidy() {
    slots = slots.filter { $0 != nil }
    head = 0
    for (position, slot) in slots.enumerated() {
      if let id = slot { positions[id] = position }
    }
  }
}

extension OrderedIDs: Sequence {
  /// Goes through the ids in order.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let slots: [ID?]
    @usableFromInline var position: Int

    @inlinable
    init(slots: [ID?], position: Int) {
      self.slots = slots
      self.position = position
    }

    /// The next id, or `nil` at the end.
    @inlinable
    public mutating func next() -> ID? {
      while position < slots.count {
        defer { position += 1 }
        if let id = slots[position] { return id }
      }
      return nil
    }
  }

  /// The ids, one after the other, the one added first at the front.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(slots: slots, position: head) }

  /// The number of ids, exactly.
  @inlinable
  public var underestimatedCount: Int { count }
}

extension OrderedIDs: Equatable {
  /// Whether both hold the same ids in the same order.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }
}

extension OrderedIDs: Hashable {
  /// Takes in the ids in order.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for id in self { hasher.combine(id) }
  }
}

extension OrderedIDs: ExpressibleByArrayLiteral {
  /// The ids of an array literal; of duplicates, the first counts.
  public init(arrayLiteral elements: ID...) { self.init(elements) }
}

extension OrderedIDs: CustomStringConvertible {
  /// The ids as an array shows them.
  public var description: String { Array(self).description }
}

extension OrderedIDs: CustomReflectable {
  /// The ids as a collection: a difference of two values names ids, never the slots that hold them.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}

extension OrderedIDs: Encodable where ID: Encodable {
  /// Writes an array, in order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for id in self { try container.encode(id) }
  }
}

extension OrderedIDs: Decodable where ID: Decodable {
  /// Reads an array; of duplicates, the first counts.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([ID].self))
  }
}
