import ReeluxCore
import ReeluxLocation

extension Command {
  /// `nearby`
  static let nearby = Command(
    "nearby",
    options: [
      .option("--at", "LAT,LON", "a place in degrees; default: the start of the built-in walk"),
      .option("--radius", "METRES", "how far to look; default: 1000"), .format, .json,
    ],
    summary: "List the (fictional) cinemas around a place, the nearest first.",
    details: "A narrow terminal shortens the place, or leaves it out; --json shows everything.",
    examples: ["nearby --at 52.3906,13.1200 --radius 500"]
  ) { (arguments) throws(UsageError) in
    let place = try Coordinate(at: arguments)
    let format = try arguments.format()
    let radius = try arguments.metres("--radius") ?? 1000
    return { (context) async throws(CommandFailure) in
      try await context.session().nearby(at: place, radius: radius, as: format)
    }
  }
}

extension Session {
  fileprivate func nearby(at place: Coordinate?, radius: Double, as format: OutputFormat) async throws(CommandFailure) {
    let place = try await here(place)
    await store.dispatch(.cinemas(.show(at: place, radius: radius))).reduced()
    let state = store.state
    let visible = state.cinemas.visible
    console.stream { WalkText.cinemas.write(visible, as: format, style: $0, to: $1) }
    if visible.isEmpty, let nearest = CinemaDistance.nearest(to: place, of: state.cinemas.cinemas) {
      let distance = radius < 10 ? "\(JSONOutput.line(.double(radius))) m" : Prose.metres(radius)
      console.note(
        "no cinema within \(distance); the nearest is \(nearest.cinema.name), \(Prose.metres(nearest.metres)) away")
    }
  }

  /// The given place, or the current position from the location feed.
  private func here(_ place: Coordinate?) async throws(CommandFailure) -> Coordinate {
    if let place { return place }
    console.note("the place is the start of \(walk.label). --at names another place")
    await store.dispatch(.location(.requestPosition())).reduced()
    await wait { $0.location.request.phase == .stopped }
    let location = store.state.location
    guard let fix = location.request.response else {
      throw CommandFailure(location.lastError?.description ?? "the location feed sent no position", .failed)
    }
    return fix.coordinate
  }
}

extension Coordinate {
  /// Reads the latitude and the longitude of `--at` in degrees; `nil` if the option is not given.
  init?(at arguments: Arguments) throws(UsageError) {
    let place = try arguments.read("--at", "LATITUDE,LONGITUDE in degrees, such as 52.39,13.12") { text -> [Double]? in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { part in
        DecimalText.number(part.trimmed)
      }
      return numbers.count == 2 && text.count(where: { $0 == "," }) == 1 ? numbers : nil
    }
    guard let place else { return nil }
    let (latitude, longitude) = (place[0], place[1])
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw UsageError(
        (-90...90).contains(latitude)
          ? "--at: the longitude \(JSONOutput.line(.double(longitude))) is not from -180 to 180"
          : "--at: the latitude \(JSONOutput.line(.double(latitude))) is not from -90 to 90", command: arguments.command
      )
    }
    self = coordinate
  }
}
