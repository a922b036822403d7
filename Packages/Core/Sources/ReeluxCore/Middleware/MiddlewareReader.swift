/// A function from dependencies to a middleware.
///
/// Each injection creates a new middleware. The type `Value` is usually a ``Middleware``, but may be any type that is
/// created from dependencies.
public struct MiddlewareReader<Dependencies, Value: Sendable>: Sendable {
  @usableFromInline let build: @Sendable (Dependencies) -> Value

  /// Creates a reader that creates its value from the dependencies.
  @inlinable public init(_ build: @escaping @Sendable (Dependencies) -> Value) {
    self.build = build
  }

  /// Creates a reader without dependencies.
  @inlinable public static func pure(_ value: @autoclosure @escaping @Sendable () -> Value) -> MiddlewareReader {
    MiddlewareReader { _ in value() }
  }

  /// Creates the value from dependencies.
  @inlinable public func inject(_ dependencies: Dependencies) -> Value {
    build(dependencies)
  }

  /// Returns the same reader with a transformed value.
  @inlinable public func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> MiddlewareReader<
    Dependencies, Other
  > {
    MiddlewareReader<Dependencies, Other> { [build] in transform(build($0)) }
  }

  /// Returns the same reader for larger dependencies.
  @inlinable public func contramap<World>(
    _ transform: @escaping @Sendable (World) -> Dependencies
  ) -> MiddlewareReader<World, Value> {
    MiddlewareReader<World, Value> { [build] in build(transform($0)) }
  }

  /// Returns a reader that depends on this reader's value.
  @inlinable public func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> MiddlewareReader<Dependencies, Other>
  ) -> MiddlewareReader<Dependencies, Other> {
    MiddlewareReader<Dependencies, Other> { [build] in transform(build($0)).inject($0) }
  }

  /// Combines two readers.
  @inlinable public static func zip<First: Sendable, Second: Sendable>(
    _ first: MiddlewareReader<Dependencies, First>, _ second: MiddlewareReader<Dependencies, Second>
  ) -> MiddlewareReader<Dependencies, Value> where Value == (First, Second) {
    MiddlewareReader { (first.inject($0), second.inject($0)) }
  }
}

extension MiddlewareReader: Semigroup where Value: Semigroup {
  /// Returns a reader that composes both values, the left one first.
  @inlinable public static func <> (lhs: MiddlewareReader, rhs: MiddlewareReader) -> MiddlewareReader {
    MiddlewareReader { lhs.inject($0) <> rhs.inject($0) }
  }
}

extension MiddlewareReader: Monoid where Value: Monoid {
  /// The reader of the identity.
  @inlinable public static var identity: MiddlewareReader { MiddlewareReader { _ in .identity } }
}
