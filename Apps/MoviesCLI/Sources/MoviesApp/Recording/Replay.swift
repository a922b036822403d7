import ReeluxCore
import ReeluxDiff
import ReeluxRecording

/// A recording run again through the app's reducer, without any effect.
struct Replay {
  let request: ReplayRequest
  let console: Console
  let json: Bool

  /// Plays the recording as it was asked, and shows what came of it.
  func run() throws(CommandFailure) {
    let recording = try Self.recording(request.file)
    if let cutOff = recording.cutOff {
      console.note("\(request.file):\(cutOff.line): the last line is cut off and was left out")
    }
    // Only the reducer is played; nothing of the outside is ever asked.
    var player = ActionPlayer(recording, reducer: Reducer.app)
    player.skip(request.skip)
    let end = min(request.to ?? player.count, player.count)
    var difference: PlaybackDifference?
    while player.position < end, difference == nil {
      let before = player.state
      do { try player.step() } catch { difference = error as? PlaybackDifference }
      if request.step { show(player, from: before) }
    }
    console.write(
      json
        ? ReplayText.json(player, isEqual: difference == nil)
        : ReplayText.summary(player, isEqual: difference == nil, style: console.style))
    if let difference { throw CommandFailure("\(request.file): \(difference)", .failed) }
  }

  /// Reads a recording of this app.
  static func recording(_ file: String) throws(CommandFailure) -> Recording<AppAction, AppState> {
    try InputFile.check(file)
    do {
      return try Recording<AppAction, AppState>(path: file)
    } catch let error as RecordingError {
      if case .system = error { throw CommandFailure(error.description, .missingInput) }
      throw CommandFailure(error.description, .badData)
    } catch {
      throw CommandFailure("\(file): \(error)", .badData)
    }
  }

  private func show(_ player: ActionPlayer<AppAction, AppState>, from before: AppState) {
    guard let recorded = player.current else { return }
    let isSkipped = player.skipped.contains(recorded.number)
    let changes = ValueDifference(from: before as Any, to: player.state as Any)
    console.write(
      json
        ? ReplayText.json(recorded, changes: changes, isSkipped: isSkipped)
        : ReplayText.step(recorded, changes: changes, isSkipped: isSkipped, style: console.style))
  }
}
