/// Joins two values of one kind into a third.
infix operator <> : AdditionPrecedence

/// A type whose values can be joined, in an order that matters but with a
/// grouping that does not: `(a <> b) <> c` equals `a <> (b <> c)`.
public protocol Semigroup {
  /// Joins two values; `lhs` comes first.
  static func <> (lhs: Self, rhs: Self) -> Self
}

/// A semigroup with a neutral value: `identity <> a` and `a <> identity` equal `a`.
public protocol Monoid: Semigroup {
  /// The value that changes nothing when it is joined with another.
  static var identity: Self { get }
}

extension Sequence where Element: Monoid {
  /// Joins all elements in their order; `identity` for none.
  @inlinable
  public func joined() -> Element {
    reduce(.identity) { $0 <> $1 }
  }
}
