/// An action for one element of a collection.
public struct ElementAction<ID, Action> {
  /// The element's id, index or key.
  public var id: ID
  /// The action for this element.
  public var action: Action

  /// Creates an action for the element with this id.
  @inlinable public init(_ id: ID, _ action: Action) {
    self.id = id
    self.action = action
  }
}

extension ElementAction: Sendable where ID: Sendable, Action: Sendable {}
extension ElementAction: Equatable where ID: Equatable, Action: Equatable {}
extension ElementAction: Hashable where ID: Hashable, Action: Hashable {}
extension ElementAction: Encodable where ID: Encodable, Action: Encodable {}
extension ElementAction: Decodable where ID: Decodable, Action: Decodable {}

/// A collection that finds an element by its id in constant time.
///
/// Conform your collection to make lifts by id O(1). In other collections the store searches for the element, which
/// costs O(count).
public protocol IdentifiedCollection: MutableCollection where Element: Identifiable {
  /// The index of the element with this id, or `nil`; O(1).
  func index(id: Element.ID) -> Index?
}

/// The place of a collection's elements in a state. It finds one element by its id, index or key.
///
/// ```swift
/// Feature.row.lift(action: .row, element: .byID(\.rows))
/// Feature.tab.lift(action: .tab, element: .byKey(\.tabs))
/// ```
///
/// Actions for an element that does not exist are not accepted. This is not an error.
public struct ElementPath<Whole: Sendable, ID: Hashable & Sendable, Element: Sendable>: Sendable {
  @usableFromInline typealias Visit = (inout Element) -> ReducerOutcome
  @usableFromInline typealias IDProperty = any PartialKeyPath<Element> & Sendable

  @usableFromInline let path: any PartialKeyPath<Whole> & Sendable
  /// The property by which elements are found; `nil` for an index, a key, or an optional without an id.
  @usableFromInline let id: IDProperty?
  /// What a reducer of an element changes. It has a path if the reducer changes one element in place.
  @usableFromInline let liftPath: LiftPath
  /// Calls its third argument with the element in place. Returns `rejected` if there is no such element.
  @usableFromInline let update: @Sendable (inout Whole, ID, Visit) -> ReducerOutcome
  /// The element, if it is present.
  @usableFromInline let find: @Sendable (Lent<Whole>, ID) -> Element?
  /// Whether the element is present, without a copy of it. The search begins at the third argument, the position at
  /// which the element was found last. Before the first search it is 0.
  @usableFromInline let has: @Sendable (Lent<Whole>, ID, inout Int) -> Bool
  @usableFromInline let all: @Sendable (Lent<Whole>) -> [(id: ID, element: Element)]

  /// Whether each action reaches all elements, as in a lift over each element.
  @usableFromInline let reachesAll: Bool
  /// For an optional: the id of its value, which each action reaches. For a collection or a dictionary: `nil`.
  @usableFromInline let presentID: (@Sendable (Lent<Whole>) -> ID?)?

  @inlinable init<Container>(
    of part: StatePath<Whole, Container>, id: IDProperty? = nil, reachesAll: Bool = false,
    presentID: (@Sendable (Lent<Whole>) -> ID?)? = nil,
    update: @escaping @Sendable (inout Whole, ID, Visit) -> ReducerOutcome,
    find: @escaping @Sendable (Lent<Whole>, ID) -> Element?,
    has: @escaping @Sendable (Lent<Whole>, ID, inout Int) -> Bool,
    all: @escaping @Sendable (Lent<Whole>) -> [(id: ID, element: Element)]
  ) {
    path = part.path
    self.id = id
    liftPath =
      part.stored == nil || reachesAll
      ? LiftPath.unknown.lifted(by: path) : LiftPath.whole.inside(elementOf: path, by: id)
    self.reachesAll = reachesAll
    self.presentID = presentID
    self.update = update
    self.find = find
    self.has = has
    self.all = all
  }

