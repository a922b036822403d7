/// Joins the lines of a block, with conditions and loops; an empty block is `identity`.
///
/// The compiler checks each line by itself. So a long list compiles in linear
/// time, unlike a chain of `<>`.
@resultBuilder
public enum CompositionBuilder<Value: Monoid> {
  /// One line.
  @inlinable
  public static func buildExpression(_ expression: Value) -> Value { expression }

  /// All lines.
  @inlinable
  public static func buildBlock(_ components: Value...) -> Value { components.joined() }

  /// An `if` without `else`.
  @inlinable
  public static func buildOptional(_ component: Value?) -> Value { component ?? .identity }

  /// The first branch of an `if`.
  @inlinable
  public static func buildEither(first component: Value) -> Value { component }

  /// The other branch.
  @inlinable
  public static func buildEither(second component: Value) -> Value { component }

  /// A `for` loop.
  @inlinable
  public static func buildArray(_ components: [Value]) -> Value { components.joined() }

  /// An availability condition.
  @inlinable
  public static func buildLimitedAvailability(_ component: Value) -> Value { component }
}
