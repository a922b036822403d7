/// One difference between two values: its place, its kind, and both sides as text.
public struct ValueChange: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An element was added to a collection.
    case added
    /// An element was removed from a collection.
    case removed
    /// An element changed its place among the elements that are in both lists. The texts are its positions.
    ///
    /// If two elements swap their places, one of them moved and the other stayed. A move between equal positions is not
    /// reported. For example, if the elements with the ids `[a, m, b]` become `[x, m, a]`, `a` stayed and `m` moved
    /// from position 1 to position 1. So only `- b` and `+ x` are reported.
    case moved
    /// A part has another value.
    case changed
  }

  /// The different part. A position is that in the new list. For a removed element, it is that in the old list.
  public var path: ValuePath
  /// The kind of the change.
  public var kind: Kind
  /// The old text of the part, or its old position if it moved; `nil` if it was added.
  public var old: String?
  /// The new text of the part, or its new position if it moved; `nil` if it was removed.
  public var new: String?
  /// Whether the part is a member of a set. It has no path of its own, so `path` is that of the set. It is not compared
  /// and not hashed.
  package var isMember = false

  /// Creates a change from its parts.
  public init(path: ValuePath, kind: Kind, old: String? = nil, new: String? = nil) {
    self.path = path
    self.kind = kind
    self.old = old
    self.new = new
  }

  /// Whether the places, the kinds and the texts are equal.
  public static func == (left: ValueChange, right: ValueChange) -> Bool {
    (left.path, left.kind, left.old, left.new) == (right.path, right.kind, right.old, right.new)
  }

  /// Hashes the place, the kind and the texts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(kind)
    hasher.combine(old)
    hasher.combine(new)
  }
}

extension ValueChange: CustomStringConvertible {
  /// The change on one line: `count: 1 → 2`, `names[2]: + "Ada"`, `names[0]: - "Bob"`, `names[#7]: moved [3] → [0]`.
  public var description: String {
    let place = path.components.isEmpty ? "" : "\(path): "
    return switch kind {
    case .added: "\(place)+ \(new ?? "")"
    case .removed: "\(place)- \(old ?? "")"
    case .moved: "\(place)moved \(old ?? "") → \(new ?? "")"
    case .changed: "\(place)\(old ?? "") → \(new ?? "")"
    }
  }
}
