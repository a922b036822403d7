/// The bytes of a state value that a reducer may write, or that an observer looks at.
///
/// A store compares spans in place of values: what no accepted reducer's span
/// meets has not changed. A computed property has no place of its own, and
/// counts as the whole state.
@usableFromInline
struct StateSpan: Hashable, Sendable {
  @usableFromInline let lower: Int
  @usableFromInline let upper: Int

  @inlinable
  init(lower: Int, upper: Int) {
    self.lower = lower
    self.upper = upper
  }

  /// All of the state. It begins before the first byte, so that it contains an empty value at offset 0.
  @inlinable
  static var whole: StateSpan { StateSpan(lower: -1, upper: .max) }

  /// The bytes of a value at an offset: none for an empty struct.
  @inlinable
  init<Value>(offset: Int, of _: Value.Type) {
    self.init(lower: offset, upper: offset + MemoryLayout<Value>.size)
  }

  /// The bytes of a property.
  @inlinable
  init<Root, Value>(of path: KeyPath<Root, Value>) {
    if let offset = MemoryLayout<Root>.offset(of: path) {
      self.init(offset: offset, of: Value.self)
    } else {
      self = .whole
    }
  }

  /// This span of a property's value, seen from the property's owner.
  @inlinable
  func inside(_ property: StateSpan) -> StateSpan {
    if self == .whole || property == .whole { return property }
    return StateSpan(lower: property.lower + lower, upper: property.lower + upper)
  }

  /// Whether a write to one may change the other. An empty value has no bytes that a neighbour could change.
  @inlinable
  @inline(__always)
  func overlaps(_ other: StateSpan) -> Bool {
    lower < other.upper && other.lower < upper
  }
}
