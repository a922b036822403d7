// A Behavior of SwiftRex 1 as a feature, with its three parts: reduce, produce, supervise.
import ReeluxCore

// snippet.behavior
struct RideState: Equatable {
  var isRecording = false
  var metres: [Int] = []
  var place = ""
}

enum RideAction {
  case start, stop
  case moved(Int)
  case reached(String)
}

/// In place of the environment.
struct RideServices: Sendable {
  var metres: @Sendable () -> AsyncStream<Int>
  var place: @Sendable (Int) async -> String
}

// reduce
let rideReducer = Reducer<RideAction, RideState> { action, ride in
  switch action {
  case .start: ride.isRecording = true
  case .stop: ride.isRecording = false
  case .moved(let metres): ride.metres.append(metres)
  case .reached(let place): ride.place = place
  }
}

struct RideMiddleware: FeedingMiddleware {
  let services: RideServices

  // produce
  func handle(action: RideAction, from source: ActionSource, state: GetState<RideState>) -> Effect<RideAction> {
    guard case .moved(let metres) = action else { return .none }
    return .task { .reached(await services.place(metres)) }
  }

  // supervise
  func feeds(for state: RideState) -> [Feed<RideAction>] {
    guard state.isRecording else { return [] }
    return [Feed(key: "ride") { send in for await metres in services.metres() { send(.moved(metres)) } }]
  }
}

func makeRide(services: RideServices) -> Feature<RideAction, RideState> {
  Feature(reducer: rideReducer, middleware: Middleware(RideMiddleware(services: services)))
}
// snippet.end

let (stream, rider) = AsyncStream<Int>.makeStream()
let services = RideServices(metres: { stream }, place: { metres in "kilometre \(metres / 1000)" })
let store = Store(initialState: RideState(), feature: makeRide(services: services))
store.dispatch(.start)
rider.yield(2000)
for await state in store.states where state.place == "kilometre 2" { break }
store.dispatch(.stop)
precondition(store.state.metres == [2000])
print(store.state)
