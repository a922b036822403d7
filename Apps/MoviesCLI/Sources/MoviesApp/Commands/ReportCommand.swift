import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxRecording

extension Command {
  /// `report`
  static let report = Command(
    "report", .one("FILE", .file),
    options: [.option("--output", "OUT.html", .file, "the page to write; - for standard output")],
    summary: "Make a page of a recording, to look at in a browser.",
    examples: ["report run.jsonl --output run.html"]
  ) { (arguments) throws(UsageError) in
    guard let output = arguments.text("--output") else { throw arguments.error("wants --output OUT.html") }
    return { (context) async throws(CommandFailure) in
      try Report(file: arguments.first, output: output, console: context.console).run()
    }
  }
}

/// A recording as a page for a browser.
struct Report {
  let file: String
  let output: String
  let console: Console

  /// Writes the page into the file, or to standard output when the file is `-`.
  func run() throws(CommandFailure) {
    let recording = try Replay.recording(file)
    if let cutOff = recording.cutOff {
      console.note("\(file):\(cutOff.line): the last line is cut off and was left out")
    }
    let report = RecordingReport(
      recording, reducer: Reducer.app, title: "\(recording.header.app): \(file)", hooks: Self.hooks)
    do {
      if output == "-" { return console.write(try report.html()) }
      try report.write(to: output)
    } catch {
      throw CommandFailure("\(output) cannot be written: \(error)", .inputOutput)
    }
    console.write("\(output): \(Prose.count(recording.actions.count, "action"))\n")
  }

  /// Where the app's state keeps what a report draws: the walk, and the favourites under way.
  static let hooks = ReportHooks<AppAction, AppState>(
    point: { action, state in
      guard case .location(.moved) = action, let fix = state.location.position.latest else { return nil }
      return ReportPoint(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
    },
    statuses: { state in
      let favorites = state.favorites
      return favorites.pending.map {
        ReportStatus(lane: $0, kind: .pending, note: favorites.contains($0) ? "to be added" : "to be removed")
      }
        + favorites.failed.map {
          ReportStatus(lane: $0, kind: .rolledBack, note: favorites.failure(of: $0)?.reason ?? "")
        }
        + favorites.confirmed.filter { favorites.items[$0] == nil }.map { ReportStatus(lane: $0, kind: .settled) }
    })
}
