/// The result of one pass over a recording: the positions of its lines, and the first damaged line.
struct RecordingScan: Sendable {
  /// The number of actions from one known line to the next.
  static let stride = 500

  /// The number of actions before the damage or the end.
  private(set) var count = 0
  /// The lines of the actions 1, 1 + `stride`, and so on.
  private(set) var marks: [LineRange] = []
  /// The lines that contain the state after an action.
  private(set) var snapshots: [(after: Int, line: LineRange)] = []
  private(set) var ending = RecordingEnding.open
  /// The last line of a closed recording.
  private(set) var end: LineRange?
  private(set) var damage: RecordingDamage?
  private var chain = Digest().value

  init(_ bytes: RecordingBytes) throws {
    var lines = LineReader(bytes)
    while damage == nil {
      let isLast = try lines.next { line, text in
        if let fault = take(line, text, isAtEnd: line.end == bytes.count, isLast: line.end + 1 >= bytes.count) {
          damage = try fault.damage(in: bytes)
        }
        return false
      }
      if isLast == nil { return }
    }
  }

  /// Adds the next line. Returns its damage, if any.
  ///
  /// - Parameters:
  ///   - isAtEnd: Whether the file ends with this line and without a line break.
  ///   - isLast: Whether no other line follows.
  private mutating func take(
    _ line: LineRange, _ text: ArraySlice<UInt8>, isAtEnd: Bool, isLast: Bool
  ) -> LineFault? {
    var fault = LineFault(line: line, chain: chain, expected: count)
    let isHeader = line.number == 1
    // A blank line at the end is no damage, also if the end of the recording is missing.
    if text.isEmpty, !isHeader, isLast { return nil }
    switch ending {
    case .closed: return RecordingLine.isBlank(text) ? nil : fault.because("the line follows the end of the recording")
    case .cutOff, .open: break
    }
    guard let (content, own) = RecordingLine.split(text) else {
      if isHeader {
        return fault.because(
          text.last == 0x0d
            ? "the file has Windows line ends. Convert them first: tr -d '\\r' < FILE > NEW"
            : "the header does not end with its 'chain'. Another program may have written the file again")
      }
      guard isAtEnd else { return fault.because(text.isEmpty ? "the line is empty" : LineFault.changed) }
      ending = .cutOff(line: line.number, bytes: text.count)
      return nil
    }
    let next = RecordingLine.chain(content, after: chain)
    if isHeader {
      guard next == own else { return fault.because(LineFault.changed) }
      chain = next
      return nil
    }
    guard let (kind, number) = RecordingLine.kind(text) else { return fault.because(LineFault.changed) }
    fault.found = (kind, number)
    guard next == own, number == (kind == .action ? count + 1 : count) else { return fault }
    chain = next
    switch kind {
    case .action:
      count += 1
      if count % Self.stride == 1 { marks.append(line) }
    case .snapshot: snapshots.append((count, line))
    case .end:
      ending = .closed
      end = line
    }
    return nil
  }
}

/// How a recording ends.
public enum RecordingEnding: Hashable, Sendable {
  /// With the line that ``ActionRecorder/close()`` writes.
  case closed
  /// After a complete line. The process ended without closing the recorder, or later lines are lost.
  case open
  /// In the middle of a line, which is ignored.
  case cutOff(line: Int, bytes: Int)
}

/// The first line that does not match, and the search for the cause.
private struct LineFault {
  static let changed = "the line was changed after it was written"

  var line: LineRange
  /// The chain of the lines before it.
  var chain: UInt64
  /// The number of actions before it.
  var expected: Int
  var found: (kind: RecordingLine.Kind, number: Int)?
  private var reason: String?

  init(line: LineRange, chain: UInt64, expected: Int) {
    self.line = line
    self.chain = chain
    self.expected = expected
  }

  func because(_ reason: String) -> LineFault {
    var fault = self
    fault.reason = reason
    return fault
  }

  func damage(in bytes: RecordingBytes) throws -> RecordingDamage {
    RecordingDamage(path: bytes.name, line: line.number, reason: try reason ?? search(bytes))
  }

  private func search(_ bytes: RecordingBytes) throws -> String {
    guard let (kind, number) = found else { return Self.changed }
    let own = try bytes.read(line.begin, line.end - line.begin)
    if let copy = try earlier(own, bytes) {
      return copy == line.number - 1
        ? "the line is repeated: it equals the line before it" : "the line is repeated: it equals line \(copy)"
    }
    let next = expected + 1
    let isOutOfOrder = kind == .action && number != next
    if isOutOfOrder, number > next, let place = try later(next, bytes) {
      return "lines were moved: this line contains \(name(kind, number)), and action \(next) is in line \(place)"
    }
    // If the next action follows, only the number of this line was changed.
    if isOutOfOrder, try following(bytes) == next + 1 { return Self.changed }
    let isEarly = kind == .action ? number > next : number > expected
    if isEarly {
      if let place = try later(next, bytes) {
        return "lines were moved: this line contains \(name(kind, number)), and action \(next) is in line \(place)"
      }
      let last = kind == .action ? number - 1 : number
      return (last > next ? "the actions \(next) to \(last) are lost" : "action \(next) is lost")
        + ": this line contains \(name(kind, number))"
    }
    if number != (kind == .action ? next : expected) {
      return "\(Self.changed), or it belongs to another place: "
        + "this line contains \(name(kind, number)), but action \(next) was expected"
    }
    return try changedPart(own, bytes)
  }

  /// Determines with the next line whether the content or the checksum was changed.
  private func changedPart(_ own: [UInt8], _ bytes: RecordingBytes) throws -> String {
    var rest = LineReader(bytes, from: line)
    _ = try rest.next { _, _ in }
    guard let (content, written) = RecordingLine.split(own[...]) else { return Self.changed }
    let computed = RecordingLine.chain(content, after: chain)
    return try rest.next { _, text in
      guard let (following, last) = RecordingLine.split(text) else { return Self.changed }
      if RecordingLine.chain(following, after: written) == last { return Self.changed }
      if RecordingLine.chain(following, after: computed) == last { return "the line's checksum was changed" }
      return "\(Self.changed), or a line before it is lost"
    } ?? Self.changed
  }

  private func name(_ kind: RecordingLine.Kind, _ number: Int) -> String {
    switch kind {
    case .action: "action \(number)"
    case .snapshot: "the state after action \(number)"
    case .end: "the end after action \(number)"
    }
  }

  /// The number of the action in the next line.
  private func following(_ bytes: RecordingBytes) throws -> Int? {
    var rest = LineReader(bytes, from: line)
    _ = try rest.next { _, _ in }
    return try rest.next { _, text in RecordingLine.kind(text).flatMap { $0.kind == .action ? $0.number : nil } } ?? nil
  }

  /// The number of an earlier line with the same bytes.
  private func earlier(_ own: [UInt8], _ bytes: RecordingBytes) throws -> Int? {
    var lines = LineReader(bytes)
    while let copy = try lines.next({ other, text -> Int in
      if other.number >= line.number { return -1 }
      return text == own[...] ? other.number : 0
    }), copy >= 0 {
      if copy > 0 { return copy }
    }
    return nil
  }

  /// The number of a later line with this action.
  private func later(_ action: Int, _ bytes: RecordingBytes) throws -> Int? {
    var lines = LineReader(bytes, from: line)
    while let place = try lines.next({ other, text in
      RecordingLine.kind(text).map { $0 == (.action, action) } == true ? other.number : 0
    }) {
      if place > 0 { return place }
    }
    return nil
  }
}
