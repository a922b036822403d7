/// What an effect belongs to while it is carried out: its middleware, its group, its part of the state.
@usableFromInline
struct EffectContext: Sendable {
  @usableFromInline let owner: Int
  @usableFromInline let group: EffectGroup
  /// The parts around it, the outermost first.
  @usableFromInline var places: [PartPlace] = []
  /// Whether it ends with the innermost of them.
  @usableFromInline var endsWithPart = false
  @usableFromInline var isDetached = false

  @inlinable
  init(owner: Int, group: EffectGroup) {
    self.owner = owner
    self.group = group
  }

  @usableFromInline
  func inside(_ place: PartPlace) -> EffectContext {
    var copy = self
    copy.places.append(place)
    copy.endsWithPart = !isDetached
    return copy
  }

  @usableFromInline
  var detached: EffectContext {
    var copy = self
    copy.isDetached = true
    copy.endsWithPart = false
    return copy
  }

  @usableFromInline
  func key(_ id: EffectID, isFeed: Bool = false) -> EffectKey {
    EffectKey(owner: owner, id: id.scoped(to: places), isFeed: isFeed)
  }
}
