/// The key paths from the whole state to the parts that a middleware was lifted to.
///
/// There is one list for each level. A lift into an element of a collection, or
/// into an optional, begins a new level. Within a level each lift by a property
/// adds a longer path, so both `\.list` and `\.list.rows` are found.
@usableFromInline
struct StatePlaces: Sendable {
  @usableFromInline nonisolated(unsafe) let levels: [[AnyKeyPath]]

  // Key paths are immutable; those of lifts are `Sendable` by their declaration.
  @usableFromInline
  init(levels: [[AnyKeyPath]]) {
    self.levels = levels
  }

  /// Not lifted at all.
  @inlinable
  static var whole: StatePlaces { StatePlaces(levels: [[]]) }

  /// Lifted by closures: no key path leads to the part.
  @inlinable
  static var unknown: StatePlaces { StatePlaces(levels: []) }

  @usableFromInline
  func lifted(by path: AnyKeyPath) -> StatePlaces {
    guard let first = levels.first else { return self }
    if type(of: path).rootType == type(of: path).valueType { return self }
    return StatePlaces(levels: [[path] + first.compactMap { path.appending(path: $0) }] + levels.dropFirst())
  }

  @usableFromInline
  func inside(elementOf path: AnyKeyPath) -> StatePlaces {
    levels.isEmpty ? self : StatePlaces(levels: [[path]] + levels)
  }

  /// Whether a middleware at these places belongs to a part of a parent's state.
  ///
  /// - Parameter path: From the parent's state to the part.
  func belong(to path: AnyKeyPath, of parent: StatePlaces) -> Bool {
    let depth = parent.levels.count - 1
    guard depth >= 0, levels.count > depth else { return false }
    for level in 0..<depth where levels[level].last != parent.levels[level].last { return false }
    let base = parent.levels[depth].last
    guard let whole = base == nil ? path : base?.appending(path: path) else { return false }
    return levels[depth].contains(whole)
  }
}
