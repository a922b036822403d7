/// The bytes of a state that a reducer may write, or that an observer reads.
///
/// A store compares spans instead of values: bytes outside the spans of the
/// accepting reducers have not changed. A computed property has no bytes of its
/// own, and counts as the whole state.
@usableFromInline
struct StateSpan: Hashable, Sendable {
  @usableFromInline let lower: Int
  @usableFromInline let upper: Int

  @inlinable
  init(lower: Int, upper: Int) {
    self.lower = lower
    self.upper = upper
  }

  /// The whole state. It begins before the first byte, so it contains an empty value at offset 0.
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

  /// This span of a property's value, as a span of the value that has the
  /// property.
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
