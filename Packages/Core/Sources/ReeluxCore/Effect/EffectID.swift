/// The id of an effect. It consists of a value, the value's type, and the parts of the state that the effect belongs
/// to.
///
/// `1` as an `Int` and `1` as a `UInt` are different ids. Cases with the same name in two enums are different ids too.
/// An `EffectID` created from an `EffectID` is equal to it. The key in the store's table consists of the id and the
/// middleware that returned the effect. Stores, features and elements can therefore use equal ids for different
/// effects. The store calls `==` and `hash(into:)` of the value under a lock, so they must not use a store.
public struct EffectID: Hashable, @unchecked Sendable {
  @usableFromInline let type: ObjectIdentifier
  /// Always contains a `Sendable` value. The type `AnyHashable` does not express this.
  @usableFromInline let value: AnyHashable
  /// The parts that the effect belongs to, the outermost first.
  @usableFromInline var scopes: [EffectID] = []

  /// Creates an id.
  @inlinable public init<Value: Hashable & Sendable>(_ value: Value) {
    if let id = value as? EffectID {
      self = id
      return
    }
    self.type = ObjectIdentifier(Value.self)
    self.value = AnyHashable(value)
  }

  /// Returns the same id inside nested parts of the state with these ids, the outermost first.
  @inlinable func scoped(to parts: [EffectID]) -> EffectID {
    if parts.isEmpty { return self }
    var copy = self
    copy.scopes = parts + scopes
    return copy
  }
}

extension EffectID: CustomStringConvertible {
  /// The text of the value, preceded by the elements that it belongs to.
  public var description: String {
    (scopes.map { "\($0.value)" } + ["\(value)"]).joined(separator: "/")
  }
}

/// An id and the middleware that used it.
@usableFromInline struct EffectKey: Hashable, Sendable {
  let owner: EffectOwner
  let id: EffectID
}
