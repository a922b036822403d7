// A feed of your own: the messages of a vehicle become the positions of the location feature.
import ReeluxCore
import ReeluxLocation

/// The lines that a vehicle sends: time in seconds since 1970, latitude and longitude, or "no signal".
@Sendable func vehicleLines() -> AsyncStream<String> {
  AsyncStream { continuation in
    for line in ["1767225600 52.5163 13.3777", "1767225610 52.5172 13.3777", "no signal", "1767225700 52.5163 13.3777"]
    {
      continuation.yield(line)
    }
    continuation.finish()
  }
}

// snippet.feed
let feed = LocationFeed(
  authorization: {
    AsyncStream { continuation in
      continuation.yield(.always)
      continuation.finish()
    }
  },
  positions: { _ in
    vehicleLines().map { (line) throws -> PositionUpdate in
      if line == "no signal" { return .interrupted }
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 3, let coordinate = Coordinate(latitude: numbers[1], longitude: numbers[2]) else {
        throw LocationError(service: .position, reason: .failed("no position in '\(line)'"))
      }
      return .fixes([LocationFix(coordinate: coordinate, timestamp: Timestamp(secondsSince1970: numbers[0]))])
    }
  })
let store = Store(initialState: LocationState(), feature: .location(feed: feed))
store.dispatch(.startPosition())
// snippet.end

for await position in store.select(\.position).states where position.phase == .stopped && position.fixes > 0 { break }
let position = store.state.position
print("\(position.fixes) fixes, \(Int(position.distance.rounded())) m")
precondition(position.fixes == 3 && Int(position.distance.rounded()) == 100 && store.state.lastError == nil)
