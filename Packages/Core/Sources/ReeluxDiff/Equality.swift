/// Equality of values whose type is not known statically.
enum Equality {
  /// Whether the values are equal by their type's own `==`; `nil` if the type is not `Equatable` or the types differ.
  static func ofValues(_ left: Any, _ right: Any) -> Bool? {
    func compare<Value: Equatable>(_ left: Value) -> Bool? {
      guard let right = right as? Value else { return nil }
      return left == right
    }
    guard let left = left as? any Equatable else { return nil }
    return compare(left)
  }

  /// The identity of a class instance; `nil` for other values.
  static func identity(of value: Any) -> ObjectIdentifier? {
    type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }

  /// The id of an `Identifiable` value; `nil` for other values.
  static func id(of value: Any) -> AnyHashable? {
    func read(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
    guard let value = value as? any Identifiable else { return nil }
    return read(value)
  }
}
