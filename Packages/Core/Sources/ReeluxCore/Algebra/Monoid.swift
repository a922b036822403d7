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
