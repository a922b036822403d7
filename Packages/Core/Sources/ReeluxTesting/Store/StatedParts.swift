import ReeluxDiff

/// The parts that a test has stated. It finds the part of a change in time linear in the length of the change's path.
struct StatedParts {
  /// An element of a set, identified by its text because it has no path of its own. Without a text, any element.
  private struct Member: Hashable {
    var path: ValuePath
    var text: String?
  }

  private var parts: Set<ValuePath> = []
  private var members: Set<Member> = []
  /// The lists whose order is stated.
  private var orders: Set<ValuePath> = []
  /// The paths of the values that contain stated parts.
  private var enclosing: Set<ValuePath> = []

  init(_ changes: [ValueChange]) { insert(changes) }

  mutating func insert(_ changes: [ValueChange]) {
    for change in changes {
      let part = change.part
      if change.kind == .moved { orders.insert(change.list) }
      if let text = change.memberText {
        members.formUnion([Member(path: part, text: text), Member(path: part)])
      } else {
        parts.insert(part)
      }
      enclosing.formUnion(part.enclosing)
    }
  }

  /// Whether the change is the change of a stated part, or of a value inside or around such a part.
  func contains(_ change: ValueChange) -> Bool {
    let path = change.path
    // A field of an element states nothing about the position of the element.
    let isAround = change.kind == .moved ? orders.contains(change.list) : enclosing.contains(path)
    return parts.contains(path) || members.contains(Member(path: path, text: change.memberText)) || isAround
      || path.enclosing.contains { parts.contains($0) || members.contains(Member(path: $0)) }
  }
}

extension ValueChange {
  /// The text of an added or removed element of a set; `nil` for other changes.
  fileprivate var memberText: String? { isMember ? old ?? new : nil }

  /// The list of the element that the change concerns.
  fileprivate var list: ValuePath { ValuePath(Array(path.components.dropLast())) }

  /// The part that the change concerns. If elements of a list without ids are added or removed, the list counts as one
  /// part, because the positions differ on both sides.
  var part: ValuePath {
    if kind != .changed, !isMember, case .index = path.components.last { list } else { path }
  }
}

extension ValuePath {
  /// The paths of the values that contain this part, starting at the whole value.
  var enclosing: [ValuePath] { components.indices.map { ValuePath(Array(components.prefix($0))) } }
}
