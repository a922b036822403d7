/// A pattern that names parts of values, for filters and redaction.
///
/// - `password` (one name) matches a field, case or key of that name at any depth.
/// - `user.address.city` (several names) matches that path from the outermost value.
/// - `*` stands for exactly one step (any field, index, id or key), `**` for any number of steps, none included.
///
/// A pattern also matches everything inside the part that it names.
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

  /// Whether the path is the named part, or lies inside it. Names are compared exactly, letter case included.
  public func matches(_ path: ValuePath) -> Bool {
    !steps.isEmpty && Self.matches(steps[...], path.components[...])
  }

  /// Whether a change at this path can concern the named part: the path is the part, lies inside it, or holds it.
  ///
  /// A pattern of one name, or with `**`, meets only paths that it matches.
  public func meets(_ path: ValuePath) -> Bool {
    if matches(path) { return true }
    guard !steps.contains("**"), path.components.count < steps.count else { return false }
    return zip(steps, path.components).allSatisfy { $0 == "*" || $0 == $1.name }
  }

  private static func matches(_ steps: ArraySlice<String>, _ path: ArraySlice<ValuePath.Component>) -> Bool {
    guard let step = steps.first else { return true }
    if step == "**" {
      let rest = steps.dropFirst()
      return matches(rest, path) || (!path.isEmpty && matches(steps, path.dropFirst()))
    }
    guard let component = path.first, step == "*" || step == component.name else { return false }
    return matches(steps.dropFirst(), path.dropFirst())
  }
}
