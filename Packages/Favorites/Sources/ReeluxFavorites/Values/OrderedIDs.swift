/// Ids without duplicates, in the order in which they were added.
///
/// A removed id that is added again goes to the end. Membership, adding and removing take constant time (amortised).
/// Iterating takes time proportional to the number of ids. Two values are equal if they contain the same ids in the
/// same order.
///
/// ```swift
/// var ids: OrderedIDs = ["nosferatu-1922", "metropolis-1927"]
/// ids.append("nosferatu-1922")     // false: it is there already
/// ids.remove("nosferatu-1922")     // true
/// Array(ids)                       // ["metropolis-1927"]
/// ```
public struct OrderedIDs<ID: Hashable & Sendable>: Sendable {
  /// The ids in order. A removed id leaves a hole until the storage is compacted.
  @usableFromInline var slots: [ID?] = []
  @usableFromInline var positions: [ID: Int] = [:]
  /// The first slot that contains an id, or the end. With it, removing from the front takes constant time.
  @usableFromInline var head = 0

  /// Creates an empty value.
  @inlinable public init() {}

  /// Creates a value with the ids of a sequence. An id that occurs several times keeps its first place.
  @inlinable public init(_ ids: some Sequence<ID>) {
    let expected = ids.underestimatedCount
    slots.reserveCapacity(expected)
    positions.reserveCapacity(expected)
    for id in ids { append(id) }
  }

  /// The number of ids. Takes constant time.
  @inlinable public var count: Int { positions.count }

  /// Whether there are no ids.
  @inlinable public var isEmpty: Bool { positions.isEmpty }

  /// The id that was added first. Takes constant time.
  @inlinable public var first: ID? { head < slots.count ? slots[head] : nil }

  /// Whether this id is contained. Takes constant time.
  @inlinable public func contains(_ id: ID) -> Bool { positions[id] != nil }

  /// Adds an id at the end. If it is already contained, or not equal to itself, such as `Double.nan`, returns false
  /// and changes nothing.
  @inlinable @discardableResult public mutating func append(_ id: ID) -> Bool {
    guard positions[id] == nil, id == id else { return false }
    positions[id] = slots.count
    slots.append(id)
    return true
  }

  /// Removes an id. Returns false if it is not contained.
  @inlinable @discardableResult public mutating func remove(_ id: ID) -> Bool {
    guard let position = positions.removeValue(forKey: id) else { return false }
    slots[position] = nil
    while head < slots.count, slots[head] == nil { head += 1 }
    if slots.count > 2 * positions.count + 16 { tidy() }
    return true
  }

  /// Removes the holes. Each removal of an id leaves at most one hole, so removals take constant time on average.
  @usableFromInline mutating func tidy() {
    slots = slots.filter { $0 != nil }
    head = 0
    for (position, slot) in slots.enumerated() {
      if let id = slot { positions[id] = position }
    }
  }
}

extension OrderedIDs: Sequence {
  /// An iterator over the ids in order.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let slots: [ID?]
    @usableFromInline var position: Int

    @inlinable init(slots: [ID?], position: Int) {
      self.slots = slots
      self.position = position
    }

    /// The next id, or `nil` at the end.
    @inlinable public mutating func next() -> ID? {
      while position < slots.count {
        defer { position += 1 }
        if let id = slots[position] { return id }
      }
      return nil
    }
  }

  /// Returns an iterator over the ids. The one that was added first is at the front.
  @inlinable public func makeIterator() -> Iterator { Iterator(slots: slots, position: head) }

  /// The exact number of ids.
  @inlinable public var underestimatedCount: Int { count }
}

extension OrderedIDs: Equatable {
  /// Whether both values contain the same ids in the same order.
  @inlinable public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }
}

extension OrderedIDs: Hashable {
  /// Hashes the ids in order.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for id in self { hasher.combine(id) }
  }
}

extension OrderedIDs: ExpressibleByArrayLiteral {
  /// Creates a value from an array literal. An id that occurs several times keeps its first place.
  public init(arrayLiteral elements: ID...) { self.init(elements) }
}

extension OrderedIDs: CustomStringConvertible {
  /// The ids in the notation of an array.
  public var description: String { Array(self).description }
}

extension OrderedIDs: CustomReflectable {
  /// The ids as a collection. A difference of two values therefore names ids and not the slots that contain them.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}

extension OrderedIDs: Encodable where ID: Encodable {
  /// Encodes the ids as an array, in order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(list())
  }

  /// The ids in order. A recording calls it for each state with a new id; see `WrittenItems`.
  @_specialize(where ID == String)
  private func list() -> [ID] {
    var list: [ID] = []
    list.reserveCapacity(count)
    for slot in slots[head...] {
      if let id = slot { list.append(id) }
    }
    return list
  }
}

extension OrderedIDs: Decodable where ID: Decodable {
  /// Decodes an array of ids. An id that occurs several times keeps its first place.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([ID].self))
  }
}
