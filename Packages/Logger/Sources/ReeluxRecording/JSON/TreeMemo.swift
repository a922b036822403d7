internal import Foundation

/// What an encoder knows of one place in a value: what stood there last, and how it was encoded.
final class TreeMemo {
  private class Kept {}

  private final class Value<Wrapped>: Kept {
    var wrapped: Wrapped

    init(_ wrapped: Wrapped) { self.wrapped = wrapped }
  }

  private var kept: Kept?
  private var type: ObjectIdentifier?
  private(set) var tree: JSONTree?
  private var members: [String: TreeMemo] = [:]
  fileprivate(set) var elements: [TreeMemo] = []

  /// What is known of a property.
  func member(_ name: String) -> TreeMemo {
    if let known = members[name] { return known }
    let memo = TreeMemo()
    members[name] = memo
    return memo
  }

  func keep(_ elements: [TreeMemo]) { self.elements = elements }

  func keep<Wrapped>(_ value: Wrapped, as tree: JSONTree) {
    kept = Value(value)
    type = ObjectIdentifier(Wrapped.self)
    self.tree = tree
  }

  /// The tree of the last value, if this value has the same bits.
  ///
  /// The memo holds the last value, so nothing that it refers to was freed or changed in place: a value with the same bits
  /// has the same contents. The state must be a value, as a store demands anyway.
  func tree<Wrapped>(ifSame value: Wrapped) -> JSONTree? {
    guard let tree, let kept, type == ObjectIdentifier(Wrapped.self) else { return nil }
    // In place: a copy would retain everything in it.
    let isSame = withUnsafeBytes(of: &unsafeDowncast(kept, to: Value<Wrapped>.self).wrapped) { last in
      withUnsafeBytes(of: value) { value in
        guard let left = last.baseAddress, let right = value.baseAddress else { return true }
        // Both have the size of `Wrapped`.
        return memcmp(left, right, last.count) == 0
      }
    }
    return isSame ? tree : nil
  }
}

/// The elements of a list as they were encoded last, while they are encoded again: finds what was moved by additions and
/// removals before it.
struct MemoCursor {
  private let old: [TreeMemo]
  private var position = 0
  private(set) var new: [TreeMemo] = []

  init(_ memo: TreeMemo?) {
    old = memo?.elements ?? []
    new.reserveCapacity(old.count + 1)
  }

  /// The tree of an element that has not changed; otherwise `nil`, and a memo to fill.
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
