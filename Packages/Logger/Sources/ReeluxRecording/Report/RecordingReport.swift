public import ReeluxCore
public import ReeluxDiff
internal import Foundation

/// A recording as one web page: every action with its source, the state after each and what it changed, a map of the
/// track, the spans of what was pending.
///
/// The page needs nothing but itself: no network, no other file. Everything from the recording is shown as text, never
/// taken as markup. Ten thousand actions scroll smoothly.
///
/// ```swift
/// let report = RecordingReport(
///   try Recording<AppAction, AppState>(path: "run.jsonl"), reducer: app.reducer, title: "My run",
///   hooks: ReportHooks(statuses: { state in state.favorites.pending.map { ReportStatus(lane: $0, kind: .pending) } }))
/// try report.write(to: "run.html")
/// ```
public struct RecordingReport<Action: Codable & Sendable, State: Codable & Sendable>: Sendable {
  private let recording: Recording<Action, State>
  private let reducer: Reducer<Action, State>
  private let title: String
  private let hooks: ReportHooks<Action, State>
  private let redacting: [ValuePathPattern]

  /// Makes a report; nothing is run yet.
  /// - Parameters:
  ///   - recording: What is shown.
  ///   - reducer: The app's reducer, `feature.reducer`, which computes the states.
  ///   - title: The page's title.
  ///   - hooks: Where the app's state keeps track points and statuses.
  ///   - redacting: Fields, cases and keys whose values are not part of the page; in the states by their names in JSON.
  public init(
    _ recording: Recording<Action, State>, reducer: Reducer<Action, State>, title: String = "Recording",
    hooks: ReportHooks<Action, State> = ReportHooks(), redacting: [ValuePathPattern] = []
  ) {
    self.recording = recording
    self.reducer = reducer
    self.title = title
    self.hooks = hooks
    self.redacting = redacting
  }

  /// Returns the page. Cost: one run through the reducer, and a walk over the state for each action that changes it.
  /// - Throws: An error of the state's own encoding.
  public func html() throws -> String {
    let data = try ReportData(recording, reducer: reducer, hooks: hooks, redacting: redacting)
    return ReportPage.html(title: title, data: try data.text(title: title))
  }

  /// Writes the page into a file: beside it first, then renamed, so that no half page is ever seen.
  /// - Throws: ``RecordingError/system(path:reason:)`` if the file cannot be written, or an error of the state's encoding.
  public func write(to path: String) throws {
    let page = try html()
    do {
      try Data(page.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw RecordingError.system(path: path, reason: (error as NSError).localizedDescription)
    }
  }
}
