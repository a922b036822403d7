public import ReeluxLocation

/// A reader that returns the positions of an NMEA 0183 log one by one. Its memory does not grow with the log.
///
/// It reads GGA, RMC, GNS, GLL, VTG and ZDA of any talker, and ignores other sentences, such as proprietary ones
/// (`$P…`) and those of AIS. RMC contains date, speed and course. GGA and GNS contain altitude, satellites and accuracy
/// (five metres for each unit of dilution). VTG contains speed and course, which are used if there is no RMC. It has no
/// time. It belongs to the position before it, because most receivers send VTG after the position. If a ZDA with a
/// later time comes between the position and VTG, VTG belongs to the position with the time of this ZDA.
///
/// A line can have several sentences. Bytes between sentences are ignored: times, TAG blocks, `NMEA,`, binary data.
///
/// Sentences of the same time of day are combined into one point. A new point begins at a sentence with another date,
/// and at a second sentence of the same kind and the same talker with another place. So if a receiver writes five
/// positions a second, but its times have whole seconds only, the reader returns five points with the same time. A
/// repeated sentence begins no point, and neither does a sentence of the same kind of another talker, such as GPRMC
/// after GNRMC. A sentence without a time, such as GLL of the first versions of the standard, belongs to the point
/// beside it if their latitudes and longitudes differ by less than 0.01 minutes, which are at most 19 metres. Otherwise
/// it is a point without a time.
///
/// The reader skips sentences of a receiver without a position, sentences that are up to two seconds older than the
/// sentence before, sentences with a missing or wrong checksum, sentences with an impossible time or place (for example
/// a latitude of 95°), other impossible values of a sentence, and lines without a sentence. ``skipped`` counts all of
/// these. With ``ReadingMode/strict``, a damaged or impossible sentence throws an error. NMEA 0183 does not require
/// checksums: a sentence without one is read as long as no sentence before it has one. After that, it is probably cut
/// off.
///
/// Times before the first date belong to the day of this date, or to a preceding day if midnight lies between. A time
/// without a date belongs to the next day if it is more than twelve hours earlier than the previous one, and to the day
/// before if it is more than 23 hours and 58 minutes later. In the first minute after midnight, some receivers still
/// report the date of the day before. The reader corrects such a date if the point before is at most 60 s earlier.
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
  private var pending: Pending?
  /// The places of the pending point in its sentences, by talker and kind.
  private var places: [(address: UInt64, coordinate: Coordinate)] = []
  /// The date and time of a ZDA sentence before the other sentences of its time, and the motion in a VTG after it.
  private var announced: (date: Timestamp, timeOfDay: Double, motion: Motion)?
  private var midnight: Timestamp
  private var lastTimeOfDay: Double?
  private var lastTime: Timestamp?
  private var points = 0
  private var hasSentences = false
  /// Whether a sentence so far had a checksum.
  private var hasChecksums = false
  /// The number of midnights before the first date.
  private var days = 0
  private var firstDate: Timestamp?
  private var line = Line.blank

  /// The content of the current line so far.
  private enum Line {
    case blank, text, sentence
  }

  /// The speed in metres per second and the course of a sentence.
  private typealias Motion = (speed: Double?, course: Double?)

  /// A point whose sentences are being read.
  private struct Pending {
    var timeOfDay: Double?
    /// The date in its sentences, which can be that of the day before; `nil` if none has a date.
    var date: Timestamp?
    var point: TrackPoint
  }

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - source: The log.
  ///   - mode: Whether damaged and impossible sentences are skipped or cause an error.
  ///   - day: Midnight UTC of the first day of the log. Without it, the reader first reads the log up to the first
  ///     date. If there is no date, it uses the start of 1970.
  /// - Throws: A ``ReadingError`` if the source cannot be opened or is compressed.
  public init(_ source: ByteSource, mode: ReadingMode = .lenient, day: Timestamp? = nil) throws(ReadingError) {
    input = try InputWindow(source)
    self.mode = mode
    if let day {
      self.day = day
    } else {
      var reader = try NMEAReader(source, mode: .lenient, day: .epoch)
      self.day = try reader.firstDay() ?? .epoch
    }
    midnight = self.day
  }

  /// Midnight of the first day of the log; `nil` if the log contains no date.
  private mutating func firstDay() throws(ReadingError) -> Timestamp? {
    while firstDate == nil, try nextSentence() { _ = try? take() }
    return firstDate.map { $0.advanced(bySeconds: -86_400 * Double(days)) }
  }

  /// Returns the next point; `nil` at the end.
  ///
  /// - Throws: A ``ReadingError`` with line and reason if the log has no undamaged sentence. In strict mode, also if a
  ///   sentence is damaged or contains an impossible value.
  public mutating func next() throws(ReadingError) -> TrackPoint? {
    while try nextSentence() {
      do throws(NMEASentence.FieldError) {
        if let finished = try take() { return finished }
      } catch {
        guard mode == .lenient else { throw input.malformed(error.reason, at: index - 1) }
        note(.sentence, error.reason)
      }
    }
    guard hasSentences else {
      var reason = "this is not an NMEA 0183 log: no line is a sentence"
      if let damaged = skipped.entry(of: .checksum) {
        let sentences = damaged.count == 1 ? "the only sentence is" : "all \(damaged.count) sentences are"
        reason = "\(sentences) damaged: \(damaged.reason)"
      }
      throw ReadingError(kind: .malformed, input: input.name, line: 1, reason: reason)
    }
    return finishPending()
  }

  // MARK: Sentences

  /// Adds a sentence. Returns the point that this sentence completes, if any.
  private mutating func take() throws(NMEASentence.FieldError) -> TrackPoint? {
    switch sentence.kind {
    case .gga: return try takeFix(ifValid: sentence.holds(5, otherThan: UInt8(ascii: "0")))
    case .rmc: return try takeRMC()
    // The mode has a letter for each system. N means no fix.
    case .gns: return try takeFix(ifValid: sentence.holds(5, otherThan: UInt8(ascii: "N")))
    case .gll: return try takeGLL()
    case .vtg: try takeVTG()
    case .zda: return try takeZDA()
    case nil: break
    }
    return nil
  }

  /// Adds GGA or GNS. Their first nine fields are the same, except the sixth.
  private mutating func takeFix(ifValid isValid: Bool) throws(NMEASentence.FieldError) -> TrackPoint? {
    guard isValid else { return skipPosition() }
    let (time, coordinate) = (try sentence.timeOfDay(0), try sentence.coordinate(1))
    guard let coordinate else { return skipPosition() }
    if isLate(time) { return nil }
    let finished = begin(timeOfDay: time, at: coordinate)
    try takeQuality()
    return finished
  }

  private mutating func takeGLL() throws(NMEASentence.FieldError) -> TrackPoint? {
    guard sentence.letter(5) != UInt8(ascii: "V"), sentence.letter(6) != UInt8(ascii: "N") else {
      return skipPosition()
    }
    let (time, coordinate) = (try sentence.timeOfDay(4), try sentence.coordinate(0))
    guard let coordinate else { return skipPosition() }
    return isLate(time) ? nil : begin(timeOfDay: time, at: coordinate)
  }

  private mutating func takeRMC() throws(NMEASentence.FieldError) -> TrackPoint? {
    guard sentence.letter(1) == UInt8(ascii: "A"), sentence.letter(11) != UInt8(ascii: "N") else {
      return skipPosition()
    }
    let (time, coordinate) = (try sentence.timeOfDay(0), try sentence.coordinate(2))
    guard let coordinate else { return skipPosition() }
    let date = try optional { (sentence) throws(NMEASentence.FieldError) in try sentence.date(8) }
    if isLate(time, date: date) { return nil }
    let finished = begin(timeOfDay: time, date: date, at: coordinate)
    let motion = try motion(speed: 6, course: 7)
    if let speed = motion.speed { pending?.point.speed = speed }
    if let course = motion.course { pending?.point.course = course }
    return finished
  }

  private mutating func takeVTG() throws(NMEASentence.FieldError) {
    guard sentence.letter(8) != UInt8(ascii: "N"), pending != nil || announced != nil else { return }
    let motion = try motion(speed: 4, course: 0)
    if announced != nil { announced?.motion = motion } else { complete(with: motion) }
  }

  /// Adds speed and course to the pending point if it has none.
  private mutating func complete(with motion: Motion) {
    if pending?.point.speed == nil { pending?.point.speed = motion.speed }
    if pending?.point.course == nil { pending?.point.course = motion.course }
  }

  private mutating func takeZDA() throws(NMEASentence.FieldError) -> TrackPoint? {
    guard let time = try sentence.timeOfDay(0), let date = try sentence.dayMonthYear(1) else { return nil }
    guard pending?.timeOfDay == time, hasDate(date) else {
      let finished = pending?.timeOfDay == time ? finishPending() : nil
      setMidnight(date: date, timeOfDay: time)
      announced = (date, time, (nil, nil))
      return finished
    }
    setTime(timeOfDay: time, date: date)
    return nil
  }

  private mutating func takeQuality() throws(NMEASentence.FieldError) {
    let count = try optional { (sentence) throws(NMEASentence.FieldError) in
      try sentence.count(6, called: "number of satellites")
    }
    let unit = try optionalNumber(7, called: "dilution", isSigned: false)
    let metres = try optionalNumber(8, called: "altitude")
    if let count { pending?.point.satellites = count }
    if let unit { pending?.point.horizontalAccuracy = accuracy(dilution: unit) }
    if let metres { pending?.point.altitude = metres }
  }

  private mutating func motion(speed: Int, course: Int) throws(NMEASentence.FieldError) -> Motion {
    let knots = try optionalNumber(speed, called: "speed", isSigned: false)
    let degrees = try optionalNumber(course, called: "course")
    // A knot is 1852 metres per hour.
    return (knots.map { $0 * 1852 / 3600 }.flatMap { $0.isFinite ? $0 : nil }, degrees.map(Heading.normalized))
  }

  private mutating func optionalNumber(
    _ field: Int, called what: StaticString, isSigned: Bool = true
  ) throws(NMEASentence.FieldError) -> Double? {
    try optional { (sentence) throws(NMEASentence.FieldError) in
      try sentence.number(field, called: what, isSigned: isSigned)
    }
  }

  /// Reads an optional field of a point. A damaged field is skipped and counted.
  private mutating func optional<Value>(
    _ read: (borrowing NMEASentence) throws(NMEASentence.FieldError) -> Value?
  ) throws(NMEASentence.FieldError) -> Value? {
    do throws(NMEASentence.FieldError) {
      return try read(sentence)
    } catch {
      guard mode == .lenient else { throw error }
      note(.field, error.reason)
      return nil
    }
  }

  private mutating func skipPosition() -> TrackPoint? {
    note(.noPosition, "the receiver had no position")
    return nil
  }

  /// Whether a sentence is a little older than the pending point, which is counted. If several receivers write to one
  /// log, one of them can be slower. Midnight can lie between the sentence and the pending point.
  private mutating func isLate(_ timeOfDay: Double?, date: Timestamp? = nil) -> Bool {
    guard announced?.timeOfDay != timeOfDay, let timeOfDay, let known = pending?.timeOfDay,
      let time = pending?.point.timestamp
    else { return false }
    let age = known - timeOfDay
    let isLate: Bool
    if let date {
      // Both dates can be that of the day before.
      let datedAge = date.advanced(bySeconds: timeOfDay).seconds(to: time)
      isLate = Self.isLittle(datedAge) || hasDate(date) && Self.isLittle(age)
    } else {
      isLate = Self.isLittle(age < -43_200 ? age + 86_400 : age)
    }
    if isLate { note(.lateSentence, "the sentence is older than the one before") }
    return isLate
  }

  private static func isLittle(_ age: Double) -> Bool { age > 0 && age <= 2 }

  /// Counts skipped content that ends before the index.
  private mutating func note(_ kind: SkippedContent.Kind, _ reason: String) {
    skipped.note(kind, line: input.line(at: max(0, index - 1)), reason)
  }

  // MARK: Points and time

  /// Adds a sentence to its point, or begins a new point and returns the previous one.
  private mutating func begin(timeOfDay: Double?, date: Timestamp? = nil, at coordinate: Coordinate) -> TrackPoint? {
    let known = places.first { $0.address == sentence.address }?.coordinate
    var finished: TrackPoint?
    if !isOfPending(timeOfDay, at: coordinate) || (known ?? coordinate) != coordinate || !hasDate(date) {
      let (early, ownTime) = (announced, announced?.timeOfDay == timeOfDay)
      announced = nil
      if let early, !ownTime { complete(with: early.motion) }
      finished = finishPending()
      pending = Pending(timeOfDay: nil, date: ownTime ? early?.date : nil, point: TrackPoint(coordinate: coordinate))
      if let early, ownTime { complete(with: early.motion) }
      places.removeAll(keepingCapacity: true)
    }
    if known == nil || places.isEmpty { places.append((sentence.address, coordinate)) }
    // The date and the time of a point can be in different sentences.
    let knownTime = pending?.timeOfDay
    let date = date ?? (knownTime == nil ? pending?.date : nil)
    if let time = timeOfDay ?? knownTime {
      if date != nil || knownTime == nil { setTime(timeOfDay: time, date: date) }
    } else if let date {
      pending?.date = date
      firstDate = firstDate ?? date
    }
    return finished
  }

  /// Whether a sentence with a place has the time of the pending point. If one of them has no time, their places
  /// decide: the sentences of one time differ by less than 0.01 minutes of arc.
  private func isOfPending(_ timeOfDay: Double?, at coordinate: Coordinate) -> Bool {
    if let timeOfDay, let known = pending?.timeOfDay { return known == timeOfDay }
    guard let place = pending?.point.coordinate else { return false }
    let east = (place.longitude - coordinate.longitude).remainder(dividingBy: 360)
    return max(abs(place.latitude - coordinate.latitude), abs(east)) < 0.01 / 60
  }

  /// Whether the pending point can have a date. A date of its sentences can be that of the day before, and is then
  /// corrected.
  private func hasDate(_ date: Timestamp?) -> Bool {
    guard let date, let known = pending?.date, date != known else { return true }
    guard let timeOfDay = pending?.timeOfDay else { return false }
    return date.advanced(bySeconds: timeOfDay) == pending?.point.timestamp
  }

  /// Sets the time of the pending point.
  private mutating func setTime(timeOfDay: Double, date: Timestamp?) {
    if let date { setMidnight(date: date, timeOfDay: timeOfDay) } else { passMidnight(to: timeOfDay) }
    pending?.timeOfDay = timeOfDay
    if let date { pending?.date = date }
    pending?.point.timestamp = midnight.advanced(bySeconds: timeOfDay)
  }

  /// A time more than twelve hours earlier than the previous one belongs to the next day. If a time just before
  /// midnight follows one just after it, its sentence is late and belongs to the day before.
  private mutating func passMidnight(to timeOfDay: Double) {
    let step = timeOfDay - (lastTimeOfDay ?? timeOfDay)
    let days = step < -43_200 ? 1 : step > 86_280 ? -1 : 0
    midnight = midnight.advanced(bySeconds: 86_400 * Double(days))
    if firstDate == nil { self.days += days }
    lastTimeOfDay = timeOfDay
  }

  /// Sets the date of a sentence. Just after midnight, some receivers still report the previous day.
  private mutating func setMidnight(date: Timestamp, timeOfDay: Double) {
    let previous = pending?.timeOfDay == timeOfDay ? lastTime : pending?.point.timestamp ?? lastTime
    passMidnight(to: timeOfDay)
    firstDate = firstDate ?? date
    let gap = previous?.seconds(to: midnight.advanced(bySeconds: timeOfDay)) ?? .infinity
    let isLate = timeOfDay < 60 && midnight == date.advanced(bySeconds: 86_400) && 0 <= gap && gap <= 60
    if !isLate { midnight = date }
  }

  private mutating func finishPending() -> TrackPoint? {
    guard let finished = pending?.point else { return nil }
    pending = nil
    points += 1
    lastTime = finished.timestamp ?? lastTime
    return finished
  }

  // MARK: Lines

  /// Reads up to the end of the next undamaged sentence. Returns false at the end of the log.
  private mutating func nextSentence() throws(ReadingError) -> Bool {
    while try hasBytes() {
      let byte = input.bytes[index]
      if byte == 0x0A || byte == 0x0D {
        endLine()
      } else if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!"), NMEASentence.begins(input.bytes, at: index) {
        let isUndamaged = sentence.parse(input.bytes, at: index, needsChecksum: hasChecksums)
        index = sentence.end
        line = .sentence
        hasChecksums = hasChecksums || sentence.hasChecksum
        hasSentences = hasSentences || isUndamaged
        if isUndamaged { return true }
        guard mode == .lenient else { throw input.malformed(sentence.damage, at: index - 1) }
        note(.checksum, sentence.damage)
        continue
      } else if byte != 0x20, line == .blank {
        line = .text
      }
      index += 1
    }
    endLine()
    return false
  }

  private mutating func endLine() {
    if line == .text { note(.noSentence, "the line is not a sentence") }
    line = .blank
  }

  /// Reads more if the window may end in a sentence. Returns false at the end of the log.
  private mutating func hasBytes() throws(ReadingError) -> Bool {
    while input.bytes.count - index < NMEASentence.longest + 8 {
      guard try input.refill(keeping: index) else { return index < input.bytes.count }
      index = 0
    }
    return true
  }
}
