import ReeluxCore
import ReeluxFavorites

/// The number of a book. The app knows nothing else about its items.
struct ISBN: Hashable, Codable, Sendable {
  var digits: String
}

/// The state of the app.
struct ReadingState: Equatable, Sendable {
  var favorites = FavoritesState<ISBN>()
  var isOpen = false
}

/// The actions of the app.
enum ReadingAction: Sendable {
  case favorites(FavoritesAction<ISBN>)
  case open(Bool)
}

extension Prism<ReadingAction, FavoritesAction<ISBN>> {
  static let favorites = Prism(case: ReadingAction.favorites) {
    if case .favorites(let action) = $0 { action } else { nil }
  }
}

extension Feature where Action == ReadingAction, State == ReadingState {
  /// The app: its own reducer, and the favourites.
  static func readingList(api: FavoritesAPI<ISBN>) -> Feature {
    let opening = Reducer<ReadingAction, ReadingState> { action, state in
      if case .open(let isOpen) = action { state.isOpen = isOpen }
    }
    return Feature {
      Feature(reducer: opening)
      Feature<FavoritesAction<ISBN>, FavoritesState<ISBN>>.favorites(api: api)
        .lift(action: .favorites, state: \.favorites)
    }
  }
}

@main
struct ReadingList {
  static func main() async {
    let store = Store(initialState: ReadingState(), feature: .readingList(api: .mock()))
    await store.dispatch(.favorites(.add(ISBN(digits: "9780141439518")))).finish()
    print(store.state.favorites.confirmed.count, "favourite")
  }
}
