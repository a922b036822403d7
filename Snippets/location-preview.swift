// The location feature alone: a walk around a square at 300 times its speed, past a region.
import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation

let square = Coordinate(normalizing: 52.5163, longitude: 13.3777)
let track = Track.circle(around: square, radius: 200, points: 25)
let door = square.moved(by: 200, bearing: 90)
let cinema = LocationRegion(id: "cinema", center: door, radius: 60)

let store = Store(
  initialState: LocationState(),
  feature: .location(feed: .simulated(track, speed: 300, options: SimulationOptions(seed: 1, noise: 3))))

let subscription = store.select(\.position.latest).subscribe { fix in
  guard let fix else { return }
  print("\(fix.timestamp)  \(Int(fix.coordinate.distance(to: door))) m from the cinema")
}
store.dispatch(.monitor(cinema))
store.dispatch(.startPosition(PositionOptions(minimumDistance: 50)))

for await state in store.states where state.authorization.allowsUse && state.wantedServices.isEmpty { break }
let visits = store.state.regions["cinema"]
print("\(Int(store.state.position.distance)) m, entered \(visits?.entries ?? 0) time, left \(visits?.exits ?? 0) time")
