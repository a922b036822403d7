/// Calls its third argument with each element that differs from the previous element at the same place, and with its
/// offset.
///
/// - Returns: Whether an element was added, removed or moved. If so, not all elements were compared.
@usableFromInline
typealias ElementComparison<Elements: Collection> = (Elements, Elements, (Elements.Element, Int) -> Void) -> Bool

@inlinable func compareElements<Elements: Collection>(
  _ before: Elements, _ after: Elements, _ changed: (Elements.Element, Int) -> Void
) -> Bool where Elements.Element: Identifiable & Equatable {
  if areSameArray(before, after) { return false }
  if before.count != after.count { return true }
  var offset = 0
  for (old, new) in zip(before, after) {
    if old.id != new.id { return true }
    if old != new { changed(new, offset) }
    offset += 1
  }
  return false
}

/// Whether two collections have elements with the same ids, in the same order.
@inlinable func haveSameIDs<Elements: Collection>(_ before: Elements, _ after: Elements) -> Bool
where Elements.Element: Identifiable {
  if before.count != after.count { return false }
  if areSameArray(before, after) { return true }
  for (old, new) in zip(before, after) where old.id != new.id { return false }
  return true
}

/// Whether both are unchanged copies of one array; false if this is unknown. O(1).
///
/// This is correct, because only the addresses are compared, while both collections are retained.
@inlinable func areSameArray<Elements: Collection>(_ before: Elements, _ after: Elements) -> Bool {
  let same: Bool?? = before.withContiguousStorageIfAvailable { before in
    after.withContiguousStorageIfAvailable { after in
      unsafe before.baseAddress == after.baseAddress && before.count == after.count
    }
  }
  return (same ?? nil) ?? false
}

/// The elements of a collection that have stores.
final class ElementParts<State: Sendable, RowAction: Sendable, Elements: RandomAccessCollection & Sendable>:
  Part<State>
where Elements.Element: Identifiable & Equatable & Sendable {
  typealias ID = Elements.Element.ID
  typealias Store = MainActorStore<RowAction, Elements.Element>

  private struct Row {
    let registration = Registration()
    let store: Store
  }

  private let path: any KeyPath<State, Elements> & Sendable
  private var rows: [ID: Row] = [:]
  /// The requested ids that no element has, with their trackers.
  private var missing: [ID: Registration] = [:]
  /// The indexes of the elements. They are computed at the first request for a row, and again after an element was
  /// added, removed or moved.
  private var offsets: [ID: Int]?
  private var lastEnd = Lifetime.lastEnd
  private let compare: ElementComparison<Elements>
  private let removed: ElementRemoval<Elements>
  private let newest: @MainActor () -> State?
  /// The displayed elements that are not in the newest state, until this state is displayed.
  private var absent: (newest: Elements, ids: Set<ID>)?
  private let elementWatch: ElementWatch<Elements>
  /// Whether the pipeline's thread looks for removed elements. It is false for a computed collection, which would
  /// otherwise be computed for each action.
  private let isWatched: Bool

  init(
    path: any KeyPath<State, Elements> & Sendable, compare: @escaping ElementComparison<Elements>,
    removed: @escaping ElementRemoval<Elements>, watch: @MainActor (@escaping Watches<State>.Look) -> Void,
    newest: @escaping @MainActor () -> State?
  ) {
    self.path = path
    self.compare = compare
    self.removed = removed
    self.newest = newest
    elementWatch = ElementWatch(removed: removed)
    isWatched = MemoryLayout<State>.offset(of: path) != nil
    super.init()
    if !isWatched { return }
    watch { [path, weak elementWatch] state in
      elementWatch?.look(at: state[keyPath: path])
      return elementWatch != nil
    }
  }

  /// The element's store, while the element exists.
  func store(_ id: ID, in shown: State, make: (Elements.Element) -> Store) -> Store? {
    if let row = rows[id] {
      row.registration.access()
      return row.store
    }
    let elements = shown[keyPath: path]
    guard let element = element(id, in: elements) else {
      let registration = missing[id] ?? Registration()
      missing[id] = registration
      registration.access()
      return nil
    }
    let row = Row(store: make(element))
    row.registration.access()
    rows[id] = row
    if isWatched {
      elementWatch.add(element, row.store.lifetime, of: elements)
      if isRemoved(id, from: elements) { row.store.lifetime.endPart() }
    }
    return row.store
  }

  /// Whether the newest state, which is not displayed yet, is without a displayed element.
  private func isRemoved(_ id: ID, from shown: Elements) -> Bool {
    guard let newest = newest()?[keyPath: path] else { return false }
    if let absent, areSameArray(absent.newest, newest) { return absent.ids.contains(id) }
    var ids: Set<ID> = []
    removed(shown, newest) { ids.insert($0.id) }
    absent = (newest, ids)
    return ids.contains(id)
  }

  private func element(_ id: ID, in elements: Elements) -> Elements.Element? {
    offset(of: id, in: elements).map { elements[elements.index(elements.startIndex, offsetBy: $0)] }
  }

  /// The offset of the first element with this id.
  private func offset(of id: ID, in elements: Elements) -> Int? {
    let offsets = self.offsets ?? Self.offsets(in: elements)
    self.offsets = offsets
    return offsets[id]
  }

  private static func offsets(in elements: Elements) -> [ID: Int] {
    Dictionary(elements.lazy.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    absent = nil
    if rows.isEmpty, missing.isEmpty {
      offsets = nil
      elementWatch.show(nil)
      return
    }
    let after = new[keyPath: path]
    if isWatched { elementWatch.show(after) }
    // An element may be equal, although it or a part of it was removed and added again between two turns.
    let end = Lifetime.lastEnd
    let hasPartEnded = lastEnd != end
    lastEnd = end
    if hasPartEnded { return follow(after, into: &round) }
    // The elements before the first one that was added, removed or moved have the same offsets as before.
    let hasMoved = compare(old[keyPath: path], after) { element, offset in
      guard let store = rows[element.id]?.store, self.offset(of: element.id, in: after) == offset else { return }
      store.commit(element, into: &round)
    }
    if hasMoved { follow(after, into: &round) }
  }

  /// Updates the stores of all rows after elements were added, removed or moved. A row whose element was removed and
  /// added again gets a new store.
  private func follow(_ elements: Elements, into round: inout Round) {
    offsets = nil
    var hasRemoved = false
    for (id, row) in rows {
      let element = element(id, in: elements)
      if let element, !row.store.lifetime.hasEnded {
        if row.store.shown != element || row.store.hasEndedPart { row.store.commit(element, into: &round) }
      } else {
        row.store.lifetime.end()
        rows[id] = nil
        hasRemoved = true
        round.registrations.append(row.registration)
      }
    }
    if hasRemoved { elementWatch.removeEnded() }
    // If many ids are missing, all of their trackers are called. A change of the list therefore limits their number.
    let isFull = missing.count > elements.count + 100
    for (id, registration) in missing where isFull || offset(of: id, in: elements) != nil {
      missing[id] = nil
      round.registrations.append(registration)
    }
  }

  override var hasEndedPart: Bool {
    rows.values.contains { $0.store.lifetime.hasEnded || $0.store.hasEndedPart }
  }
}
