public import ReeluxCore
public import ReeluxDiff
internal import Foundation

/// A recording as one web page: every action with its source, the state after each and what it changed, a map of the
/// track, the spans of what was pending.
///
/// The page needs nothing but itself: no network, no other file. Everything from the recording is shown as text, never
/// taken as markup. A hundred thousand actions scroll smoothly.
///
/// ```swift
/// let report = try RecordingReport(
///   Recording<AppAction, AppState>(path: "run.jsonl"), reducer: app.reducer, title: "My run")
/// try report.write(to: "run.html")
/// ```
public struct RecordingReport<Action: Codable & Sendable, State: Codable & Sendable>: Sendable {
  /// The page.
  let page: [UInt8]
  private let input: String?
  /// Whether the recording is whole up to its end, and every checksum is the one that the reducer gives. Otherwise the page
  /// says what is wrong. With actions left out, checksums are not compared.
  public let isAsRecorded: Bool

  /// Makes a report. Cost: one run through the reducer, and for each action what it changed.
  /// - Parameters:
  ///   - recording: What is shown.
  ///   - reducer: The app's reducer, `feature.reducer`, which computes the states.
  ///   - title: The page's title.
  ///   - hooks: Where the app's state keeps track points and statuses.
  ///   - redacting: Fields, cases and keys whose values are not part of the page, by their names in JSON.
  ///   - test: How the page writes tests of this app; without it, the page has no button for that.
  ///   - whatIf: Which actions are left out, and how a reader makes such a page. Default: none.
  /// - Throws: ``RecordingError``, or an error of the state's own encoding.
  public init(
    _ recording: Recording<Action, State>, reducer: Reducer<Action, State>, title: String = "Recording",
    hooks: ReportHooks<Action, State> = ReportHooks(), redacting: [ValuePathPattern] = [],
    test: GeneratedTest.Setting? = nil, whatIf: ReportWhatIf<Action, State> = ReportWhatIf()
  ) throws {
    let data = try ReportData(recording, reducer: reducer, hooks: hooks, redacting: redacting, whatIf: whatIf)
    var bytes = Array(ReportPage.head(title: title).utf8)
    try data.write(to: &bytes, title: title, test: test)
    bytes += ReportPage.tail.utf8
    page = bytes
    input = recording.path
    isAsRecorded = data.isAsRecorded
  }

  /// The page as text.
  public var html: String { String(decoding: page, as: UTF8.self) }

  /// Writes the page into a file: beside it first, then renamed, so that the file is never half a page.
  /// - Parameters:
  ///   - path: The file.
  ///   - replacing: Whether an existing file is replaced. The recording itself is never replaced.
  /// - Throws: ``RecordingError``; nothing was changed then.
  public func write(to path: String, replacing: Bool = false) throws(RecordingError) {
    if let existing = FileIdentity(path) {
      if let input, FileIdentity(input)?.isSameFile(as: existing) == true { throw .wouldReplaceInput(path: path) }
      guard existing.isRegular else { throw .system(path: path, reason: "it is not a file") }
      guard replacing else { throw .exists(path: path) }
    }
    let beside = "\(path).\(getpid()).part"
    let file = try RecordFile(creating: beside)
    defer { unlink(beside) }
    try file.write(page)
    try file.synchronize()
    // A link does not replace a file that came into being meanwhile.
    let result = replacing ? rename(beside, path) : link(beside, path)
    guard result == 0 else {
      throw errno == EEXIST
        ? .exists(path: path) : .system(path: path, reason: String(cString: strerror(errno)))
    }
  }
}

/// Which file a path leads to, through links.
private struct FileIdentity {
  private let status: stat

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

  func isSameFile(as other: FileIdentity) -> Bool {
    status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
  }
}
