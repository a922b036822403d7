/// The name of an effect: a value, its type, and the elements of collections it belongs to.
///
/// `1` as an `Int` and `1` as a `UInt` are two names, and so are equal-looking
/// cases of two enums. Together with the middleware that returned the effect
/// (its *owner*) it makes the key that the store knows it by, so that names of
/// two stores, two features or two elements never meet.
public struct EffectID: Hashable, Sendable {
  @usableFromInline let type: ObjectIdentifier
  @usableFromInline nonisolated(unsafe) let value: AnyHashable
  @usableFromInline var scopes: [EffectID] = []

  /// Names an effect.
  @inlinable
  public init<Value: Hashable & Sendable>(_ value: Value) {
    self.type = ObjectIdentifier(Value.self)
    // Safe to share: `Value` is `Sendable`, which `AnyHashable` cannot say of what it holds.
    self.value = AnyHashable(value)
  }

  /// The same name inside one element of a collection.
  @inlinable
  func scoped(to element: EffectID) -> EffectID {
    var copy = self
    copy.scopes.append(element)
    return copy
  }
}

extension EffectID: CustomStringConvertible {
  /// The value, after the elements it belongs to.
  public var description: String {
    (scopes.reversed().map { "\($0.value)" } + ["\(value)"]).joined(separator: "/")
  }
}

/// A name and the middleware that used it.
@usableFromInline
final class EffectKey: Hashable, Sendable {
  @usableFromInline let owner: Int
  @usableFromInline let id: EffectID

  @usableFromInline
  init(owner: Int, id: EffectID) {
    self.owner = owner
    self.id = id
  }

  @usableFromInline
  static func == (lhs: EffectKey, rhs: EffectKey) -> Bool { lhs.owner == rhs.owner && lhs.id == rhs.id }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(owner)
    hasher.combine(id)
  }
}
