/// A reference to the part of the state that a middleware was lifted to: an element of a collection, or the value of an
/// optional.
///
/// A lift adds it to the effects that its middleware returns. When they start, the store creates an
/// ``EffectOwner``.
@usableFromInline final class PartReference: Sendable {
  @usableFromInline let id: EffectID
  /// Whether the part is in the state now. It is called only on the pipeline's thread.
  @usableFromInline let isPresent: @Sendable () -> Bool

  @usableFromInline init(id: EffectID, isPresent: @escaping @Sendable () -> Bool) {
    self.id = id
    self.isPresent = isPresent
  }
}

/// The parts that effects belong to. Only the thread that runs the pipeline uses them.
///
/// An action costs nothing here if its reducer cannot remove a part. This is true for a reducer that writes other
/// bytes. It is also true for one that changes an element of the collection, or the value of the optional, in place and
/// keeps its id. Any other action costs one look-up in the state for each part with effects.
@usableFromInline struct PartTable {
  private struct Entry {
    weak var part: EffectOwner?
  }

  private var entries: [EffectKey: Entry] = [:]
  /// The middlewares that have had parts. If a reducer can remove none of their parts, its actions skip the search for
  /// removed parts.
  var middlewares: Set<EffectOwner> = []

  @usableFromInline var isEmpty: Bool { entries.isEmpty }

  /// Removes these middlewares and their parts.
  mutating func remove(_ removed: Set<EffectOwner>) {
    middlewares.subtract(removed)
    entries = entries.filter { !removed.contains($0.key.owner) }
  }

  /// Whether a reducer at this path can end parts.
  func mayRemoveParts(byReducerAt reducer: LiftPath) -> Bool {
    middlewares.contains { $0.span.overlaps(reducer.span) && !reducer.keepsParts(at: $0.liftPath) }
  }

  /// Whether reducers that may write these bytes can end parts.
  func mayRemoveParts(inBytes isTouched: (StateSpan) -> Bool) -> Bool {
    middlewares.contains { isTouched($0.span) }
  }

  /// Returns the part at a reference. A part that is not in the state has ended.
  mutating func part(at reference: PartReference, in enclosing: EffectOwner) -> EffectOwner {
    let key = EffectKey(owner: enclosing.middleware, id: reference.id.scoped(to: enclosing.ids))
    if let part = entries[key]?.part, !part.hasEnded { return part }
    let part = EffectOwner(reference, in: enclosing, span: enclosing.span, liftPath: enclosing.liftPath)
    if reference.isPresent() { entries[key] = Entry(part: part) } else { part.end() }
    return part
  }

  /// Removes the parts that have left the state, and the entries of released parts.
  ///
  /// - Parameter isTouched: Whether the last action may have changed these bytes.
  /// - Returns: The parts that have left the state.
  mutating func takeRemoved(where isTouched: (StateSpan) -> Bool) -> [EffectOwner] {
    var isStale = false
    let gone = entries.values.compactMap { entry -> EffectOwner? in
      guard let part = entry.part, !part.hasEnded else {
        isStale = true
        return nil
      }
      return isTouched(part.span) && part.part?.isPresent() == false ? part : nil
    }
    for part in gone { part.end() }
    if isStale || !gone.isEmpty { entries = entries.filter { $0.value.part?.hasEnded == false } }
    return gone
  }
}
