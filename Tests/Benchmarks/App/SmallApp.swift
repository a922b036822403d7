/// The app of the measurements: three features, an enum of enums, a set, two doubles.
///
/// The functions that change the three states are shared. The baselines call them in a hand-written `switch`, and the
/// store's features are created from them.

enum CounterAction: Sendable {
  case increment
  case decrement
  case add(Int)
}

enum FavoritesAction: Sendable {
  case toggle(Int)
  case clear
}

enum LocationAction: Sendable {
  case moved(latitude: Double, longitude: Double)
  case reset
}

enum AppAction: Sendable {
  case counter(CounterAction)
  case favorites(FavoritesAction)
  case location(LocationAction)
}

struct LocationState: Equatable, Sendable {
  var latitude = 0.0
  var longitude = 0.0
}

struct AppState: Equatable, Sendable {
  var counter = 0
  var favorites: Set<Int> = []
  var location = LocationState()
}

func reduceCounter(_ action: CounterAction, _ state: inout Int) {
  switch action {
  case .increment: state &+= 1
  case .decrement: state &-= 1
  case .add(let amount): state &+= amount
  }
}

func reduceFavorites(_ action: FavoritesAction, _ state: inout Set<Int>) {
  switch action {
  case .toggle(let id):
    if state.remove(id) == nil { state.insert(id) }
  case .clear: state.removeAll()
  }
}

func reduceLocation(_ action: LocationAction, _ state: inout LocationState) {
  switch action {
  case .moved(let latitude, let longitude):
    state.latitude = latitude
    state.longitude = longitude
  case .reset: state = LocationState()
  }
}

extension AppAction {
  /// Actions for the three features in turns. The list is long enough that the optimiser cannot evaluate it in advance.
  static let roundRobin: [AppAction] = (0..<64).flatMap { index -> [AppAction] in
    [
      .counter(index % 2 == 0 ? .increment : .add(index)),
      .favorites(.toggle(index % 16)),
      .location(.moved(latitude: Double(index), longitude: Double(-index))),
    ]
  }
}

extension AppState {
  /// The state after the first `count` actions of the endless round-robin.
  static func expected(after count: Int) -> AppState {
    var state = AppState()
    forEachAction(count) { action in
      switch action {
      case .counter(let action): reduceCounter(action, &state.counter)
      case .favorites(let action): reduceFavorites(action, &state.favorites)
      case .location(let action): reduceLocation(action, &state.location)
      }
    }
    return state
  }
}

/// Calls `body` with `count` actions, round-robin.
@inline(__always)
func forEachAction(_ count: Int, _ body: (AppAction) -> Void) {
  forEach(of: AppAction.roundRobin, count, body)
}

/// Calls `body` with `count` of these actions, beginning again after the last.
@inline(__always)
func forEach<Action>(of actions: [Action], _ count: Int, _ body: (Action) -> Void) {
  var left = count
  while left > 0 {
    for action in actions.prefix(left) { body(action) }
    left -= min(left, actions.count)
  }
}
