internal import Foundation

/// A reader of a recording that is still being written.
///
/// Each call reads the lines that were added since the previous one. An incomplete line is read when it is complete. A
/// blank line at the end is ignored. The line that closes the recording needs no line end. Use ``next()`` for a file
/// and ``next(_:)`` for a pipe.
public struct RecordingFollower<Action: Decodable & Sendable, State: Decodable & Sendable> {
  /// The content of a line.
  public enum Event: Sendable {
    /// The recording began.
    case began(RecordingHeader, State)
    /// An action was recorded.
    case action(RecordedAction<Action>)
    /// The recording was closed.
    case ended
  }

  private let path: String
  private var place = LineRange(number: 1, begin: 0, end: 0)
  private var chain = Digest().value
  private var recording: Recording<Action, State>?
  private var rest: [UInt8] = []
  /// The number of first bytes of `rest` that contain no line end.
  private var searched = 0
  private var hasEnded = false

  /// Creates a follower that begins at the start of a file. For a pipe, `path` is the name in errors. This reads
  /// nothing yet.
  public init(path: String) { self.path = path }

  /// Returns the content of the lines added since the last call. If good lines stand before a line with an error, this
  /// call returns them, and the next call throws the error.
  ///
  /// The first call reads the whole file and returns all of its actions in one array, which takes memory for each of
  /// them.
  /// - Throws: ``RecordingDamage`` for a line that does not fit the line before it, and if the file was removed,
  ///   renamed or became shorter after its first line was read; ``RecordingError``.
  public mutating func next() throws -> [Event] { try next(upTo: .max) }

  /// Returns the content of some of the lines added since the last call, so that a long file is shown from its
  /// beginning on. The list is empty only if there are no more lines.
  ///
  /// - Parameter length: The number of bytes after which no further line is read. A pipe is read as a whole.
  package mutating func next(upTo length: Int) throws -> [Event] {
    if place.number > 1, !FileManager.default.fileExists(atPath: path) {
      throw RecordingDamage(path: path, line: place.number, reason: "the file was removed or renamed")
    }
    let bytes = try RecordingBytes(path: path)
    guard bytes.count >= place.begin else {
      throw RecordingDamage(path: path, line: place.number, reason: "the file has become shorter")
    }
    var lines = LineReader(bytes, from: place)
    let begin = place.begin
    return try Self.upToError { events in
      while let goesOn = try lines.next({ line, text -> Bool in
        guard line.end < bytes.count || isEnd(text), !isBlankEnd(line, of: bytes.count) else { return false }
        events += try take(line, text)
        let next = min(line.end + 1, bytes.count)
        place = LineRange(number: line.number + 1, begin: next, end: next)
        return events.isEmpty || place.begin - begin < length || bytes.path == nil
      }), goesOn {}
    }
  }

  /// Returns the content of the lines in these further bytes.
  ///
  /// If good lines stand before a line with an error, this call returns the good lines, and the next call throws the
  /// error. So at the end of a pipe, call it once more with an empty list.
  /// - Throws: The same errors as ``next()``.
  public mutating func next(_ bytes: some Sequence<UInt8>) throws -> [Event] {
    rest += bytes
    var begin = 0
    let known = searched
    // After an error, the line is searched again.
    searched = 0
    defer { rest.removeSubrange(..<begin) }
    return try Self.upToError { events in
      while let end = rest[max(begin, known)...].firstIndex(of: 0x0a) {
        let line = LineRange(number: place.number, begin: begin, end: end)
        if isBlankEnd(line, of: rest.count) { return }
        events += try take(line, rest[begin..<end])
        place.number += 1
        begin = end + 1
      }
      if isEnd(rest[begin...]) {
        events += try take(LineRange(number: place.number, begin: begin, end: rest.count), rest[begin...])
        place.number += 1
        begin = rest.count
      }
      searched = rest.count - begin
    }
  }

  /// The events before an error. The error is thrown only if there are none.
  private static func upToError(_ read: (inout [Event]) throws -> Void) throws -> [Event] {
    var events: [Event] = []
    do { try read(&events) } catch {
      if events.isEmpty { throw error }
    }
    return events
  }

  /// Whether a line is blank and the last one so far. It is no damage if no line follows.
  private func isBlankEnd(_ line: LineRange, of count: Int) -> Bool {
    line.number > 1 && line.begin == line.end && line.end + 1 == count
  }

  /// Whether a line closes the recording. Nothing of such a line can be missing except its line end.
  private func isEnd(_ text: ArraySlice<UInt8>) -> Bool {
    guard RecordingLine.kind(text)?.kind == .end, let (content, own) = RecordingLine.split(text) else { return false }
    return RecordingLine.chain(content, after: chain) == own
  }

  private mutating func take(_ line: LineRange, _ text: ArraySlice<UInt8>) throws -> [Event] {
    if line.number == 1 {
      // A header alone is a recording without actions.
      let opened = try Recording<Action, State>(bytes: Array(text) + [0x0a], name: path)
      recording = opened
      chain = RecordingLine.split(text)?.chain ?? 0
      return [.began(opened.header, opened.initialState)]
    }
    if hasEnded, RecordingLine.isBlank(text) { return [] }
    guard let (content, own) = RecordingLine.split(text), RecordingLine.chain(content, after: chain) == own,
      let (kind, _) = RecordingLine.kind(text)
    else {
      throw RecordingDamage(path: path, line: line.number, reason: "the line does not follow the one before it")
    }
    var events: [Event] = []
    switch kind {
    case .action: events = try recording.map { [.action(try $0.decoded(line, text, path))] } ?? []
    case .snapshot: break
    case .end:
      hasEnded = true
      events = [.ended]
    }
    chain = own
    return events
  }
}
