/// What follows one part of a store's state.
@MainActor
class Part<State: Sendable> {
  /// Takes over the part of the new state.
  func commit(_ old: State, _ new: State, into round: inout Round) {}
}

/// A store of a part, whatever actions it takes.
@MainActor
protocol PartStore<State>: AnyObject {
  associatedtype State: Sendable
  var isPresent: Bool { get set }
  func commit(_ new: State, into round: inout Round)
}

extension MainActorStore: PartStore {}

/// A property that has a store.
final class PropertyPart<State: Sendable, PartAction: Sendable, PartState: Sendable>: Part<State> {
  let store: MainActorStore<PartAction, PartState>
  private let path: KeyPath<State, PartState>

  init(path: KeyPath<State, PartState>, store: MainActorStore<PartAction, PartState>) {
    self.path = path
    self.store = store
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    store.commit(new[keyPath: path], into: &round)
  }
}

/// An optional part: whether it is there, which one it is, and its stores.
final class OptionalPart<State: Sendable, PartState: Sendable>: Part<State> {
  private let path: KeyPath<State, PartState?>
  private let isSame: (PartState, PartState) -> Bool
  private var registration = Registration()
  private var stores: [ProjectionKey: any PartStore<PartState>] = [:]
  /// Counts the parts that came and went; `nil` while there is none.
  private var number: UInt64 = 0

  init(path: KeyPath<State, PartState?>, isSame: @escaping (PartState, PartState) -> Bool) {
    self.path = path
    self.isSame = isSame
  }

  /// The number of the part that is there, or `nil`; the same number is the same part.
  func number(in shown: State) -> UInt64? {
    registration.access()
    return shown[keyPath: path] == nil ? nil : number
  }

  /// The part's store, while the part is there.
  func store<PartAction: Sendable>(
    _ key: ProjectionKey, in shown: State, make: (PartState) -> MainActorStore<PartAction, PartState>
  ) -> MainActorStore<PartAction, PartState>? {
    registration.access()
    guard let part = shown[keyPath: path] else { return nil }
    if let store = stores[key] as? MainActorStore<PartAction, PartState> { return store }
    let store = make(part)
    stores[key] = store
    return store
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    let part = new[keyPath: path]
    switch (old[keyPath: path], part) {
    case (nil, nil): return
    case (let before?, let after?) where isSame(before, after):
      for store in stores.values { store.commit(after, into: &round) }
    default:
      for store in stores.values { store.isPresent = false }
      stores = [:]
      number += 1
      round.registrations.append(registration)
      registration = Registration()
    }
  }
}

/// The elements of a collection that have a store.
final class ElementParts<State: Sendable, ElementAction: Sendable, Elements: RandomAccessCollection & Sendable>:
  Part<State>
where Elements.Element: Identifiable & Equatable & Sendable {
  typealias ID = Elements.Element.ID
  typealias Store = MainActorStore<ElementAction, Elements.Element>

  private struct Row {
    let registration = Registration()
    /// `nil` for an element that was asked for and is not there.
    let store: Store?
  }

  private let path: KeyPath<State, Elements>
  private var rows: [ID: Row] = [:]
  /// Where the elements are; made when a row is first asked for, and again after an element came, went or moved.
  private var offsets: [ID: Int]?

  init(path: KeyPath<State, Elements>) {
    self.path = path
  }

  /// The element's store, while the element is there.
  func store(_ id: ID, in shown: State, make: (Elements.Element) -> Store) -> Store? {
    if let row = rows[id] {
      row.registration.access()
      return row.store
    }
    let row = Row(store: element(id, in: shown[keyPath: path]).map(make))
    row.registration.access()
    rows[id] = row
    return row.store
  }

  private func element(_ id: ID, in elements: Elements) -> Elements.Element? {
    let offsets = self.offsets ?? Self.offsets(in: elements)
    self.offsets = offsets
    return offsets[id].map { elements[elements.index(elements.startIndex, offsetBy: $0)] }
  }

  private static func offsets(in elements: Elements) -> [ID: Int] {
    Dictionary(elements.lazy.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  override func commit(_ old: State, _ new: State, into round: inout Round) {
    let before = old[keyPath: path]
    let after = new[keyPath: path]
    if Self.areSameStorage(before, after) { return }
    if rows.isEmpty {
      offsets = nil
      return
    }
    var hasMoved = before.count != after.count
    for (old, new) in zip(before, after) {
      if old.id != new.id {
        hasMoved = true
        break
      }
      if old != new { rows[new.id]?.store?.commit(new, into: &round) }
    }
    if hasMoved { follow(after, into: &round) }
  }

  /// Elements came, went or moved: each row looks for its element.
  private func follow(_ elements: Elements, into round: inout Round) {
    offsets = nil
    for (id, row) in rows {
      let element = element(id, in: elements)
      if let store = row.store, let element {
        if store.shown != element { store.commit(element, into: &round) }
      } else if (row.store == nil) != (element == nil) {
        row.store?.isPresent = false
        rows[id] = nil
        round.registrations.append(row.registration)
      }
    }
  }

  /// Whether both are one array that nobody has changed; false if that cannot be seen.
  private static func areSameStorage(_ lhs: Elements, _ rhs: Elements) -> Bool {
    let same = lhs.withContiguousStorageIfAvailable { left in
      rhs.withContiguousStorageIfAvailable { right in
        left.baseAddress == right.baseAddress && left.count == right.count
      }
    }
    return same.flatMap { $0 } ?? false
  }
}
