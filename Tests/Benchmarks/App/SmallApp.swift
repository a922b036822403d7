/// The app that is measured: three features, an enum of enums, a set, two doubles.
///
/// The functions that change the three states are shared: the baselines call
/// them from a hand-written `switch`, the store's features are made of them.

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
  /// Round-robin over the three features, long enough that nothing about it can be folded away.
  static let roundRobin: [AppAction] = (0..<64).flatMap { index -> [AppAction] in
    [
      .counter(index % 2 == 0 ? .increment : .add(index)),
      .favorites(.toggle(index % 16)),
      .location(.moved(latitude: Double(index), longitude: Double(-index))),
    ]
  }
}

extension AppState {
  /// What the first `count` actions of the endless round-robin lead to.
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
  let actions = AppAction.roundRobin
  var left = count
  while left > 0 {
    for action in actions.prefix(left) { body(action) }
    left -= min(left, actions.count)
  }
}
