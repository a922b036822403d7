/// The place of a part in a state: a stored property, or the key path of a computed one.
@usableFromInline struct StatePath<Whole: Sendable, Part: Sendable>: Sendable {
  @usableFromInline let path: any WritableKeyPath<Whole, Part> & Sendable
  @usableFromInline let stored: StoredProperty<Whole, Part>?

  @inlinable init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    self.path = path
    stored = StoredProperty(path)
  }

  /// Calls `body` with the part. A stored property is passed in place, and a computed property as a copy, which is
  /// written back once if `body` accepted the action.
  @inlinable func update(_ whole: inout Whole, _ body: (inout Part) -> ReducerOutcome) -> ReducerOutcome {
    if let stored { return stored.update(&whole, body) }
    var part = whole[keyPath: path]
    let outcome = body(&part)
    if outcome != .rejected { whole[keyPath: path] = part }
    return outcome
  }

  /// Calls `body` with the part. A stored property is passed in place, and a computed property as a copy.
  @inlinable func read<Result>(_ whole: Lent<Whole>, _ body: (Part) -> Result) -> Result {
    if let stored { return body(stored.part(of: whole).value) }
    return body(whole.value[keyPath: path])
  }
}

/// The bytes of a state that a reducer may write, or that an observer reads.
///
/// A store compares spans instead of values. Bytes outside of the spans of the accepting reducers have not changed. A
/// computed property has no bytes of its own and counts as the whole state.
@usableFromInline struct StateSpan: Hashable, Sendable {
  @usableFromInline let lower: Int
  @usableFromInline let upper: Int

  /// The whole state. It starts before the first byte, so that it contains an empty value at offset 0.
  @usableFromInline static var whole: StateSpan { StateSpan(lower: -1, upper: .max) }

  /// This span is relative to a property. Returns it relative to the value that contains the property.
  func inside(_ property: StateSpan) -> StateSpan {
    if self == .whole || property == .whole { return property }
    return StateSpan(lower: property.lower + lower, upper: property.lower + upper)
  }

  /// Whether a write to one span may change the other. A value of size 0 overlaps no other value.
  @inlinable @inline(__always) func overlaps(_ other: StateSpan) -> Bool {
    lower < other.upper && other.lower < upper
  }
}

extension StateSpan {
  /// The bytes of a property. An empty struct has none.
  @usableFromInline init(of path: AnyKeyPath) {
    func span<Root, Value>(_: Root.Type, _: Value.Type) -> StateSpan {
      guard let offset = (path as? KeyPath<Root, Value>).flatMap(MemoryLayout<Root>.offset) else { return .whole }
      return StateSpan(lower: offset, upper: offset + MemoryLayout<Value>.size)
    }
    let (root, value) = (type(of: path).rootType, type(of: path).valueType)
    self = span(root, value)
  }
}
