public import ReeluxCore
public import ReeluxDiff
internal import Foundation

/// A recording as one web page. It shows every action with its source and its changes, the state after each, a map of
/// the track, and the spans of pending items.
///
/// The page needs no network and no other file. Text from the recording is never interpreted as markup. A list of a
/// hundred thousand actions scrolls smoothly.
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
  /// Whether the recording is complete and every checksum matches the reducer's state. If not, the page shows the
  /// problem. If actions are left out, only the checksum of the initial state is compared.
  public let isAsRecorded: Bool
  /// The redaction patterns that matched nothing in the recording. A misspelled pattern redacts nothing, so warn the
  /// user.
  public let unmatchedPatterns: [ValuePathPattern]

  /// Creates a report. Costs one run through the reducer, and a difference for each action. With `redacting`, each
  /// action also costs a pass over the whole state.
  /// - Parameters:
  ///   - recording: The recording.
  ///   - reducer: The app's reducer, `feature.reducer`, which computes the states.
  ///   - title: The page's title.
  ///   - hooks: The parts of the state that the report draws: track points and statuses.
  ///   - redacting: The fields, cases and keys to redact, by their names in JSON. They are redacted in actions and
  ///     their titles, and in states and their changes. The page's title, the recording's header, sources with their
  ///     `info`, reasons of an ``AnswerFit``, and the texts and coordinates of the hooks are shown as they are.
  ///   - test: The names for generated tests. Without it, the page has no button for tests.
  ///   - whatIf: The actions that are left out, and the command that creates such a page. Default: none.
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
    unmatchedPatterns = redacting.filter(data.redaction.unmatched.contains)
  }

  /// The page as text. Each read makes a new string, which costs time and memory proportional to the page's size.
  public var html: String { String(decoding: page, as: UTF8.self) }

  /// Writes the page to a temporary file beside `path` and then renames this file, so that an incomplete page is never
  /// visible.
  ///
  /// A replaced file keeps its owner and its mode, and a symbolic link to it remains. If no such temporary file can be
  /// created, or if the old file is empty, the page is written directly into the old file.
  /// - Parameters:
  ///   - path: The file.
  ///   - replacing: Whether an existing file is replaced. If it is false, the file system must support hard links,
  ///     which FAT and exFAT do not. The recording itself is never replaced.
  /// - Throws: ``RecordingError``. After an error, a file that the page is written directly into may be changed. No
  ///   other file is changed.
  public func write(to path: String, replacing: Bool = false) throws(RecordingError) {
    if let existing = FileIdentity(path) {
      if let input, FileIdentity(input)?.isSameFile(as: existing) == true { throw .wouldReplaceInput(path: path) }
      guard existing.isRegular else { throw .system(path: path, reason: "it is not a file") }
      guard replacing else { throw .exists(path: path) }
      let file = RecordFile(waitingAt: path, replacing: true)
      try file.write(page)
      return try file.synchronize()
    }
    // A name of its own, because a longer form of the page's name could be too long for the file system.
    // The bytes are searched, because a slash before a combining character is not a character of its own.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = path[..<(slash.map { path.utf8.index(after: $0) } ?? path.startIndex)]
    let beside = "\(folder).reelux-\(UUID().uuidString).part"
    defer { unsafe unlink(beside) }
    do {
      let file = try RecordFile(creating: beside)
      try file.write(page)
      try file.synchronize()
    } catch .system(_, let reason) {
      throw .system(path: path, reason: reason)
    }
    // A link fails if another process has created the file in the meantime.
    let result = unsafe replacing ? rename(beside, path) : link(beside, path)
    guard result == 0 else {
      throw errno == EEXIST ? .exists(path: path) : .unwritable(path, Descriptor.reason(errno))
    }
  }
}

/// The identity of the file at a path, after following links.
private struct FileIdentity {
  private let status: stat

  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

  func isSameFile(as other: FileIdentity) -> Bool {
    status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
  }
}
