package import ReeluxFavorites

/// The actions since the screen opened, and the displayed state after each.
///
/// Its mirror contains only the number of the actions, so that the list of an action's changes does not repeat the
/// log.
package struct ScreenHistory: Codable, Equatable, Sendable {
  /// The largest number of moments. When there are more, the oldest quarter is removed.
  static let limit = 2000

  /// The moments, oldest first.
  package private(set) var moments: [ScreenMoment] = []

  /// The number of all actions so far. It includes keys and other actions of the screen, which are no moments.
  package private(set) var count = 0

  package init() {}

  /// Counts an action that is not a moment.
  mutating func skip() { count &+= 1 }

  /// Adds an action and the state after it. Consecutive steps of a walk become one moment.
  ///
  /// - Returns: The number of moments that were removed, the oldest ones.
  @discardableResult mutating func append(title: String, isStep: Bool, view: ScreenMoment.View) -> Int {
    count &+= 1
    if isStep, let last = moments.last, last.isStep {
      moments[moments.count - 1].append(number: count, view: view)
      return 0
    }
    moments.append(ScreenMoment(number: count, title: title, isStep: isStep, view: view))
    guard moments.count > Self.limit else { return 0 }
    let removed = Self.limit / 4
    moments.removeFirst(removed)
    return removed
  }

  /// Adds the source and the changes of an action.
  mutating func describe(_ number: Int, source: String, changes: [String]) {
    guard let index = moments.lastIndex(where: { $0.number == number }) else { return }
    moments[index].source = source
    moments[index].changes = changes
  }
}

extension ScreenHistory: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

/// An action, and the state that the app showed after it.
///
/// An encoded moment does not contain the displayed state, which is large and has no effect on the meaning of a key.
/// Two moments that differ only in the displayed state are equal.
package struct ScreenMoment: Codable, Sendable {
  /// The parts of the app's state that the screen shows.
  package struct View: Sendable {
    /// The favourites.
    package var favorites: FavoritesState<Movie.ID>
    /// The last step of the walk.
    package var step: WalkStep?
    /// Whether the catalogue was read. The list shows no movies of a moment before that.
    package var hasCatalog = true
  }

  /// The number of the action, counted from 1. A recording of the session has the same numbers. A moment of several
  /// steps has the number of the first one.
  package let number: Int
  /// The number of the last one of several steps. The view is the state after it.
  package private(set) var lastNumber: Int
  /// The description of the action.
  package let title: String
  /// Whether it is a step of a walk.
  package let isStep: Bool
  /// Whether the favourites were loaded.
  package let hasFavorites: Bool
  /// The displayed state after the action; `nil` in a decoded moment.
  package private(set) var view: View?
  /// The number of consecutive actions of this kind.
  package private(set) var repetitions = 1
  /// The file and line that sent the action.
  package var source = ""
  /// The changes of the action, one line each.
  package var changes: [String] = []

  fileprivate init(number: Int, title: String, isStep: Bool, view: View) {
    self.number = number
    lastNumber = number
    self.title = title
    self.isStep = isStep
    self.view = view
    hasFavorites = view.favorites.isLoaded
  }

  /// Adds a further step, and the displayed state after it. A step does not change the favourites.
  fileprivate mutating func append(number: Int, view: View) {
    repetitions &+= 1
    lastNumber = number
    self.view = view
  }

  private enum CodingKeys: String, CodingKey {
    case number, lastNumber, title, isStep, hasFavorites, repetitions, source, changes
  }
}

extension ScreenMoment: Equatable {
  package static func == (one: ScreenMoment, other: ScreenMoment) -> Bool {
    (one.number, one.lastNumber, one.isStep, one.hasFavorites, one.repetitions)
      == (other.number, other.lastNumber, other.isStep, other.hasFavorites, other.repetitions)
      && (one.title, one.source, one.changes) == (other.title, other.source, other.changes)
  }
}
