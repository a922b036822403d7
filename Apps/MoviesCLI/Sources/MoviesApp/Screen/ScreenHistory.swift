package import ReeluxFavorites

/// The actions that the app took while the screen was open, and what it showed after each.
///
/// The history is made of the actions themselves. A written state therefore holds only its length, and two histories are
/// equal if they are of one length.
package struct ScreenHistory: Sendable {
  /// The newest moments are kept, at most so many.
  static let limit = 2000

  /// The moments, oldest first.
  package private(set) var moments: [ScreenMoment] = []

  /// The number of all moments so far.
  package private(set) var count = 0

  /// No action yet.
  package init() {}

  /// Adds an action and the state after it. Steps of a walk are folded into one moment.
  mutating func append(title: String, isStep: Bool, view: ScreenMoment.View) {
    if isStep, let last = moments.last, last.isStep {
      moments[moments.count - 1].repetitions += 1
      moments[moments.count - 1].view = view
      return
    }
    count += 1
    moments.append(ScreenMoment(number: count, title: title, isStep: isStep, view: view))
    if moments.count > Self.limit { moments.removeFirst(Self.limit / 4) }
  }

  /// Adds where an action came from and what it changed.
  mutating func describe(_ number: Int, source: String, changes: [String]) {
    guard let index = moments.lastIndex(where: { $0.number == number }) else { return }
    moments[index].source = source
    moments[index].changes = changes
  }
}

extension ScreenHistory: Equatable, Codable, CustomReflectable {
  package static func == (one: ScreenHistory, other: ScreenHistory) -> Bool { one.count == other.count }

  package init(from decoder: any Decoder) throws {
    self.init()
    count = try decoder.singleValueContainer().decode(Int.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }

  package var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

/// An action, and what the app showed after it.
package struct ScreenMoment: Sendable {
  /// What is kept of the app's state: the parts that the screen shows.
  package struct View: Sendable {
    /// The favourites.
    package var favorites: FavoritesState<Movie.ID>
    /// The last step of the walk.
    package var step: WalkStep?
  }

  /// The number of the action, from 1.
  package let number: Int
  /// What happened.
  package let title: String
  /// Whether it is a step of a walk.
  package let isStep: Bool
  /// What the app showed after it.
  package var view: View
  /// How many actions of this kind came in a row.
  package var repetitions = 1
  /// The file and line that sent it.
  package var source = ""
  /// What it changed, one line a change.
  package var changes: [String] = []
}
