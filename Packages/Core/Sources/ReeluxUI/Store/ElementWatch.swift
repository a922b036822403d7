import ReeluxCore
import Synchronization

/// Finds one element of a collection in each state. The search begins where the element was found last.
final class ElementSearch<Element: Identifiable & Sendable>: Sendable {
  private let wanted: Element
  private let offset = Atomic(0)

  init(for wanted: Element) {
    self.wanted = wanted
  }

  func element(in elements: some Collection<Element>) -> Element? {
    var offset = offset.load(ordering: .relaxed)
    guard let index = elements.index(of: wanted.id, near: &offset, id: { $1.id }) else { return nil }
    self.offset.store(offset, ordering: .relaxed)
    return elements[index]
  }
}

/// Calls its third argument with each element of the first collection whose id is not in the second one.
@usableFromInline
typealias ElementRemoval<Elements: Collection> = @Sendable (Elements, Elements, (Elements.Element) -> Void) -> Void

/// Skips the elements that both collections have at their beginning and at their end. If no element was removed, it
/// hashes only the others.
@inlinable func removedElements<Elements: RandomAccessCollection>(
  _ before: Elements, _ after: Elements, _ removed: (Elements.Element) -> Void
) where Elements.Element: Identifiable {
  if areSameArray(before, after) { return }
  var beginning = 0
  for (old, new) in zip(before, after) {
    if old.id != new.id { break }
    beginning += 1
  }
  if beginning == before.count { return }
  var end = 0
  for (old, new) in zip(before.dropFirst(beginning).reversed(), after.dropFirst(beginning).reversed()) {
    if old.id != new.id { break }
    end += 1
  }
  let ids = Set(after.dropFirst(beginning).dropLast(end).lazy.map(\.id))
  let gone = before.dropFirst(beginning).dropLast(end).filter { !ids.contains($0.id) }
  if gone.isEmpty { return }
  // An id that occurs twice may remain at the beginning or at the end.
  let kept = Set(after.prefix(beginning).lazy.map(\.id)).union(after.suffix(end).lazy.map(\.id))
  for element in gone where !kept.contains(element.id) { removed(element) }
}

/// The elements of a collection whose stores end when the element is removed, even if the main actor never shows a
/// state without this element.
final class ElementWatch<Elements: RandomAccessCollection & Sendable>: Sendable
where Elements.Element: Identifiable & Sendable {
  private struct Row {
    let element: Elements.Element
    let lifetime: Lifetime
  }

  private struct Contents {
    /// The displayed elements. They contain all rows.
    var shown: Elements?
    var rows: [Row] = []
  }

  private let contents = Locked(Contents())
  private let removed: ElementRemoval<Elements>

  init(removed: @escaping ElementRemoval<Elements>) {
    self.removed = removed
  }

  /// Adds the store of a displayed element.
  func add(_ element: Elements.Element, _ lifetime: Lifetime, of shown: Elements) {
    contents.withLock { contents in
      contents.rows.append(Row(element: element, lifetime: lifetime))
      if contents.shown == nil { contents.shown = shown }
    }
  }

  /// Replaces the displayed elements.
  func show(_ elements: Elements?) {
    let old = contents.withLock { contents in
      defer { contents.shown = elements }
      return contents.shown
    }
    // The old elements are released here, because their end may call code of the app.
    withExtendedLifetime(old) {}
  }

  /// Ends the stores of removed elements. Unchanged elements cost O(1), others O(count).
  func look(at elements: Elements) {
    let (shown, rows) = contents.withLock { ($0.shown, $0.rows) }
    guard let shown, !rows.isEmpty else { return }
    var ids: Set<Elements.Element.ID> = []
    removed(shown, elements) { ids.insert($0.id) }
    if ids.isEmpty { return }
    let ended = rows.filter { ids.contains($0.element.id) }
    if ended.isEmpty { return }
    for row in ended { row.lifetime.endPart() }
    removeEnded()
  }

  func removeEnded() {
    let old = contents.withLock { contents in
      defer { contents.rows = contents.rows.filter { !$0.lifetime.hasEnded } }
      return contents.rows
    }
    withExtendedLifetime(old) {}
  }
}
