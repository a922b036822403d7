/// The path of a lift: the key paths from the whole state to the parts that a reducer or a middleware was lifted to,
/// and their bytes.
///
/// A lift into an element of a collection or into an optional, and a lift with closures, begin a new level. Within a
/// level each lift by a property adds a longer path, so both `\.list` and `\.list.rows` are found.
///
/// `@unchecked Sendable`: key paths are immutable; those of lifts are `Sendable` by their declaration.
@usableFromInline struct LiftPath: @unchecked Sendable {
  @usableFromInline struct Level {
    var paths: [AnyKeyPath] = []
    /// The lift with closures that ends the level; `nil` if the level ends with an element or with the state.
    var closures: ClosureLift?
    /// The property by which elements are found; `nil` for an index, a key, or an optional without an id.
    var id: AnyKeyPath?
  }

  @usableFromInline let levels: [Level]
  /// The bytes of the whole state that contain the parts, or refer to them.
  @usableFromInline let span: StateSpan

  /// The path without a lift.
  @usableFromInline static var whole: LiftPath { LiftPath(levels: [Level()], span: .whole) }

  /// A place that no key path describes: a reducer there may change the whole state.
  @usableFromInline static var unknown: LiftPath { LiftPath(levels: [], span: .whole) }

  @usableFromInline func lifted(by path: AnyKeyPath) -> LiftPath {
    var levels = levels
    // A lift by `\.self` adds no path. Only `\.self` is equal to the path that results if it is appended to itself.
    if !levels.isEmpty && path.appending(path: path) != path {
      levels[0].paths = [path] + levels[0].paths.compactMap { path.appending(path: $0) }
    }
    return LiftPath(levels: levels, span: span.inside(StateSpan(of: path)))
  }

  @usableFromInline func inside(elementOf path: AnyKeyPath, by id: AnyKeyPath?) -> LiftPath {
    LiftPath(levels: [Level(paths: [path], id: id)] + levels, span: StateSpan(of: path))
  }

  @usableFromInline func inside(_ closures: ClosureLift) -> LiftPath {
    LiftPath(levels: [Level(closures: closures)] + levels, span: .whole)
  }

  /// Whether a reducer at this path keeps all parts of a middleware at `other`, unless it changes an id. The reducer
  /// changes one element and removes none, but it may remove parts inside of this element. So the middleware must be
  /// lifted to the element itself. It must find the element by the same id, because the reducer may change another id.
  func keepsParts(at other: LiftPath) -> Bool {
    guard other.levels.count == 2, let own = levels.first else { return false }
    return own.paths.last == other.levels[0].paths.last && own.id == other.levels[0].id
  }

  /// Whether a middleware at this path belongs to a part of a parent's state.
  ///
  /// - Parameter path: The path from the parent's state to the part.
  func belongs(to path: AnyKeyPath, of parent: LiftPath) -> Bool {
    let depth = parent.levels.count - 1
    guard depth >= 0, levels.count > depth else { return false }
    for (own, other) in zip(levels, parent.levels).prefix(depth)
    where own.paths.last != other.paths.last || own.closures !== other.closures { return false }
    let (level, around) = (levels[depth], parent.levels[depth].paths)
    guard let whole = around.isEmpty ? path : around.last?.appending(path: path), let own = level.paths.last
    else { return false }
    let isWhole = path.appending(path: path) == path
    if isWhole && around.isEmpty { return true }
    if level.paths.contains(whole) {
      // `\.self` has the bytes of the parent's own state. A middleware of that state does not belong to `\.self`, but one
      // that a key path lifts further does.
      return !isWhole || own != whole || (levels.count > depth + 1 && level.closures == nil)
    }
    // A lift by a longer path in one step has no path to compare. It belongs to the part if its bytes are in the part.
    // An empty value does not count, because it can be at the border of two parts. The parent's own state does not
    // count either, because a part that is as large as this state has the same bytes.
    let (part, bytes) = (StateSpan(of: whole), StateSpan(of: own))
    return part != .whole && bytes.lower < bytes.upper && part.lower <= bytes.lower && bytes.upper <= part.upper
      && !around.contains(own)
  }
}

/// The identity of a lift with closures. All middlewares of one lift have the same object.
@usableFromInline final class ClosureLift: Sendable {
  @usableFromInline init() {}
}
