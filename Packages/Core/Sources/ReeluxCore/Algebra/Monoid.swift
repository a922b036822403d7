/// Composes two values of one type.
infix operator <> : AdditionPrecedence

/// A type whose values can be composed. The order matters, but the grouping does not.
///
/// `(a <> b) <> c` equals `a <> (b <> c)`.
public protocol Semigroup {
  /// Composes two values. `lhs` comes first.
  static func <> (lhs: Self, rhs: Self) -> Self
}

/// A semigroup with a neutral value: `identity <> a` and `a <> identity` equal `a`.
public protocol Monoid: Semigroup {
  /// The neutral value.
  static var identity: Self { get }
}

extension Sequence where Element: Monoid {
  /// Composes all elements in their order. Without elements, returns `identity`.
  @_disfavoredOverload @inlinable public func joined() -> Element {
    reduce(.identity) { $0 <> $1 }
  }
}

/// A builder that composes the lines of a block, with conditions and loops. An empty block is `identity`.
///
/// The compiler checks each line separately. A long list therefore compiles in linear time, unlike a chain of `<>`.
@resultBuilder
public enum CompositionBuilder<Value: Monoid> {
  /// Returns the value of a line.
  @inlinable public static func buildExpression(_ expression: Value) -> Value { expression }

  /// Composes the values of all lines.
  @inlinable public static func buildBlock(_ components: Value...) -> Value { components.joined() }

  /// Returns the value of an `if` without `else`, or `identity`.
  @inlinable public static func buildOptional(_ component: Value?) -> Value { component ?? .identity }

  /// Returns the value of the first branch of an `if` with `else`.
  @inlinable public static func buildEither(first component: Value) -> Value { component }

  /// Returns the value of the other branch.
  @inlinable public static func buildEither(second component: Value) -> Value { component }

  /// Composes the values of a `for` loop.
  @inlinable public static func buildArray(_ components: [Value]) -> Value { components.joined() }

  /// Returns the value of an availability condition.
  @inlinable public static func buildLimitedAvailability(_ component: Value) -> Value { component }
}

extension Array {
  /// The same as `map`, compiled once and not for each type of an app.
  @usableFromInline func mapped<Other>(_ transform: (Element) -> Other) -> [Other] {
    map(transform)
  }
}
