import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxLogger

extension Command {
  /// `track`
  static let track = Command(
    "track", .optional("FILE", .file),
    options: [
      .option("--speed", "X|max", "the speed as a multiple of the original; max: as fast as possible"),
      .option("--only", "NAME|N", "the track or route to follow, by its name or by its number from 1"),
      .option("--batch", "N", "the largest number of fixes in one action at the speed max"), .jsonLines,
    ],
    summary: "Follow a walk and name the nearest cinema.",
    details: """
      FILE is a GPX 1.1 document or an NMEA 0183 log. Without FILE, the command follows a built-in walk past
      fictional cinemas. Without --speed, the walk takes about ten seconds on a terminal and no time in a pipe.
      Without --json, the first line names the walk and says that the cinemas are fictional. Times are in UTC. A narrow
      terminal cuts the end of a line; --json shows everything.
      If FILE has several tracks, the walk follows all of them, or all routes if there is no track. With --only, it
      follows one of them, such as --only 2 or --only "route 1", or the waypoints.
      At the speed max, each action carries one fix; in files with more than 10,000 points, up to 64. --batch sets
      another number. The output does not depend on it. A recording has one action for each batch.

      In JSON, a line has the 'type' fix, 'latitude', 'longitude', 'timestamp', 'distance', and 'nearest' with the
      'name' and 'distance' of a cinema, or null. The last line has the 'type' summary, 'fixes' and 'distance'. Distances
      are in metres. Every line has the number of this 'schema'.
      """,
    examples: ["track walk.gpx", "track tour.gpx --only 2", "track --speed max --json"]
  ) { (arguments) throws(UsageError) in
    let speed = try arguments.read("--speed", "a factor above 0, such as 1 or 60, or max") { text -> SimulationSpeed? in
      text == "max" ? .max : DecimalText.number(text).flatMap { $0 > 0 ? .factor($0) : nil }
    }
    let batch = try arguments.count("--batch")
    let only = arguments.text("--only")
    if only != nil, arguments.words.isEmpty {
      throw arguments.error("needs a FILE for --only; the built-in walk has only one track")
    }
    return { (context) async throws(CommandFailure) in
      var walk = try context.walk(arguments.words.first, only: only, speed: speed)
      walk.batch = batch
      try await context.session(walk: walk).track(json: arguments.has("--json"))
    }
  }
}

extension CommandContext {
  /// The walk of a file, or the built-in walk. Without a speed, it takes about ten seconds on a terminal, and is as
  /// fast as possible elsewhere.
  fileprivate func walk(_ file: String?, only: String?, speed: SimulationSpeed?) throws(CommandFailure) -> Walk {
    do throws(ReadingError) {
      var walk = Walk.builtIn
      if let file {
        let label = file == "-" ? "standard input" : file
        walk = Walk(label: label, track: try track(file, only: only), speed: .max, isBuiltIn: false)
      }
      if let speed {
        walk.speed = speed
      } else if console.isInteractive {
        let (seconds, longest) = try walk.duration()
        let factor = max(1, seconds / 10)
        walk.speed = .factor(factor)
        // Most of the ten seconds can be a pause of hours or days.
        if longest > 3600, longest > seconds / 2 {
          let pause = Prose.decimal(longest / factor, places: 1)
          console.noteOnTerminal(
            "\(walk.label): the longest time between two points takes \(pause) s; --speed sets another speed")
        }
      }
      return walk
    } catch {
      throw CommandFailure(error)
    }
  }

  private func track(_ file: String, only: String?) throws(ReadingError) -> Track {
    defer {
      if file == "-" { SignalWatch.awaitReports() }
      console.progress?.clear()
    }
    return try Track.file(file, following: only.map { .named($0) } ?? .automatic) {
      console.progress?.show("reading: \(Prose.count($0.points, "point"))")
    }
  }
}

extension CommandFailure {
  /// The failure of a command whose track could not be read.
  init(_ error: ReadingError) {
    let exitCode: ExitCode =
      switch error.kind {
      case .missing, .unreadable: .missingInput
      case .malformed: .badData
      case .absent: .failed
      }
    self.init(error.description, exitCode)
  }
}

extension Session {
  fileprivate func track(json: Bool) async throws(CommandFailure) {
    if !json {
      let label = TextStyle.harmless(walk.label)
      console.write(
        walk.isBuiltIn ? "Following \(label).\n" : "Following \(label). The cinemas are fictional.\n", flush: true)
    }
    noteContents()
    let isPaced = walk.speed != .max
    let steps = store.select(\.cinemas.steps).subscribe { [console, json] steps in
      if json { return console.write(WalkText.json(steps), flush: isPaced) }
      for step in steps { console.write(flush: isPaced) { WalkText.line(step, style: $0) } }
    }
    // If the reader of the output has closed the pipe, the walk stops.
    let closing = store.select { [console] _ in console.isClosed() }.subscribe { [store] isClosed in
      if isClosed { store.dispatch(.location(.stopPosition)) }
    }
    await store.dispatch(.location(.startPosition())).reduced()
    await wait { $0.location.position.phase == .stopped }
    // Observers are notified of the last action before the recorder writes it.
    await store.settle()
    steps.cancel()
    closing.cancel()

    let state = store.state
    if let error = state.location.lastError { throw CommandFailure(error.description, .failed) }
    let position = state.location.position
    console.write { style in
      json
        ? WalkText.json(fixes: position.fixes, distance: position.distance)
        : WalkText.summary(
          fixes: position.fixes, distance: position.distance, nearest: state.cinemas.steps.last?.nearest,
          style: style)
    }
  }

  /// Prints notes: missing data, skipped points, ignored values, and which of several tracks is used.
  private func noteContents() {
    guard let contents = walk.track.contents else { return }
    if contents.points == 0 { console.note("\(walk.label): there are no points") }
    if contents.timedPoints < contents.points {
      let without =
        contents.timedPoints == 0
        ? "the points have no times; a walker's pace of 1.4 m/s is assumed, and the times count from 1970-01-01"
        : "some points have no times; theirs are estimated from the points around them"
      console.note("\(walk.label): \(without)")
    }
    if contents.lacksDate {
      console.note("\(walk.label): no position of the log has a date; the first day counts as 1970-01-01")
    }
    if contents.groups.count > 1 {
      let names = contents.groups.prefix(5).map(\.description)
      let more = contents.groups.count - names.count
      let found = more > 0 ? "\(names.joined(separator: ", ")), and \(more) more" : Prose.list(names)
      console.note("\(walk.label): following \(contents.followed); the file has \(found)")
    }
    for entry in contents.skipped.entries {
      // A point without a value, such as its time, is followed.
      let treatment = entry.isValue ? "ignored" : entry.isSkipped ? "skipped" : "found"
      console.note("\(walk.label): \(treatment) \(entry)")
    }
  }
}
