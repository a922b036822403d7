public import Synchronization

/// A reference to the part of the state that a middleware was lifted to: an element of a collection, or the value of an
/// optional.
///
/// A lift adds it to the effects that its middleware returns. When one of them starts, the store creates an
/// ``EffectPart``.
@usableFromInline final class PartReference: Sendable {
  @usableFromInline let id: EffectID
  /// Whether the part is in the state now. It is called only on the pipeline's thread.
  @usableFromInline let isPresent: @Sendable () -> Bool

  /// Stores a copy of the part for readers after its end. Called on the pipeline's thread when an effect of the part
  /// starts.
  @usableFromInline let storeCopy: @Sendable () -> Void

  @usableFromInline
  init(id: EffectID, isPresent: @escaping @Sendable () -> Bool, storeCopy: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.isPresent = isPresent
    self.storeCopy = storeCopy
  }
}

/// The presence of a part in the state while effects of the part run.
///
/// It begins with the part's first effect. It ends when the part is absent after an action. If a part appears at the
/// same index or with the same key later, it is another one. Effects, queued follow-up actions and senders of the part
/// retain it. The store refers to it weakly, and drops the empty reference at its next search for removed parts.
///
/// `@unchecked Sendable`: `runs` is used only under the lock of ``EffectTable``.
@usableFromInline final class EffectPart: @unchecked Sendable {
  @usableFromInline let reference: PartReference
  @usableFromInline let owner: EffectOwner
  /// The part that contains this part.
  @usableFromInline let enclosing: EffectPart?
  /// The bytes of the state whose change may remove the part.
  @usableFromInline let span: StateSpan
  @usableFromInline let ended = Atomic<Bool>(false)
  /// The effects that end with it, while they are in the table.
  var runs: [ObjectIdentifier: EffectRun] = [:]

  @usableFromInline init(_ reference: PartReference, owner: EffectOwner, in enclosing: EffectPart?, span: StateSpan) {
    self.reference = reference
    self.owner = owner
    self.enclosing = enclosing
    self.span = span
  }

  /// Whether this part, or a part around it, has left the state, or the middleware was removed.
  @usableFromInline var hasEnded: Bool {
    ended.load(ordering: .acquiring) || owner.isRemoved || (enclosing?.hasEnded ?? false)
  }
}

/// The parts of a parent's state whose effects are to be cancelled.
@usableFromInline struct PartSelection: Sendable {
  /// The path from the state of the requesting middleware.
  let path: any AnyKeyPath & Sendable
  /// The only element, if the effects of one element are to be cancelled.
  let element: EffectID?
}

extension EffectPart {
  /// The ids of this part and of the parts around it, the outermost first.
  var ids: [EffectID] { (enclosing?.ids ?? []) + [reference.id] }
}

/// The parts that effects belong to. Only the thread that runs the pipeline uses them.
///
/// An action costs nothing here if its reducer cannot remove a part: the reducer writes other bytes, or it changes one
/// value of a dictionary, or the value of an optional, in place. Otherwise the action costs one look into the state for
/// each running part.
@usableFromInline struct PartTable {
  @usableFromInline struct Entry {
    @usableFromInline weak var part: EffectPart?

    @usableFromInline init(_ part: EffectPart) { self.part = part }
  }

  @usableFromInline var entries: [EffectKey: Entry] = [:]
  /// The middlewares that have had parts. An action of a reducer that can remove none of their parts does not look for
  /// removed parts.
  private var owners: [EffectOwner: (span: StateSpan, liftPath: LiftPath)] = [:]

  @inlinable var isEmpty: Bool { entries.isEmpty }

  /// Registers a middleware before its first part is created. Returns false if it is already registered.
  mutating func insert(_ owner: EffectOwner, span: StateSpan, liftPath: LiftPath) -> Bool {
    owners.updateValue((span, liftPath), forKey: owner) == nil
  }

  /// Removes these middlewares and their parts. Returns whether one of them was registered.
  mutating func remove(_ removed: Set<EffectOwner>) -> Bool {
    let count = owners.count
    for owner in removed { owners[owner] = nil }
    if owners.count == count { return false }
    entries = entries.filter { !removed.contains($0.key.owner) }
    return true
  }

  /// Whether a reducer can end parts. It may write the bytes of `span`, and keeps the elements at `keptElements`.
  func mayEnd(by span: StateSpan, keeping keptElements: LiftPath) -> Bool {
    owners.values.contains { $0.span.overlaps(span) && !keptElements.keepsParts(at: $0.liftPath) }
  }

  /// Whether reducers that may write these bytes can end parts.
  func mayEnd(where isTouched: (StateSpan) -> Bool) -> Bool {
    owners.values.contains { isTouched($0.span) }
  }

  /// Returns the part at the innermost of these references; `nil` if it is not in the state.
  @usableFromInline mutating func part(at references: [PartReference], owner: EffectOwner, span: StateSpan)
    -> EffectPart?
  {
    var enclosing: EffectPart?
    for (depth, reference) in references.enumerated() {
      let key = EffectKey(owner: owner, id: reference.id.scoped(to: references[..<depth].map(\.id)))
      if let part = entries[key]?.part, !part.hasEnded {
        enclosing = part
        continue
      }
      if !reference.isPresent() { return nil }
      let part = EffectPart(reference, owner: owner, in: enclosing, span: span)
      entries[key] = Entry(part)
      enclosing = part
    }
    return enclosing
  }

  /// Removes the parts that have left the state, and the entries of released parts.
  ///
  /// - Parameter isTouched: Whether the last action may have changed these bytes.
  /// - Returns: The parts that have left the state.
  @usableFromInline mutating func takeGone(where isTouched: (StateSpan) -> Bool) -> [EffectPart] {
    var gone: [EffectPart] = []
    var isStale = false
    for entry in entries.values {
      guard let part = entry.part, !part.hasEnded else {
        isStale = true
        continue
      }
      if !isTouched(part.span) || part.reference.isPresent() { continue }
      part.ended.store(true, ordering: .releasing)
      gone.append(part)
      isStale = true
    }
    if isStale { entries = entries.filter { $0.value.part?.hasEnded == false } }
    return gone
  }
}
