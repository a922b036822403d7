import ReeluxCore
import ReeluxLocation

extension Session {
  /// `track`
  func track() async throws(CommandFailure) {
    if !json {
      console.write(
        walk.isBuiltIn ? "Following \(walk.label).\n" : "Following \(walk.label). The cinemas are fictional.\n",
        flush: true)
    }
    noteContents()
    let isPaced = walk.speed != .max
    let steps = store.select(\.cinemas.steps).subscribe { [console, json] steps in
      for step in steps {
        console.write(json ? WalkText.json(step) : WalkText.line(step, style: console.style), flush: isPaced)
      }
    }
    // A reader that has gone wants no more steps.
    let closing = store.select { [console] _ in console.isClosed() }.subscribe { [store] isClosed in
      if isClosed { store.dispatch(.location(.stopPosition)) }
    }
    store.dispatch(.location(.startPosition()))
    await wait { $0.location.position.phase == .stopped }
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

  /// `nearby`
  func nearby(at place: Coordinate?, radius: Double) async throws(CommandFailure) {
    let place = try await here(place)
    store.dispatch(.cinemas(.look(at: place, radius: radius)))
    let state = store.state
    let visible = state.cinemas.visible
    console.write(json ? WalkText.json(visible) : WalkText.table(visible, style: console.style))
    if visible.isEmpty, let nearest = CinemaDistance.nearest(to: place, of: state.cinemas.cinemas) {
      console.note(
        "no cinema within \(WalkText.metres(radius)); the nearest is \(nearest.cinema.name), "
          + "\(WalkText.metres(nearest.metres)) away")
    }
  }

  /// The place that was given, or one position asked from the location feed.
  private func here(_ place: Coordinate?) async throws(CommandFailure) -> Coordinate {
    if let place { return place }
    console.note("this is the start of \(walk.label). --at names another place")
    store.dispatch(.location(.requestPosition()))
    await wait { $0.location.request.phase == .stopped }
    let location = store.state.location
    guard let answer = location.request.answer else {
      throw CommandFailure(location.lastError?.description ?? "there is no position", .failed)
    }
    return answer.coordinate
  }

  /// Returns when the state is as it should be.
  func wait(until isReached: @escaping @Sendable (AppState) -> Bool) async {
    for await isReached in store.select(isReached).states where isReached { return }
  }

  /// Tells what the file lacks: times, or sentences that were damaged.
  private func noteContents() {
    guard let contents = walk.track.contents else { return }
    if contents.points == 0 { console.note("\(walk.label): there are no points") }
    if contents.timedPoints < contents.points {
      let without = contents.timedPoints == 0 ? "the points have no times" : "some points have no times"
      console.note("\(walk.label): \(without); a walker's pace of 1.4 m/s is assumed")
    }
    let skipped = contents.skipped
    var parts: [String] = []
    if skipped.damaged > 0 { parts.append(Prose.count(skipped.damaged, "damaged sentence")) }
    if skipped.withoutPosition > 0 {
      parts.append(Prose.count(skipped.withoutPosition, "sentence") + " without a position")
    }
    if !parts.isEmpty { console.note("\(walk.label): skipped \(Prose.list(parts))") }
  }
}
