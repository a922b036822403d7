/// An action for one element of a collection.
public struct ElementAction<ID, Action> {
  /// The element's id, index or key.
  public var id: ID
  /// The action for the element.
  public var action: Action

  /// Makes an action for the element with this id.
  @inlinable
  public init(_ id: ID, _ action: Action) {
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
/// Conform your collection to make lifts by id O(1). In other collections the
/// store searches the element, which is O(count).
public protocol IdentifiedCollection: MutableCollection where Element: Identifiable {
  /// The index of the element with this id, or `nil`; O(1).
  func index(id: Element.ID) -> Index?
}

/// Where the elements of a collection are in a state, and how an action addresses one of them.
///
/// ```swift
/// Feature.row.lift(action: .row, element: .byID(\.rows))
/// Feature.tab.lift(action: .tab, element: .byKey(\.tabs))
/// ```
///
/// Actions for an element that does not exist are not accepted. This is not an
/// error.
public struct ElementPath<Whole: Sendable, ID: Hashable & Sendable, Element: Sendable>: Sendable {
  @usableFromInline typealias Visit = (UnsafeMutablePointer<Element>) -> Bool

  @usableFromInline let path: any PartialKeyPath<Whole> & Sendable
  @usableFromInline let span: StateSpan
  /// Calls its third argument with the element in place; returns false if there is
  /// no such element.
  @usableFromInline let update: @Sendable (UnsafeMutablePointer<Whole>, ID, Visit) -> Bool
  @usableFromInline let element: @Sendable (UnsafePointer<Whole>, ID) -> Element?
  @usableFromInline let all: @Sendable (UnsafePointer<Whole>) -> [(id: ID, element: Element)]
  /// Whether there is such an element. The third argument holds the index at which it
  /// was found last.
  @usableFromInline let isPresent: @Sendable (UnsafePointer<Whole>, ID, inout Int) -> Bool

  @inlinable
  init<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable,
    find: @escaping @Sendable (Elements, ID) -> Elements.Index?,
    has: @escaping @Sendable (Elements, ID, inout Int) -> Bool,
    all: @escaping @Sendable (Elements) -> [(id: ID, element: Element)]
  ) where Elements.Element == Element {
    let place = StatePath(path)
    self.path = path
    span = place.span
    update = { whole, id, visit in
      place.update(whole) { elements in
        guard let index = find(elements.pointee, id) else { return false }
        return withUnsafeMutablePointer(to: &elements.pointee[index], visit)
      }
    }
    element = { whole, id in
      place.read(whole) { elements in find(elements.pointee, id).map { elements.pointee[$0] } }
    }
    isPresent = { whole, id, hint in place.read(whole) { has($0.pointee, id, &hint) } }
    self.all = { whole in place.read(whole) { all($0.pointee) } }
  }

  /// The elements of a collection, found by one of their properties; O(count).
  @inlinable
  public static func byID<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable, _ id: any KeyPath<Element, ID> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    searched(path) { $0[keyPath: id] }
  }

