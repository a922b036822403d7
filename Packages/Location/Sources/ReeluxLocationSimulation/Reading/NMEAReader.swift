public import ReeluxLocation

/// A reader that returns the positions of an NMEA 0183 log one by one. Its memory does not grow with the log.
///
/// It reads GGA, RMC, GNS, GLL, VTG and ZDA of any talker, and ignores other sentences. Sentences of the same time are
/// combined into one point. RMC contains date, speed and course. GGA and GNS contain altitude, satellites and accuracy
/// (five metres for each unit of dilution). VTG contains speed and course, which are used if there is no RMC. Bytes
/// before the `$` of a sentence are ignored: times, TAG blocks, `NMEA,`, binary data.
///
/// The reader skips sentences of a receiver without a position, lines with a missing or wrong checksum, sentences with
/// an impossible value (for example a latitude of 95°), and lines that are not sentences. ``skipped`` counts all of
/// these. With ``ReadingMode/strict``, an impossible sentence throws an error. NMEA 0183 does not require checksums: a
/// sentence without one is read as long as no sentence before it has one. After that, it is probably cut off.
///
/// Times before the first date belong to the preceding days. A time more than twelve hours earlier than the previous
/// one belongs to the next day.
public struct NMEAReader {
  /// The content that was skipped so far.
  public private(set) var skipped = SkippedContent()

  /// The progress of the reader.
  public var progress: ReadingProgress {
    ReadingProgress(bytes: input.offset(of: index), totalBytes: input.size, points: points)
  }

  /// Whether no sentence so far has a date.
  var lacksDate: Bool { firstDate == nil }

  /// Midnight of the first day of the log.
  let day: Timestamp
  private var input: InputWindow
  private var index = 0
  private var sentence = NMEASentence()
  private let mode: ReadingMode
  private var pending: (timeOfDay: Double, point: TrackPoint)?
  private var midnight: Timestamp
  private var lastTimeOfDay: Double?
  private var lastTime: Timestamp?
  private var points = 0
  private var sentences = 0
  /// Whether a sentence so far had a checksum.
  private var hasChecksums = false
  /// The number of midnights before the first date.
  private var days = 0
  private var firstDate: Timestamp?

  /// The longest line that is scanned completely. The standard allows 82 characters.
  private static let lineLimit = 1024

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - source: The log.
  ///   - mode: Whether impossible sentences are skipped or cause an error.
  ///   - day: Midnight UTC of the first day of the log. Without it, the reader first reads the log up to the first
  ///     date. If there is no date, it uses the start of 1970.
  /// - Throws: A ``ReadingError`` if the source cannot be opened or is compressed.
  public init(_ source: ByteSource, mode: ReadingMode = .lenient, day: Timestamp? = nil) throws(ReadingError) {
    input = try InputWindow(source)
    self.mode = mode
    if let day {
      self.day = day
    } else {
      var scout = try NMEAReader(source, mode: .lenient, day: .epoch)
      self.day = try scout.firstDay() ?? .epoch
    }
    midnight = self.day
  }

  /// Reads a line.
  private mutating func parse(_ line: Range<Int>) throws(NMEASentence.Refusal) {
    defer { hasChecksums = hasChecksums || sentence.hasChecksum }
    try sentence.parse(input.bytes, line, needsChecksum: hasChecksums)
  }

  /// Midnight of the first day of the log; `nil` if the log contains no date.
  private mutating func firstDay() throws(ReadingError) -> Timestamp? {
    while firstDate == nil, let line = try nextLine() {
      guard !line.isEmpty, (try? parse(line)) != nil else { continue }
      _ = try? take()
    }
    return firstDate.map { $0.advanced(bySeconds: -86_400 * Double(days)) }
  }

  /// Returns the next point; `nil` at the end.
  ///
  /// - Throws: A ``ReadingError`` with line and reason if the log contains no sentence. In strict mode, also if an
  ///   undamaged sentence contains an impossible value.
  public mutating func next() throws(ReadingError) -> TrackPoint? {
    while let line = try nextLine() {
      guard !line.isEmpty else { continue }
      do throws(NMEASentence.Refusal) {
        try parse(line)
      } catch {
        let (kind, reason): (SkippedContent.Kind, String) =
          error == .checksum
          ? (.checksum, "the checksum of a sentence is missing or wrong") : (.noSentence, "the line is not a sentence")
        skipped.note(kind, line: input.line(at: line.lowerBound), reason)
        continue
      }
      sentences += 1
      do throws(NMEASentence.FieldError) {
        if let finished = try take() { return finished }
      } catch {
        guard mode == .lenient else { throw input.malformed(error.reason, at: line.lowerBound) }
        skipped.note(.sentence, line: input.line(at: line.lowerBound), error.reason)
      }
    }
    guard sentences > 0 else {
      let damaged = skipped.count(of: .checksum)
      let reason =
        damaged > 0
        ? "all \(damaged) sentences are damaged: no checksum matches"
        : "this is not an NMEA 0183 log: no line is a sentence"
      throw ReadingError(kind: .malformed, input: input.name, line: 1, reason: reason)
    }
    return finishPending()
  }

