public import Synchronization

/// The place of a lifted middleware's part in the state: an element of a collection, or the value of an
/// optional.
///
/// A lift writes it around the effects that its middleware returned. The store
/// makes an ``EffectPart`` of it when one of them starts.
@usableFromInline
final class PartPlace: Sendable {
  @usableFromInline let id: EffectID
  /// Whether the part is in the state now; called on the pipeline only.
  @usableFromInline let isPresent: @Sendable () -> Bool

  @usableFromInline
  init(id: EffectID, isPresent: @escaping @Sendable () -> Bool) {
    self.id = id
    self.isPresent = isPresent
  }
}

/// One stay of a part in the state, while effects of the part run.
///
/// It begins with the part's first effect, and ends when the part is found
/// absent after an action. A part that appears at the same place later is
/// another one. Effects, queued follow-ups and senders of the part hold it; the
/// store refers to it weakly, and forgets it with the last of them.
///
/// `@unchecked Sendable`: `runs` is used under the lock of ``EffectTable`` only.
@usableFromInline
final class EffectPart: @unchecked Sendable {
  @usableFromInline let place: PartPlace
  /// The part of which this one is a part.
  @usableFromInline let enclosing: EffectPart?
  /// The bytes of the state whose change may remove the part.
  @usableFromInline let span: StateSpan
  @usableFromInline let ended = Atomic<Bool>(false)
  /// The effects that end with it.
  var runs: [ObjectIdentifier: Unmanaged<EffectRun>] = [:]

  @usableFromInline
  init(_ place: PartPlace, in enclosing: EffectPart?, span: StateSpan) {
    self.place = place
    self.enclosing = enclosing
    self.span = span
  }

  /// Whether it, or a part around it, has left the state.
  @inlinable
  var hasEnded: Bool {
    ended.load(ordering: .acquiring) || (enclosing?.hasEnded ?? false)
  }
}

/// The parts of a parent's state whose effects are to be cancelled.
@usableFromInline
struct PartSelection: Sendable {
  /// From the state of the middleware that asks for it.
  let path: any AnyKeyPath & Sendable
  /// One element only.
  let element: EffectID?

  @usableFromInline
  init(path: any AnyKeyPath & Sendable, element: EffectID?) {
    self.path = path
    self.element = element
  }
}

extension EffectPart {
  /// The ids of the part and of those around it, the outermost first.
  var ids: [EffectID] { (enclosing?.ids ?? []) + [place.id] }
}

/// The parts that effects belong to. Only the thread that runs the pipeline
/// uses them.
///
/// An action costs one look at `isEmpty` while no effect of a part runs, and a
/// comparison of bytes for each running part while it does not touch them.
@usableFromInline
struct PartTable {
  @usableFromInline
  struct Entry {
    @usableFromInline weak var part: EffectPart?

    @usableFromInline
    init(_ part: EffectPart) { self.part = part }
  }

  @usableFromInline var entries: [EffectKey: Entry] = [:]

  @usableFromInline init() {}

  @inlinable
  var isEmpty: Bool { entries.isEmpty }

  /// The part at the innermost of these places; `nil` if it is not in the state.
  @usableFromInline
  mutating func part(at places: [PartPlace], owner: Int, span: StateSpan) -> EffectPart? {
    var enclosing: EffectPart?
    for (depth, place) in places.enumerated() {
      let key = EffectKey(owner: owner, id: place.id.scoped(to: Array(places[..<depth])))
      if let part = entries[key]?.part, !part.hasEnded {
        enclosing = part
        continue
      }
      if !place.isPresent() { return nil }
      let part = EffectPart(place, in: enclosing, span: span)
      entries[key] = Entry(part)
      enclosing = part
    }
    return enclosing
  }

  /// Removes the parts that have left the state, and those without effects.
  ///
  /// - Parameter isTouched: Whether the last action may have changed these bytes.
  /// - Returns: Those that have left with effects running.
  @usableFromInline
  mutating func takeGone(where isTouched: (StateSpan) -> Bool) -> [EffectPart] {
    var gone: [EffectPart] = []
    var isStale = false
    for entry in entries.values {
      guard let part = entry.part, !part.hasEnded else {
        isStale = true
        continue
      }
      if !isTouched(part.span) || part.place.isPresent() { continue }
      part.ended.store(true, ordering: .releasing)
      gone.append(part)
      isStale = true
    }
    if isStale { entries = entries.filter { $0.value.part?.hasEnded == false } }
    return gone
  }
}
