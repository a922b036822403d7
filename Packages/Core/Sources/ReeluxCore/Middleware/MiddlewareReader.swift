/// A function from dependencies to a middleware.
///
/// Each injection makes a new middleware. The type parameter `Value` is usually a
/// ``Middleware``, but can be any type that is built from dependencies.
public struct MiddlewareReader<Dependencies, Value: Sendable>: Sendable {
  @usableFromInline let build: @Sendable (Dependencies) -> Value

  /// Makes a reader that builds its value from the dependencies.
  @inlinable
  public init(_ build: @escaping @Sendable (Dependencies) -> Value) {
    self.build = build
  }

  /// A reader that needs no dependencies.
  @inlinable
  public static func pure(_ value: @autoclosure @escaping @Sendable () -> Value) -> MiddlewareReader {
    MiddlewareReader { _ in value() }
  }

  /// Builds the value.
  @inlinable
  public func inject(_ dependencies: Dependencies) -> Value {
    build(dependencies)
  }

  /// The same reader with its value transformed.
  @inlinable
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> MiddlewareReader<
    Dependencies, Other
  > {
    let build = self.build
    return MiddlewareReader<Dependencies, Other> { transform(build($0)) }
  }

  /// The same reader for larger dependencies.
  @inlinable
  public func contramap<World>(
    _ transform: @escaping @Sendable (World) -> Dependencies
  ) -> MiddlewareReader<World, Value> {
    let build = self.build
    return MiddlewareReader<World, Value> { build(transform($0)) }
  }

  /// A reader that depends on this one's value.
  @inlinable
  public func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> MiddlewareReader<Dependencies, Other>
  ) -> MiddlewareReader<Dependencies, Other> {
    let build = self.build
    return MiddlewareReader<Dependencies, Other> { transform(build($0)).inject($0) }
  }

  /// Two readers as one.
  @inlinable
  public static func zip<First: Sendable, Second: Sendable>(
    _ first: MiddlewareReader<Dependencies, First>, _ second: MiddlewareReader<Dependencies, Second>
  ) -> MiddlewareReader<Dependencies, Value> where Value == (First, Second) {
    MiddlewareReader { (first.inject($0), second.inject($0)) }
  }
}

extension MiddlewareReader: Semigroup where Value: Semigroup {
  /// A reader that joins both values; the left one's comes first.
  @inlinable
  public static func <> (lhs: MiddlewareReader, rhs: MiddlewareReader) -> MiddlewareReader {
    MiddlewareReader { lhs.inject($0) <> rhs.inject($0) }
  }
}

extension MiddlewareReader: Monoid where Value: Monoid {
  /// The reader of the value's identity.
  @inlinable
  public static var identity: MiddlewareReader { MiddlewareReader { _ in .identity } }
}
