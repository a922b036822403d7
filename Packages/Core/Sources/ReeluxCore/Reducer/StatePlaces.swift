/// The key paths from the whole state to the parts that a middleware was lifted to.
///
/// A lift into an element of a collection or into an optional, and a lift with closures, begin a new level. Within a
/// level each lift by a property adds a longer path, so both `\.list` and `\.list.rows` are found.
///
/// `@unchecked Sendable`: key paths are immutable; those of lifts are `Sendable` by their declaration.
@usableFromInline struct StatePlaces: @unchecked Sendable {
  @usableFromInline struct Level {
    var paths: [AnyKeyPath] = []
    /// The lift with closures at the end of the level. At the end of the other levels there is an element, or the state.
    var closures: ClosureLift?
  }

  @usableFromInline let levels: [Level]

  /// A middleware that was not lifted.
  @usableFromInline static var whole: StatePlaces { StatePlaces(levels: [Level()]) }

  /// No place.
  @usableFromInline static var unknown: StatePlaces { StatePlaces(levels: []) }

  @usableFromInline func lifted(by path: AnyKeyPath) -> StatePlaces {
    guard var first = levels.first else { return self }
    if type(of: path).rootType == type(of: path).valueType { return self }
    first.paths = [path] + first.paths.compactMap { path.appending(path: $0) }
    return StatePlaces(levels: [first] + levels.dropFirst())
  }

  @usableFromInline func inside(elementOf path: AnyKeyPath) -> StatePlaces {
    StatePlaces(levels: [Level(paths: [path])] + levels)
  }

  @usableFromInline func inside(_ closures: ClosureLift) -> StatePlaces {
    StatePlaces(levels: [Level(closures: closures)] + levels)
  }

  /// Whether a reducer that changes one of these elements, and removes none, keeps the parts of a middleware that was
  /// lifted to `places`. Parts inside of an element may go.
  func keepParts(at places: StatePlaces) -> Bool {
    places.levels.count == 2 && !levels.isEmpty && levels[0].paths.last == places.levels[0].paths.last
  }

  /// Whether a middleware at these places belongs to a part of a parent's state.
  ///
  /// - Parameter path: The path from the parent's state to the part.
  func belong(to path: AnyKeyPath, of parent: StatePlaces) -> Bool {
    let depth = parent.levels.count - 1
    guard depth >= 0, levels.count > depth else { return false }
    for (own, other) in zip(levels, parent.levels).prefix(depth)
    where own.paths.last != other.paths.last || own.closures !== other.closures { return false }
    let around = parent.levels[depth].paths
    guard let whole = around.isEmpty ? path : around.last?.appending(path: path), let own = levels[depth].paths.last
    else { return false }
    if levels[depth].paths.contains(whole) { return true }
    // A lift by a longer path in one step has no path to compare. It belongs to the part if its bytes are in the part.
    // A value of no bytes does not count: it can stand at the border of two parts. Nor does the parent's own state: it
    // has the same bytes as a part that fills it.
    let (part, bytes) = (StateSpan(at: whole), StateSpan(at: own))
    return part != .whole && bytes.lower < bytes.upper && part.lower <= bytes.lower && bytes.upper <= part.upper
      && !around.contains(own)
  }
}

/// A lift with closures, by which the middlewares of one lift find each other.
@usableFromInline final class ClosureLift: Sendable {
  @usableFromInline init() {}
}
