/// Joins two values of one kind into a third.
infix operator <> : AdditionPrecedence

/// A type whose values can be joined, in an order that matters but with a
/// grouping that does not: `(a <> b) <> c` equals `a <> (b <> c)`.
public protocol Semigroup {
  /// Joins two values; `lhs` comes first.
  static func <> (lhs: Self, rhs: Self) -> Self
}
