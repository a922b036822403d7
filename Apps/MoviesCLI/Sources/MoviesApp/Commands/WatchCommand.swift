import Foundation
import ReeluxCore
import ReeluxDiff
import ReeluxLogger
import ReeluxRecording

extension Command {
  /// `watch`
  static let watch = Command(
    "watch", .one("FILE", .file), options: [.flag("--once", "stop at the present end of the file")],
    summary: "Follow a recording while it grows. Print a line for each action and its changes.",
    details: "FILE may be - for standard input. The command ends when the recording is closed, or with ^C.",
    examples: ["watch run.jsonl"], sendsActions: false
  ) { (arguments) throws(UsageError) in
    let once = arguments.has("--once")
    return { (context) async throws(CommandFailure) in
      try await Watch(file: arguments.first, once: once, console: context.console).run()
    }
  }
}

/// A view of a recording that is updated while the recording grows.
struct Watch {
  /// The time between two reads of the file.
  private static let pause = Duration.milliseconds(200)

  /// The number of bytes that are read before their actions are shown.
  private static let piece = 1 << 20

  let file: String
  let once: Bool
  let console: Console

  func run() async throws(CommandFailure) {
    if file != "-" { try InputFile.check(file) }
    try InputFile.checkIsNoOutput(file)
    do {
      if InputFile.isStream(file) { try followStream() } else { try await followFile() }
    } catch {
      throw RecordingInput.failure(cause(of: error), file)
    }
  }

  /// The error with the kind of the damage. A follower reads a line at a time and finds only that a line does not fit;
  /// the lines after it show the reason.
  private func cause(of error: any Error) -> any Error {
    guard error is RecordingDamage, !InputFile.isStream(file) else { return error }
    return (try? RecordingInput.open(file))?.damage ?? error
  }

  private func followFile() async throws {
    var follower = RecordingFollower<AppAction, AppState>(path: file)
    var state: AppState?
    while true {
      // If an error follows good lines, only the next call throws it.
      let events = try follower.next(upTo: Self.piece)
      if show(events, &state) || Task.isCancelled { return }
      if !events.isEmpty { continue }
      if once {
        // Without a header, the file is not a recording.
        if state == nil { try RecordingInput.checkWhole(RecordingInput.open(file)) }
        return
      }
      try await ContinuousClock().sleep(for: Self.pause)
    }
  }

  /// Follows standard input, a pipe or a device. Each of them can be read only once.
  private func followStream() throws {
    let name = InputFile.name(file)
    var follower = RecordingFollower<AppAction, AppState>(path: name)
    var state: AppState?
    // The bytes until the header is complete.
    var begin: [UInt8] = []
    let input = try InputReader(file)
    while true {
      guard let bytes = try input.next() else {
        _ = try follower.next([])
        // Without a header, the input is not a recording.
        if state == nil { try RecordingInput.checkWhole(.init(bytes: begin, name: name)) }
        if once { return }
        throw CommandFailure("\(name): the recording has no end: its program did not close it", .failed)
      }
      if state == nil { begin += bytes }
      // An input that does not begin with a header may have no end.
      if begin.first != UInt8(ascii: "{") { try RecordingInput.checkWhole(.init(bytes: begin, name: name)) }
      if show(try follower.next(bytes), &state) { return }
    }
  }

  /// Writes a line for each action. Returns whether there is nothing more to write: the recording has ended, or nobody
  /// reads the output.
  private func show(_ events: [RecordingFollower<AppAction, AppState>.Event], _ state: inout AppState?) -> Bool {
    for event in events {
      if console.isClosed() { return true }
      switch event {
      case .began(_, let initial): state = initial
      case .action(let recorded):
        guard var current = state else { continue }
        let before = current
        Reducer.app.reduce(recorded.action, &current)
        state = current
        let line = line(recorded, from: before, to: current)
        console.write(flush: true) { $0.fitted(line) + "\n" }
      case .ended: return true
      }
    }
    return console.isClosed()
  }

  private func line(_ recorded: RecordedAction<AppAction>, from before: AppState, to after: AppState) -> String {
    let changes = ValueDifference(from: before as Any, to: after as Any).changes
    let action = TextStyle.harmless(recorded.action.title)
    let text = "\(recorded.number)  \(action)"
    let shown = changes.prefix(4).map { TextStyle.harmless("\($0)") } + (changes.count > 4 ? ["…"] : [])
    return shown.isEmpty ? text : "\(text)  [\(shown.joined(separator: "; "))]"
  }
}
