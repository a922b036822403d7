import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation

extension Command {
  /// `track`
  static let track = Command(
    "track", .optional("FILE", .file),
    options: [.option("--speed", "X|max", "times the real pace, or as fast as possible"), .json],
    summary: "Follow a walk and name the nearest cinema.",
    details: """
      FILE is GPX 1.1 or an NMEA 0183 log; without one, a built-in walk past fictional cinemas is followed. Without
      --speed the walk takes about ten seconds on a terminal and no time in a pipe.
      """,
    examples: ["track walk.gpx", "track --speed max --json"]
  ) { (arguments) throws(UsageError) in
    let speed = try arguments.read("--speed", "a factor above 0, such as 1 or 60, or max") { text -> SimulationSpeed? in
      text == "max" ? .max : DecimalText.number(text).flatMap { $0 > 0 ? .factor($0) : nil }
    }
    return { (context) async throws(CommandFailure) in
      let walk = try context.walk(arguments.words.first, speed: speed)
      try await context.session(walk: walk).track(json: arguments.has("--json"))
    }
  }
}

extension CommandContext {
  /// The walk of a file, or the built-in one, at a pace that lets a person read along.
  fileprivate func walk(_ file: String?, speed: SimulationSpeed?) throws(CommandFailure) -> Walk {
    do throws(ReadingError) {
      var walk = Walk.builtIn
      if let file { walk = Walk(label: file, track: try track(file), speed: .max, isBuiltIn: false) }
      if let speed {
        walk.speed = speed
      } else if console.isInteractive {
        walk.speed = try walk.speed(toTake: 10)
      }
      return walk
    } catch {
      throw CommandFailure(error)
    }
  }

  private func track(_ file: String) throws(ReadingError) -> Track {
    defer { console.progress?.clear() }
    return try Track.file(file) { console.progress?.show("reading: \(Prose.count($0.points, "point"))") }
  }
}

extension CommandFailure {
  /// The failure that a track could not be read.
  init(_ error: ReadingError) {
    let exitCode: ExitCode =
      switch error.kind {
      case .missing, .unreadable: .missingInput
      case .malformed: .badData
      }
    self.init(error.description, exitCode)
  }
}

extension Session {
  fileprivate func track(json: Bool) async throws(CommandFailure) {
    if !json {
      console.write(
        walk.isBuiltIn ? "Following \(walk.label).\n" : "Following \(walk.label). The cinemas are fictional.\n",
        flush: true)
    }
    noteContents()
    let isPaced = walk.speed != .max
    let steps = store.select(\.cinemas.steps).subscribe { [console, json] steps in
      if json { return console.write(WalkText.json(steps), flush: isPaced) }
      for step in steps { console.write(WalkText.line(step, style: console.style), flush: isPaced) }
    }
    // A reader that has gone wants no more steps.
    let closing = store.select { [console] _ in console.isClosed() }.subscribe { [store] isClosed in
      if isClosed { store.dispatch(.location(.stopPosition)) }
    }
    await store.dispatch(.location(.startPosition())).reduced()
    await wait { $0.location.position.phase == .stopped }
    // Its last action is seen by observers first, and by the recorder afterwards.
    await store.settle()
    steps.cancel()
    closing.cancel()

    let state = store.state
    if let error = state.location.lastError { throw CommandFailure(error.description, .failed) }
    let position = state.location.position
    console.write(
      json
        ? WalkText.json(fixes: position.fixes, distance: position.distance)
        : WalkText.summary(
          fixes: position.fixes, distance: position.distance, nearest: state.cinemas.steps.last?.nearest,
          style: console.style))
  }

  /// Says what the file lacks, what was skipped, and which of several tracks is followed.
  private func noteContents() {
    guard let contents = walk.track.contents else { return }
    if contents.points == 0 { console.note("\(walk.label): there are no points") }
    if contents.timedPoints < contents.points {
      let without = contents.timedPoints == 0 ? "the points have no times" : "some points have no times"
      console.note("\(walk.label): \(without); a walker's pace of 1.4 m/s is assumed")
    }
    if contents.groups.count > 1 {
      let found = Prose.list(contents.groups.prefix(5).map(\.description))
      console.note("\(walk.label): following \(contents.followed); the file has \(found)")
    }
    for entry in contents.skipped.entries { console.note("\(walk.label): skipped \(entry)") }
  }
}
