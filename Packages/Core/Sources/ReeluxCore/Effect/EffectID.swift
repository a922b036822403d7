/// The id of an effect: a value, its type, and the parts of the state that the effect belongs to.
///
/// `1` as an `Int` and `1` as a `UInt` are two ids, and so are equal-looking
/// cases of two enums. An `EffectID` made of an `EffectID` is equal to it. The
/// id and the index of the middleware that returned the effect make the key in
/// the store's table. So ids of two stores, two features or two elements are
/// never equal.
public struct EffectID: Hashable, Sendable {
  @usableFromInline let type: ObjectIdentifier
  @usableFromInline nonisolated(unsafe) let value: AnyHashable
  /// The parts that the effect belongs to, the outermost first.
  @usableFromInline var scopes: [EffectID] = []

  /// Makes an id.
  @inlinable
  public init<Value: Hashable & Sendable>(_ value: Value) {
    if let id = value as? EffectID {
      self = id
      return
    }
    self.type = ObjectIdentifier(Value.self)
    // Safe to share: `Value` is `Sendable`, which `AnyHashable` cannot say of what it holds.
    self.value = AnyHashable(value)
  }

  /// The same id inside a part of the state.
  @inlinable
  func scoped(to part: EffectID) -> EffectID {
    var copy = self
    copy.scopes.insert(part, at: 0)
    return copy
  }

  /// The same id inside nested parts of the state, the outermost first.
  @inlinable
  func scoped(to parts: [PartPlace]) -> EffectID {
    if parts.isEmpty { return self }
    var copy = self
    copy.scopes.insert(contentsOf: parts.map(\.id), at: 0)
    return copy
  }
}

extension EffectID: CustomStringConvertible {
  /// The value, after the elements it belongs to.
  public var description: String {
    (scopes.map { "\($0.value)" } + ["\(value)"]).joined(separator: "/")
  }
}

/// An id and the middleware that used it.
@usableFromInline
final class EffectKey: Hashable, Sendable {
  @usableFromInline let owner: Int
  @usableFromInline let id: EffectID
  /// Whether it is the id of a feed. It is never equal to the id of an effect.
  @usableFromInline let isFeed: Bool

  @usableFromInline
  init(owner: Int, id: EffectID, isFeed: Bool = false) {
    self.owner = owner
    self.id = id
    self.isFeed = isFeed
  }

  @usableFromInline
  static func == (lhs: EffectKey, rhs: EffectKey) -> Bool {
    lhs.owner == rhs.owner && lhs.isFeed == rhs.isFeed && lhs.id == rhs.id
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(owner)
    hasher.combine(id)
  }
}
