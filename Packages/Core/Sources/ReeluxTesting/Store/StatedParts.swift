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
  /// The paths of the values that contain stated parts.
  private var enclosing: Set<ValuePath> = []

  init(_ changes: [ValueChange]) { insert(changes) }

  mutating func insert(_ changes: [ValueChange]) {
    for change in changes {
      let part = change.part
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
    return parts.contains(path) || members.contains(Member(path: path, text: change.memberText))
      || enclosing.contains(path)
      || path.enclosing.contains { parts.contains($0) || members.contains(Member(path: $0)) }
  }
}

extension ValueChange {
  /// The text of an added or removed element of a set; `nil` for other changes.
  fileprivate var memberText: String? {
    kind == .changed || path.components.last?.isStep == true ? nil : old ?? new
  }

  /// The part that the change concerns. If elements of a list without ids are added or removed, the list counts as one
  /// part, because the positions differ on both sides.
  fileprivate var part: ValuePath {
    guard kind != .changed, case .index = path.components.last else { return path }
    return ValuePath(Array(path.components.dropLast()))
  }
}

extension ValuePath {
  /// The paths of the values that contain this part, starting at the whole value.
  var enclosing: [ValuePath] { components.indices.map { ValuePath(Array(components.prefix($0))) } }
}

extension ValuePath.Component {
  /// Whether the component leads to an element of a list or dictionary.
  var isStep: Bool {
    switch self {
    case .index, .id, .key: true
    case .field: false
    }
  }
}
