internal import Foundation

/// An encoder's memo for one position in a value: the previous value at this position, and its encoding.
final class TreeMemo {
  class Kept {}

  private final class Value<Wrapped>: Kept {
    var wrapped: Wrapped

    init(_ wrapped: Wrapped) { self.wrapped = wrapped }
  }

  private var kept: Kept?
  private var type: ObjectIdentifier?
  private(set) var tree: JSONTree?
  private var members: [(name: String, memo: TreeMemo)] = []
  /// The positions of the members; empty if there are few members.
  private var positions: [String: Int] = [:]
  private static let few = 16
  /// The names of the members as they were encoded last, and their positions in the order of the names.
  private var names: [String] = []
  private var order: [Int]?
  fileprivate(set) var elements: [TreeMemo] = []
  private var list: Kept?

  /// The memo of a property.
  /// - Parameter position: The number of properties before it. In most earlier values, it had the same position.
  func member(_ name: String, at position: Int) -> TreeMemo {
    if position < members.count, members[position].name == name { return members[position].memo }
    if members.count <= Self.few {
      if let known = members.first(where: { $0.name == name }) { return known.memo }
    } else if let position = positions[name] {
      return members[position].memo
    }
    let memo = TreeMemo()
    members.append((name, memo))
    if members.count == Self.few + 1 {
      for (position, member) in members.enumerated() { positions[member.name] = position }
    } else if members.count > Self.few {
      positions[name] = members.count - 1
    }
    return memo
  }

  /// The positions of an object's members in the order of their names; `nil` if a name occurs twice. The names are
  /// sorted only if they differ from those of the last call.
  func order(of names: [String]) -> [Int]? {
    if let order, names.elementsEqual(self.names, by: JSONTree.isSame) { return order }
    let sorted = names.indices.sorted { JSONTree.precedes(names[$0], names[$1]) }
    self.names = names
    if members.count > 2 * names.count + Self.few { forgetOthers(than: Set(names)) }
    order = zip(sorted, sorted.dropFirst()).allSatisfy { !JSONTree.isSame(names[$0], names[$1]) } ? sorted : nil
    return order
  }

  /// Removes members that the value no longer has. The keys of a dictionary may come and go.
  private func forgetOthers(than names: Set<String>) {
    members.removeAll { !names.contains($0.name) }
    positions = [:]
    if members.count <= Self.few { return }
    for (position, member) in members.enumerated() { positions[member.name] = position }
  }

  func keep(_ elements: [TreeMemo]) { self.elements = elements }

  func keep<Element>(_ list: KeptList<Element>) { self.list = list }

  /// The last list, if it had elements of this type.
  func list<Element>(of type: Element.Type) -> KeptList<Element>? { list as? KeptList<Element> }

  func keep<Wrapped>(_ value: Wrapped, as tree: JSONTree) {
    if let kept, type == ObjectIdentifier(Wrapped.self) {
      unsafe unsafeDowncast(kept, to: Value<Wrapped>.self).wrapped = value
    } else {
      kept = Value(value)
      type = ObjectIdentifier(Wrapped.self)
    }
    self.tree = tree
  }

  /// The tree of the previous value, if this value has the same bits.
  ///
  /// The memo keeps a copy of the previous value. So nothing that this value refers to was freed or changed in place,
  /// and equal bits mean equal contents. This requires that the state is a value, as the store does.
  ///
  /// This is correct, because `type` is the type of the value in `kept`, and both buffers have the size of `Wrapped`.
  func tree<Wrapped>(ifSame value: Wrapped) -> JSONTree? {
    guard let tree, let kept, type == ObjectIdentifier(Wrapped.self) else { return nil }
    // The bits are compared in place, because a copy would retain every object in the value.
    let isSame = unsafe withUnsafeBytes(of: &unsafeDowncast(kept, to: Value<Wrapped>.self).wrapped) { last in
      unsafe withUnsafeBytes(of: value) { value in
        guard let left = last.baseAddress, let right = value.baseAddress else { return true }
        return unsafe memcmp(left, right, last.count) == 0
      }
    }
    return isSame ? tree : nil
  }
}

/// The last encoding of an element of a list. A number or a text has no memo.
struct ListPart {
  var tree: JSONTree
  var memo: TreeMemo?
}