  /// - Parameters:
  ///   - index: The index of an element. Its third argument is the hint of `has`.
  ///   - isFound: Whether an element is found by this id. It is called after a reducer has changed the element.
  @inlinable init<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable, id: IDProperty? = nil, reachesAll: Bool = false,
    index: @escaping @Sendable (Elements, ID, inout Int) -> Elements.Index?,
    isFound: @escaping @Sendable (Element, ID) -> Bool = { _, _ in true },
    all: @escaping @Sendable (Elements) -> [(id: ID, element: Element)]
  ) where Elements.Element == Element {
    let part = StatePath(path)
    self.init(
      of: part, id: id, reachesAll: reachesAll,
      update: { whole, id, visit in
        part.update(&whole) { elements in
          var (hint, outcome) = (0, ReducerOutcome.rejected)
          func change(_ element: inout Element) {
            let own = visit(&element)
            outcome = max(outcome, own == .accepted && !isFound(element, id) ? .changedID : own)
          }
          if !reachesAll {
            if let index = index(elements, id, &hint) { change(&elements[index]) }
            return outcome
          }
          var index = elements.startIndex
          while index != elements.endIndex {
            change(&elements[index])
            elements.formIndex(after: &index)
          }
          return outcome
        }
      },
      find: { whole, id in
        part.read(whole) { elements in
          var hint = 0
          return index(elements, id, &hint).map { elements[$0] }
        }
      },
      has: { whole, id, hint in part.read(whole) { index($0, id, &hint) != nil } },
      all: { whole in part.read(whole, all) })
  }

  /// The elements of a collection, found by one of their properties. Costs O(count) for each action.
  @inlinable public static func byID<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable, _ id: any KeyPath<Element, ID> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    ElementPath(
      path, id: id, index: { elements, wanted, hint in elements.index(of: wanted, near: &hint) { $1[keyPath: id] } },
      isFound: { $0[keyPath: id] == $1 }, all: { elements in elements.map { ($0[keyPath: id], $0) } })
  }

  /// All elements of a collection. `id` returns the id of an element from its offset and its value.
  @inlinable static func each<Elements: MutableCollection & Sendable, Key>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable, by property: IDProperty? = nil,
    id: @escaping @Sendable (Int, Element) -> Key
  ) -> ElementPath where Elements.Element == Element, ID == EachID<Key> {
    ElementPath(
      path, id: property, reachesAll: true,
      index: { elements, wanted, shift in
        // The hint is how far the element has moved since the action reached it.
        var offset = wanted.offset + shift
        defer { shift = offset - wanted.offset }
        return elements.index(of: wanted.id, near: &offset, id: id)
      },
      all: { elements in elements.enumerated().map { (EachID(id: id($0, $1), offset: $0), $1) } })
  }

  /// The elements of a collection, found by index in O(1). Actions for an index out of range are not accepted.
  @inlinable public static func byIndex<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element, Elements.Index == ID {
    ElementPath(
      path, index: { elements, index, _ in index >= elements.startIndex && index < elements.endIndex ? index : nil },
      all: { elements in elements.indices.map { ($0, elements[$0]) } })
  }

  /// The values of a dictionary, found by key in O(1).
  @inlinable public static func byKey(_ path: any WritableKeyPath<Whole, [ID: Element]> & Sendable) -> ElementPath {
    let part = StatePath(path)
    return ElementPath(
      of: part,
      update: { whole, key, visit in
        part.update(&whole) { values in
          guard let index = values.index(forKey: key) else { return .rejected }
          return visit(&values.values[index])
        }
      },
      find: { whole, key in part.read(whole) { values in values[key] } },
      has: { whole, key, _ in part.read(whole) { values in values.index(forKey: key) != nil } },
      all: { whole in part.read(whole) { values in values.map { ($0.key, $0.value) } } })
  }
}