  // MARK: Sentences

  /// Adds a sentence. Returns the point that this sentence completes, if any.
  private mutating func take() throws(NMEASentence.FieldError) -> TrackPoint? {
    switch sentence.kind {
    case .gga: return try takeGGA()
    case .rmc: return try takeRMC()
    case .gns: return try takeGNS()
    case .gll: return try takeGLL()
    case .vtg: try takeVTG()
    case .zda: try takeZDA()
    case nil: break
    }
    return nil
  }

  private mutating func takeGGA() throws(NMEASentence.FieldError) -> TrackPoint? {
    guard let quality = sentence.letter(5), quality != UInt8(ascii: "0") else { return skipPosition() }
    let (time, coordinate) = (try sentence.timeOfDay(0), try sentence.coordinate(1))
    guard let time, let coordinate else { return skipPosition() }
    let finished = begin(timeOfDay: time, at: coordinate)
    try takeQuality(satellites: 6, dilution: 7, altitude: 8)
    return finished
  }

  private mutating func takeGNS() throws(NMEASentence.FieldError) -> TrackPoint? {
    // The mode has a letter for each system. N means no fix.
    guard sentence.holds(5, otherThan: UInt8(ascii: "N")) else { return skipPosition() }
    let (time, coordinate) = (try sentence.timeOfDay(0), try sentence.coordinate(1))
    guard let time, let coordinate else { return skipPosition() }
    let finished = begin(timeOfDay: time, at: coordinate)
    try takeQuality(satellites: 6, dilution: 7, altitude: 8)
    return finished
  }

  private mutating func takeGLL() throws(NMEASentence.FieldError) -> TrackPoint? {
    guard sentence.letter(5) != UInt8(ascii: "V"), sentence.letter(6) != UInt8(ascii: "N") else {
      return skipPosition()
    }
    let (time, coordinate) = (try sentence.timeOfDay(4), try sentence.coordinate(0))
    guard let time, let coordinate else { return skipPosition() }
    return begin(timeOfDay: time, at: coordinate)
  }

  private mutating func takeRMC() throws(NMEASentence.FieldError) -> TrackPoint? {
    guard sentence.letter(1) == UInt8(ascii: "A"), sentence.letter(11) != UInt8(ascii: "N") else {
      return skipPosition()
    }
    let (time, coordinate) = (try sentence.timeOfDay(0), try sentence.coordinate(2))
    guard let time, let coordinate else { return skipPosition() }
    let finished = begin(timeOfDay: time, at: coordinate)
    if let date = try optional(nil, { (sentence) throws(NMEASentence.FieldError) in try sentence.date(8) }) {
      note(date: date, timeOfDay: time)
      pending?.point.timestamp = midnight.advanced(bySeconds: time)
    }
    try takeMotion(speed: 6, course: 7)
    return finished
  }

  /// Adds speed and course to the previous point if it has none.
  private mutating func takeVTG() throws(NMEASentence.FieldError) {
    guard sentence.letter(8) != UInt8(ascii: "N"), pending != nil else { return }
    let known = (speed: pending?.point.speed, course: pending?.point.course)
    try takeMotion(speed: 4, course: 0)
    if let speed = known.speed { pending?.point.speed = speed }
    if let course = known.course { pending?.point.course = course }
  }

  private mutating func takeZDA() throws(NMEASentence.FieldError) {
    guard let time = try sentence.timeOfDay(0), let date = try sentence.dayMonthYear(1) else { return }
    note(date: date, timeOfDay: time)
    if pending?.timeOfDay == time { pending?.point.timestamp = midnight.advanced(bySeconds: time) }
  }

