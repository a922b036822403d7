package import ReeluxLocation
package import ReeluxLocationSimulation

/// Simulated data that come with the app: fictional cinemas and a walk past them.
///
/// The streets are in Babelsberg near Berlin, where Metropolis was made. The cinemas never existed.
package enum BuiltInWalk {
  /// The description of the walk in messages.
  package static let label = "a built-in, simulated walk; its cinemas are fictional"

  /// The fictional cinemas.
  package static let cinemas: [Cinema] = [
    cinema("Lantern House", 52.39105, 13.12040),
    cinema("The Iris", 52.38975, 13.12395),
    cinema("Silver Nitrate", 52.38810, 13.12130),
    cinema("Kino Mondlicht", 52.38705, 13.11710),
    cinema("The Zoetrope", 52.38560, 13.12080),
    cinema("Perforation Palace", 52.39260, 13.11630),
    cinema("Last Reel", 52.38460, 13.12560),
  ]

  /// The start of the walk.
  package static let start = Coordinate(normalizing: 52.39130, longitude: 13.11880)

  /// The walk: a point every 20 m, at 1.4 m/s, on the morning of the day when Metropolis was first shown.
  package static var track: Track { .points(points, name: "built-in walk") }

  private static let corners: [(latitude: Double, longitude: Double)] = [
    (52.39130, 13.11880), (52.39098, 13.12035), (52.38985, 13.12380), (52.38822, 13.12150), (52.38718, 13.11725),
    (52.38570, 13.12065),
  ]

  private static let spacing = 20.0
  private static let speed = 1.4

  private static let points: [TrackPoint] = {
    let places = corners.map { Coordinate(normalizing: $0.latitude, longitude: $0.longitude) }
    var path = [start]
    for (from, to) in zip(places, places.dropFirst()) {
      let leg = Geodesic(from: from, to: to)
      let steps = max(1, Int((leg.distance / spacing).rounded()))
      for step in 1...steps {
        path.append(from.moved(by: leg.distance * Double(step) / Double(steps), bearing: leg.initialBearing))
      }
    }
    let morning = Timestamp(iso8601: "1927-01-10T10:00:00Z") ?? .epoch
    var metres = 0.0
    return path.enumerated().map { index, place in
      if index > 0 { metres += path[index - 1].distance(to: place) }
      return TrackPoint(
        coordinate: place, timestamp: morning.advanced(bySeconds: (metres / speed).rounded()), speed: speed)
    }
  }()

  private static func cinema(_ name: String, _ latitude: Double, _ longitude: Double) -> Cinema {
    Cinema(name: name, coordinate: Coordinate(normalizing: latitude, longitude: longitude))
  }
}
