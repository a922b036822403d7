/// The key paths from the whole state to the parts that a middleware was lifted to.
///
/// There is one list for each level. A lift into an element of a collection, or into an optional, begins a new level.
/// Within a level each lift by a property adds a longer path, so both `\.list` and `\.list.rows` are found.
///
/// `@unchecked Sendable`: key paths are immutable; those of lifts are `Sendable` by their declaration.
@usableFromInline struct StatePlaces: @unchecked Sendable {
  @usableFromInline let levels: [[AnyKeyPath]]

  @usableFromInline init(levels: [[AnyKeyPath]]) {
    self.levels = levels
  }

  /// A middleware that was not lifted.
  @inlinable static var whole: StatePlaces { StatePlaces(levels: [[]]) }

  /// A middleware that was lifted with closures. No key path leads to its part.
  @inlinable static var unknown: StatePlaces { StatePlaces(levels: []) }

  @usableFromInline func lifted(by path: AnyKeyPath) -> StatePlaces {
    guard let first = levels.first else { return self }
    if type(of: path).rootType == type(of: path).valueType { return self }
    return StatePlaces(levels: [[path] + first.compactMap { path.appending(path: $0) }] + levels.dropFirst())
  }

  @usableFromInline func inside(elementOf path: AnyKeyPath) -> StatePlaces {
    levels.isEmpty ? self : StatePlaces(levels: [[path]] + levels)
  }

  /// Whether a reducer that changes one of these elements, and removes none, keeps the parts of a middleware that was
  /// lifted to `places`. Parts inside of an element may go.
  func keepParts(at places: StatePlaces) -> Bool {
    places.levels.count == 2 && !levels.isEmpty && levels[0].last == places.levels[0].last
  }

  /// Whether a middleware at these places belongs to a part of a parent's state.
  ///
  /// - Parameter path: The path from the parent's state to the part.
  func belong(to path: AnyKeyPath, of parent: StatePlaces) -> Bool {
    let depth = parent.levels.count - 1
    guard depth >= 0, levels.count > depth else { return false }
    for level in 0..<depth where levels[level].last != parent.levels[level].last { return false }
    let base = parent.levels[depth].last
    guard let whole = base == nil ? path : base?.appending(path: path) else { return false }
    return levels[depth].contains(whole)
  }
}