  private mutating func takeQuality(satellites: Int, dilution: Int, altitude: Int) throws(NMEASentence.FieldError) {
    let count = try optional(nil) { (sentence) throws(NMEASentence.FieldError) in
      try sentence.number(satellites, called: "number of satellites")
    }
    let unit = try optional(nil) { (sentence) throws(NMEASentence.FieldError) in
      try sentence.number(dilution, called: "dilution")
    }
    let metres = try optional(nil) { (sentence) throws(NMEASentence.FieldError) in
      try sentence.number(altitude, called: "altitude")
    }
    if let count { pending?.point.satellites = Int(exactly: count.rounded()) }
    if let unit { pending?.point.horizontalAccuracy = max(0, unit) * 5 }
    if let metres { pending?.point.altitude = metres }
  }

  private mutating func takeMotion(speed: Int, course: Int) throws(NMEASentence.FieldError) {
    let knots = try optional(nil) { (sentence) throws(NMEASentence.FieldError) in
      try sentence.number(speed, called: "speed")
    }
    let degrees = try optional(nil) { (sentence) throws(NMEASentence.FieldError) in
      try sentence.number(course, called: "course")
    }
    // A knot is 1852 metres per hour.
    if let knots { pending?.point.speed = max(0, knots) * 1852 / 3600 }
    if let degrees { pending?.point.course = Heading.normalized(degrees) }
  }

  /// Reads an optional field of a point. A damaged field is skipped and counted.
  private mutating func optional<Value>(
    _ missing: Value?, _ read: (borrowing NMEASentence) throws(NMEASentence.FieldError) -> Value?
  ) throws(NMEASentence.FieldError) -> Value? {
    do throws(NMEASentence.FieldError) {
      return try read(sentence)
    } catch {
      guard mode == .lenient else { throw error }
      skipped.note(.field, line: input.line(at: max(0, index - 1)), error.reason)
      return missing
    }
  }

  private mutating func skipPosition() -> TrackPoint? {
    skipped.note(
      .noPosition, line: input.line(at: max(0, index - 1)), "the receiver had no position")
    return nil
  }

  // MARK: Points and time

  /// Continues the point of the same time, or begins a new point and returns the previous one.
  private mutating func begin(timeOfDay: Double, at coordinate: Coordinate) -> TrackPoint? {
    if let pending, pending.timeOfDay == timeOfDay { return nil }
    let finished = finishPending()
    passMidnight(to: timeOfDay)
    let point = TrackPoint(coordinate: coordinate, timestamp: midnight.advanced(bySeconds: timeOfDay))
    pending = (timeOfDay, point)
    return finished
  }

  /// A time more than twelve hours earlier than the previous one belongs to the next day.
  private mutating func passMidnight(to timeOfDay: Double) {
    if let last = lastTimeOfDay, last - timeOfDay > 43_200 {
      midnight = midnight.advanced(bySeconds: 86_400)
      if firstDate == nil { days += 1 }
    }
    lastTimeOfDay = timeOfDay
  }

  /// Sets the date of a sentence. Just after midnight, some receivers still report the previous day.
  private mutating func note(date: Timestamp, timeOfDay: Double) {
    passMidnight(to: timeOfDay)
    firstDate = firstDate ?? date
    let isLate =
      timeOfDay < 60 && lastTime != nil && midnight == date.advanced(bySeconds: 86_400)
      && date.advanced(bySeconds: timeOfDay) < (lastTime ?? date)
    if !isLate { midnight = date }
  }

  private mutating func finishPending() -> TrackPoint? {
    guard let finished = pending?.point else { return nil }
    pending = nil
    points += 1
    lastTime = finished.timestamp
    return finished
  }

  // MARK: Lines

  /// The index of the next LF or CR, or the end of the bytes.
  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      if byte <= 0x0D, byte == 0x0A || byte == 0x0D { break }
      place += 1
    }
    return place
  }

  /// The next line without its end; `nil` at the end of the log. Of a very long line, only the end is scanned.
  private mutating func nextLine() throws(ReadingError) -> Range<Int>? {
    var place = index
    while true {
      place = Self.lineEnd(in: input.bytes, from: place)
      if place < input.bytes.count || input.isComplete { break }
      if place - index > Self.lineLimit { index = place - Self.lineLimit }
      let seen = place - index
      guard try input.refill(keeping: index) else { break }
      index = 0
      place = seen
    }
    guard index < input.bytes.count else { return nil }
    var end = place
    let start = max(index, place - Self.lineLimit)
    while end > start, input.bytes[end - 1] == 0x20 { end -= 1 }
    index = min(place + 1, input.bytes.count)
    return start..<end
  }
}
