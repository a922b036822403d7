/// The place of a part inside a value, from the value inwards: `favorites.confirmed`, `movies[#7].title`, `list[3]`.
///
/// Paths come out of ``ValueDifference`` and are what filters and redaction are written against.
public struct ValuePath: Hashable, Sendable {
  /// One step into a value.
  public enum Component: Hashable, Sendable {
    /// A stored property, a tuple element or the payload of an enum case; unlabelled elements are numbered.
    case field(String)
    /// An element of a sequence by its position, counted from 0.
    case index(Int)
    /// An element of a sequence by the text of its `id`.
    case id(String)
    /// A value of a dictionary by the text of its key, a string without its quotation marks.
    case key(String)
  }

  /// The steps, outermost first; empty for the whole value.
  public var components: [Component]

  /// Creates a path from its steps; without any, the path of the whole value.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path of the whole value.
  public static let root = ValuePath()

  /// Whether this path is `other` or lies inside it. Cost: linear in the length of `other`.
  public func isWithin(_ other: ValuePath) -> Bool {
    components.starts(with: other.components)
  }
}

extension ValuePath: CustomStringConvertible {
  /// The path as messages show it; empty for the whole value.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .field(let name):
        if !text.isEmpty { text += "." }
        text += name
      case .index(let index): text += "[\(index)]"
      case .id(let id): text += "[#\(id)]"
      case .key(let key): text += "[\(key)]"
      }
    }
    return text
  }
}

extension ValuePath.Component {
  /// What a pattern is compared with: the name, number, id or key, without brackets.
  public var name: String {
    switch self {
    case .field(let name): name
    case .index(let index): "\(index)"
    case .id(let id): id
    case .key(let key): key
    }
  }
}