  @inlinable
  static func searched<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable, id: @escaping @Sendable (Element) -> ID
  ) -> ElementPath where Elements.Element == Element {
    ElementPath(
      path, find: { elements, wanted in elements.firstIndex { id($0) == wanted } },
      has: { elements, wanted, hint in
        // Usually the element has the same index as before; then this is O(1).
        let isThere = elements.withContiguousStorageIfAvailable {
          hint < $0.count && id($0[hint]) == wanted
        }
        if isThere == true { return true }
        guard let index = elements.firstIndex(where: { id($0) == wanted }) else { return false }
        hint = elements.distance(from: elements.startIndex, to: index)
        return true
      },
      all: { elements in elements.map { (id($0), $0) } })
  }

  /// The elements of a collection, found by their index. Actions for an index out of
  /// range are not accepted.
  @inlinable
  public static func byIndex<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element, Elements.Index == ID {
    ElementPath(
      path, find: { $1 >= $0.startIndex && $1 < $0.endIndex ? $1 : nil },
      has: { elements, index, _ in index >= elements.startIndex && index < elements.endIndex },
      all: { elements in elements.indices.map { ($0, elements[$0]) } })
  }

  /// The values of a dictionary, found by their key in O(1).
  @inlinable
  public static func byKey(_ path: any WritableKeyPath<Whole, [ID: Element]> & Sendable) -> ElementPath {
    let place = StatePath(path)
    return ElementPath(
      path: path, span: place.span,
      update: { whole, key, visit in
        place.update(whole) { values in
          guard let index = values.pointee.index(forKey: key) else { return false }
          return withUnsafeMutablePointer(to: &values.pointee.values[index], visit)
        }
      },
      element: { whole, key in place.read(whole) { $0.pointee[key] } },
      all: { whole in place.read(whole) { values in values.pointee.map { ($0.key, $0.value) } } },
      isPresent: { whole, key, _ in place.read(whole) { $0.pointee.index(forKey: key) != nil } })
  }

  @inlinable
  init(
    path: any PartialKeyPath<Whole> & Sendable, span: StateSpan,
    update: @escaping @Sendable (UnsafeMutablePointer<Whole>, ID, Visit) -> Bool,
    element: @escaping @Sendable (UnsafePointer<Whole>, ID) -> Element?,
    all: @escaping @Sendable (UnsafePointer<Whole>) -> [(id: ID, element: Element)],
    isPresent: @escaping @Sendable (UnsafePointer<Whole>, ID, inout Int) -> Bool
  ) {
    self.path = path
    self.span = span
    self.update = update
    self.element = element
    self.all = all
    self.isPresent = isPresent
  }
}

extension ElementPath where Element: Identifiable, ID == Element.ID {
  /// The elements of a collection, found by their id; O(count).
  @inlinable
  public static func byID<Elements: MutableCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    searched(path) { $0.id }
  }

  /// The elements of a collection that finds them by their id in O(1).
  @inlinable
  public static func byID<Elements: IdentifiedCollection & Sendable>(
    _ path: any WritableKeyPath<Whole, Elements> & Sendable
  ) -> ElementPath where Elements.Element == Element {
    ElementPath(
      path, find: { $0.index(id: $1) }, has: { elements, id, _ in elements.index(id: id) != nil },
      all: { elements in elements.map { ($0.id, $0) } })
  }
}

/// The id of an optional's value. All values have the same id.
@usableFromInline
struct OnlyValue: Hashable, Sendable {
  @usableFromInline init() {}
}

extension ElementPath where ID == OnlyValue {
  /// An optional's value, if there is one.
  @inlinable
  static func value(of path: any WritableKeyPath<Whole, Element?> & Sendable) -> ElementPath {
    let place = StatePath(path)
    return ElementPath(
      path: path, span: place.span,
      update: { whole, _, visit in
        place.update(whole) { optional in
          // The value is moved out and back in the same memory, so there is no second reference that would force a
          // copy.
          guard var value = optional.pointee.take() else { return false }
          defer { optional.pointee = value }
          return withUnsafeMutablePointer(to: &value, visit)
        }
      },
      element: { whole, _ in place.read(whole) { $0.pointee } },
      all: { whole in place.read(whole) { optional in optional.pointee.map { [(OnlyValue(), $0)] } ?? [] } },
      isPresent: { whole, _, _ in place.read(whole) { $0.pointee != nil } })
  }
}

extension Prism {
  /// The same prism, with an optional's value as the addressed element.
  @inlinable
  var addressingOnlyValue: Prism<Whole, ElementAction<OnlyValue, Part>> {
    let embed = self.embed
    let extract = self.extract
    return Prism<Whole, ElementAction<OnlyValue, Part>>(
      embed: { embed($0.action) }, extract: { extract($0).map { ElementAction(OnlyValue(), $0) } }, claims: claims)
  }
}
