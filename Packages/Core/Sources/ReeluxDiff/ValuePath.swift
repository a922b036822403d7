/// The place of a part inside a value: `favorites.confirmed`, `movies[#7].title`, `list[3]`.
///
/// ``ValueDifference`` reports paths. Filters and redaction use patterns of paths.
public struct ValuePath: Hashable, Sendable {
  /// One step into a value.
  public enum Component: Hashable, Sendable {
    /// A stored property, a tuple element or the payload of an enum case. Unlabelled elements are numbered.
    case field(String)
    /// An element of a sequence by its position, counted from 0.
    case index(Int)
    /// An element of a sequence by the text of its `id`. The text is neither cut nor escaped.
    case id(String)
    /// A value of a dictionary by the text of its key. A string key has no quotation marks, and is neither cut
    /// nor escaped.
    case key(String)
  }

  /// The steps, outermost first; empty for the whole value.
  public var components: [Component]

  /// Creates a path from its steps. Without steps, it is the path of the whole value.
  public init(_ components: [Component] = []) {
    self.components = components
  }

  /// The path of the whole value.
  public static let root = ValuePath()
}

extension ValuePath: CustomStringConvertible {
  /// The path as text for messages; empty for the whole value. Ids and keys are cut after 80 characters, and control
  /// characters are escaped.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .field(let name):
        if !text.isEmpty { text += "." }
        text += name
      case .index(let index): text += "[\(index)]"
      case .id(let id): text += "[#\(LeafText.shown(id))]"
      case .key(let key): text += "[\(LeafText.shown(key))]"
      }
    }
    return text
  }
}

extension LeafText {
  /// The text of a name in a message.
  static func shown(_ name: String) -> String {
    let limit = 80
    let isCut = name.utf8.count > limit && name.count > limit
    return isCut ? escaped(name.prefix(limit)) + "…" : escaped(name)
  }
}

extension ValuePath.Component {
  /// The id of an element of a list as a component; `nil` for an element without an id.
  static func id(of element: Any) -> ValuePath.Component? {
    Equality.id(of: element).map { .id(LeafText.name($0.base)) }
  }

  /// The text that patterns are compared with: the name, number, id or key without brackets.
  public var name: String {
    switch self {
    case .field(let name): name
    case .index(let index): "\(index)"
    case .id(let id): id
    case .key(let key): key
    }
  }

  /// Whether a step of a pattern names this component. A property `name` with a wrapper, or of an `@Observable` class,
  /// is stored as `_name`. The text of a key that is an enum case begins with a dot.
  fileprivate func isNamed(_ step: String) -> Bool {
    if case .field(let name) = self, name.utf8.first == UInt8(ascii: "_"), name.dropFirst() == step { return true }
    if case .key(let name) = self, name.utf8.first == UInt8(ascii: "."), name.dropFirst() == step { return true }
    return name == step
  }

  /// Whether the name contains a dot.
  fileprivate var hasDots: Bool {
    if case .index = self { false } else { name.utf8.contains(UInt8(ascii: ".")) }
  }
}

/// A pattern for parts of values, used by filters and redaction.
///
/// - `password` (one name) matches a field, case, key, index or id with this name at any depth.
/// - `user.address.city` (several names) matches that path from the outermost value.
/// - `*` matches exactly one step (any field, index, id or key), and `**` any number of steps, including none.
///
/// A name with dots is written with its dots: `com.app.token` also matches a key `com.app.token` at any depth, and
/// `settings.com.app.token` this key inside of `settings`.
///
/// A pattern also matches everything inside a matching part. A name matches a property with a wrapper, a lazy property
/// and a property of an `@Observable` class too, whose stored name begins with `_` or `$`.
///
/// ```swift
/// let secret: ValuePathPattern = "accounts.*.token"
/// secret.matches(ValuePath([.field("accounts"), .key("ada"), .field("token")]))  // true
/// ```
public struct ValuePathPattern: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The pattern as it was written.
  public let description: String
  private let steps: [String]

  /// Creates a pattern from names separated by dots.
  public init(_ pattern: String) {
    description = pattern
    let names = pattern.split(separator: ".").map(String.init)
    steps = names.count == 1 ? ["**"] + names : names
  }

  /// Creates a pattern from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Whether the path is a matching part or lies inside one. Names are compared exactly, including letter case.
  public func matches(_ path: ValuePath) -> Bool { matches(path, otherNames: [:]) }

  /// As ``matches(_:)``, for a path with elements of lists. Such an element has a position and can have an id. The path
  /// has one of these names. `otherNames` has the others, by the place of the element in the path.
  package func matches(_ path: ValuePath, otherNames: [Int: [ValuePath.Component]]) -> Bool {
    if steps.isEmpty { return false }
    if Self.matches(steps[...], path.components[...], otherNames) { return true }
    guard steps.count > 1 else { return false }
    func isNamed(_ component: ValuePath.Component) -> Bool { component.hasDots && component.name == description }
    return path.components.contains(where: isNamed) || otherNames.values.contains { $0.contains(where: isNamed) }
  }

  /// Whether a change at this path can concern a matching part. It can if the path is the path of such a part, lies
  /// inside the part, or contains it.
  ///
  /// For a pattern with one name, or with `**`, the result is that of ``matches(_:)``.
  public func meets(_ path: ValuePath) -> Bool {
    if matches(path) { return true }
    guard !steps.contains("**"), path.components.count < steps.count else { return false }
    return Self.matches(steps[...], path.components[...], [:], orLeadsTo: true)
  }

  /// - Parameter leads: Whether the path may end before the pattern.
  private static func matches(
    _ steps: ArraySlice<String>, _ path: ArraySlice<ValuePath.Component>, _ otherNames: [Int: [ValuePath.Component]],
    orLeadsTo leads: Bool = false
  ) -> Bool {
    guard let step = steps.first else { return true }
    if step == "**" {
      return (0...path.count).contains { matches(steps.dropFirst(), path.dropFirst($0), otherNames) }
    }
    let others = otherNames[path.startIndex] ?? []
    guard let component = path.first else { return leads }
    if step == "*" || component.isNamed(step) || others.contains(where: { $0.isNamed(step) }),
      matches(steps.dropFirst(), path.dropFirst(), otherNames, orLeadsTo: leads)
    {
      return true
    }
    guard steps.count > 1 else { return false }
    /// Whether the names of several steps, joined with dots, are the name of the component.
    func isNamedBySteps(_ component: ValuePath.Component) -> Bool {
      guard component.hasDots else { return false }
      let names = component.name.split(separator: ".")
      return names.count > 1 && steps.starts(with: names, by: ==)
        && matches(steps.dropFirst(names.count), path.dropFirst(), otherNames, orLeadsTo: leads)
    }
    return isNamedBySteps(component) || others.contains(where: isNamedBySteps)
  }
}
