// Location in your own app: one property, one case, one prism, one line.
import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation

struct AppState: Sendable {
  var location = LocationState()
}

enum AppAction: Sendable {
  case location(LocationAction)
}

extension Prism<AppAction, LocationAction> {
  static let location = Prism(case: AppAction.location) { if case .location(let action) = $0 { action } else { nil } }
}

let home = Coordinate(normalizing: 52.5163, longitude: 13.3777)
let walk = Track.line(from: home, to: home.moved(by: 500, bearing: 45))

let app = Feature<AppAction, AppState> {
  Feature.location(feed: .simulated(walk, speed: .max)).lift(action: .location, state: \.location)
}
let store = Store(initialState: AppState(), feature: app)
store.dispatch(.location(.startPosition()))

for await position in store.select(\.location.position).states where position.phase == .stopped && position.fixes > 0 {
  print("\(position.fixes) fixes, \(Int(position.distance.rounded())) m")
  break
}