extension ElementPath where Element: Identifiable, ID == Element.ID {
  /// The elements of a collection, found by id. Costs O(count) for each action.
  @inlinable public static func byID<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    ElementPath(
      path, id: \Element.id, index: { elements, wanted, hint in elements.index(of: wanted, near: &hint) { $1.id } },
      isFound: { $0.id == $1 }, all: { elements in elements.map { ($0.id, $0) } })
  }

  /// The elements of a collection that finds them by id in O(1).
  @inlinable public static func byID<Elements: IdentifiedCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    ElementPath(
      path, id: \Element.id, index: { elements, id, _ in elements.index(id: id) }, isFound: { $0.id == $1 },
      all: { $0.map { ($0.id, $0) } })
  }
}

/// The id of an element in a lift over each element, or of the value of an optional.
@usableFromInline struct EachID<ID: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
  /// `nil` in an action, which reaches all elements, or the value that is present.
  @usableFromInline let id: ID?
  /// The offset of the element when an action reached it. It only says where the search begins, so `==` ignores it.
  @usableFromInline let offset: Int

  @inlinable init(id: ID? = nil, offset: Int = 0) {
    self.id = id
    self.offset = offset
  }

  @usableFromInline var description: String { id.map { "\($0)" } ?? "each" }

  @inlinable static func == (lhs: EachID, rhs: EachID) -> Bool { lhs.id == rhs.id }

  @inlinable func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Collection {
  /// The index of the element with this id. The search begins at `offset`, which becomes the offset of the element.
  ///
  /// Costs O(distance) in a random-access collection, so an element is found fast after others were removed before it.
  @inlinable package func index<ID: Equatable>(
    of wanted: ID, near offset: inout Int, id: (Int, Element) -> ID
  ) -> Index? {
    var reach = 0
    while true {
      var number = Swift.max(0, offset - reach)
      let isFromStart = number == 0
      if var index = index(startIndex, offsetBy: number, limitedBy: endIndex) {
        while index != endIndex, isFromStart || number <= offset + reach {
          if id(number, self[index]) == wanted {
            offset = number
            return index
          }
          formIndex(after: &index)
          number += 1
        }
      }
      if isFromStart { return nil }
      reach = reach * 4 + 1
    }
  }
}

/// The id of the value of an optional without ids. It is the same for all values.
@usableFromInline struct OnlyValue: Hashable, Sendable {
  @usableFromInline init() {}
}

extension ElementPath {
  /// The value of an optional, if any. `id` returns the id of a value.
  @inlinable static func value<Key>(
    of path: any WritableKeyPath<Whole, Element?> & Sendable, by property: IDProperty? = nil,
    id: @escaping @Sendable (Element) -> Key
  ) -> ElementPath where ID == EachID<Key> {
    let part = StatePath(path)
    let isFound = { @Sendable (value: Element?, wanted: ID) in
      value.map { wanted.id == nil || wanted.id == id($0) } ?? false
    }
    return ElementPath(
      of: part, id: property,
      presentID: { whole in part.read(whole) { $0.map { EachID(id: id($0)) } } },
      update: { whole, _, visit in
        part.update(&whole) { optional in
          // The value is moved out and back in the same memory. A second reference would force a copy.
          guard var value = optional.take() else { return .rejected }
          defer { optional = value }
          let before = id(value)
          let outcome = visit(&value)
          return outcome == .accepted && id(value) != before ? .changedID : outcome
        }
      },
      find: { whole, id in part.read(whole) { isFound($0, id) ? $0 : nil } },
      has: { whole, id, _ in part.read(whole) { isFound($0, id) } },
      all: { whole in part.read(whole) { optional in optional.map { [(EachID(id: id($0)), $0)] } ?? [] } })
  }
}

extension Prism {
  /// Returns the same prism for actions that all have this id.
  @inlinable func addressing<ID: Sendable>(_ id: ID) -> Prism<Whole, ElementAction<ID, Part>> {
    Prism<Whole, ElementAction<ID, Part>>(
      embed: { [embed] in embed($0.action) }, extract: { [extract] in extract($0).map { ElementAction(id, $0) } },
      claims: claims)
  }
}