/// A list and its last encoding. Lists are compared by their bits: see ``TreeMemo/tree(ifSame:)``.
final class KeptList<Element>: TreeMemo.Kept {
  private(set) var values: [Element]
  private(set) var parts: [ListPart]
  private(set) var tree: JSONTree

  init(values: [Element], parts: [ListPart]) {
    self.values = values
    self.parts = parts
    tree = Self.tree(of: parts)
  }

  private static func tree(of parts: [ListPart]) -> JSONTree { .array(parts.map { $0.tree }) }

  /// Replaces the values by newer ones, and the parts between the equal ends by new parts. Returns the tree. The other
  /// parts are neither copied nor retained.
  func update(to newer: [Element], between ends: (prefix: Int, suffix: Int), _ middle: [ListPart]) -> JSONTree {
    values = newer
    parts.replaceSubrange(ends.prefix..<(parts.count - ends.suffix), with: middle)
    tree = Self.tree(of: parts)
    return tree
  }

  /// The numbers of elements at both ends that have the same bits.
  func ends(equalTo newer: [Element]) -> (prefix: Int, suffix: Int) {
    let (stride, size) = (MemoryLayout<Element>.stride, MemoryLayout<Element>.size)
    let (old, new) = (values.count, newer.count)
    let limit = min(old, new)
    return unsafe values.withUnsafeBytes { left in
      unsafe newer.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return (limit, 0) }
        // Each position is below the number of elements of its own list.
        func isSame(_ old: Int, _ new: Int) -> Bool {
          unsafe memcmp(left + old * stride, right + new * stride, size) == 0
        }
        var prefix = 0
        while prefix < limit, isSame(prefix, prefix) { prefix += 1 }
        var suffix = 0
        while suffix < limit - prefix, isSame(old - 1 - suffix, new - 1 - suffix) { suffix += 1 }
        return (prefix, suffix)
      }
    }
  }

  /// Whether the element at this position has the same bits.
  fileprivate func isSame(_ element: Element, at position: Int) -> Bool {
    unsafe values.withUnsafeBytes { values in
      unsafe withUnsafeBytes(of: element) { element in
        guard let left = values.baseAddress, let right = element.baseAddress else { return true }
        return unsafe memcmp(left + position * MemoryLayout<Element>.stride, right, element.count) == 0
      }
    }
  }
}

/// A search in the last encoding of a list, for the elements between the equal ends. It also finds elements that
/// additions and removals have moved.
struct ListCursor<Element> {
  private let last: KeptList<Element>
  private var position: Int
  private let end: Int
  /// Whether the number of elements between the ends is the same as before. An element that differs was then changed in
  /// its position.
  private let isAligned: Bool
  private var step: Int

  init(_ last: KeptList<Element>, between ends: (prefix: Int, suffix: Int), count: Int) {
    self.last = last
    position = ends.prefix
    step = ends.prefix
    end = last.values.count - ends.suffix
    isAligned = end - position == count
  }

  /// The last encoding of an element that has not changed. Otherwise the memo of its position, if there is one.
  mutating func next(_ element: Element) -> (part: ListPart?, memo: TreeMemo?) {
    defer { step += 1 }
    for candidate in position..<max(position, min(position + 4, end)) where last.isSame(element, at: candidate) {
      position = candidate + 1
      return (last.parts[candidate], nil)
    }
    return (nil, isAligned ? last.parts[step].memo : nil)
  }
}

/// The previous encodings of a list's elements, used while the list is encoded again. It also finds elements that
/// additions and removals have moved.
struct MemoCursor {
  private let old: [TreeMemo]
  private var position = 0
  private(set) var new: [TreeMemo] = []

  init(_ memo: TreeMemo) {
    old = memo.elements
    new.reserveCapacity(old.count + 1)
  }

  /// The tree of an element that has not changed. Otherwise `nil`, and a memo for the new encoding.
  mutating func next<Element>(_ element: Element) -> (tree: JSONTree?, memo: TreeMemo) {
    for candidate in position..<min(position + 4, old.count) {
      guard let tree = old[candidate].tree(ifSame: element) else { continue }
      position = candidate + 1
      new.append(old[candidate])
      return (tree, old[candidate])
    }
    let memo = TreeMemo()
    new.append(memo)
    return (nil, memo)
  }
}
