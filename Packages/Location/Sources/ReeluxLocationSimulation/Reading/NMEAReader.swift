public import ReeluxLocation

/// Reads the positions of an NMEA 0183 log one after the other, in memory that does not grow with the log.
///
/// Read are GGA and RMC of any talker; other sentences are passed over. The two of one time make one point: RMC gives
/// date, speed and course, GGA altitude and accuracy (five metres for each unit of dilution). A damaged line, whose
/// checksum is missing or wrong, is skipped and counted. A sentence that is undamaged and yet says something
/// impossible, a latitude of 95° for instance, is an error.
///
/// Until a first RMC has given the date, times belong to the day that the reader is given. A time that is more than
/// twelve hours earlier than the one before belongs to the next day.
public struct NMEAReader {
  /// What the reader passed over.
  public struct Skipped: Hashable, Sendable {
    /// Sentences whose checksum is missing or wrong.
    public var damaged = 0
    /// Lines that are no sentence.
    public var foreign = 0
    /// GGA and RMC that say that the receiver has no position.
    public var withoutPosition = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// What was passed over so far.
  public private(set) var skipped = Skipped()

  /// The first date that a sentence gave; nothing before that.
  public private(set) var firstDate: Timestamp?

  /// How far the reader has come.
  public var progress: ReadingProgress {
    ReadingProgress(bytes: reader.offset, totalBytes: reader.size, points: points)
  }

  private var reader: ByteReader
  private var pending: (timeOfDay: Double, point: TrackPoint)?
  private var midnight: Timestamp
  private var lastTimeOfDay: Double?
  private var points = 0
  private var sentences = 0

  /// The longest line that is looked at; the standard allows 82 characters.
  private static let lineLimit = 1024

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - source: The log.
  ///   - day: Midnight UTC of the day that times belong to until a sentence gives the date.
  /// - Throws: A ``ReadingError`` when the source cannot be opened.
  public init(_ source: ByteSource, day: Timestamp = .epoch) throws(ReadingError) {
    reader = try ByteReader(source)
    midnight = day
  }

  /// Reads on to the next point; nothing at the end.
  ///
  /// - Throws: A ``ReadingError`` with line and reason when an undamaged sentence says something impossible, or when
  ///   the log holds no sentence at all.
  public mutating func next() throws(ReadingError) -> TrackPoint? {
    while true {
      let line = reader.line
      guard let bytes = try nextLine() else {
        guard sentences > 0 else {
          let reason =
            skipped.damaged > 0
            ? "every one of the \(skipped.damaged) sentences is damaged: no checksum is right"
            : "this is no NMEA 0183 log: no line is a sentence"
          throw reader.malformed(reason, line: 1)
        }
        return finishPending()
      }
      guard !bytes.isEmpty else { continue }
      do {
        if let finished = try take(NMEASentence(line: bytes)) { return finished }
      } catch let error as NMEAFieldError {
        throw reader.malformed(error.reason, line: line)
      } catch NMEASentence.Refusal.checksum {
        skipped.damaged += 1
      } catch {
        skipped.foreign += 1
      }
    }
  }

  /// Takes a sentence in; gives the point that it proves complete.
  private mutating func take(_ sentence: NMEASentence) throws -> TrackPoint? {
    sentences += 1
    switch sentence.kind {
    case "GGA": return try takeGGA(sentence)
    case "RMC": return try takeRMC(sentence)
    default: return nil
    }
  }

  private mutating func takeGGA(_ sentence: NMEASentence) throws(NMEAFieldError) -> TrackPoint? {
    let coordinate = try sentence.coordinate(1)
    let dilution = try sentence.number(7, called: "dilution")
    let altitude = try sentence.number(8, called: "altitude")
    guard let time = try sentence.timeOfDay(0), let coordinate, sentence[5] != "0", !sentence[5].isEmpty else {
      skipped.withoutPosition += 1
      return nil
    }
    let finished = begin(timeOfDay: time, at: coordinate)
    pending?.point.altitude = altitude
    pending?.point.horizontalAccuracy = dilution.map { max(0, $0) * 5 }
    return finished
  }

  private mutating func takeRMC(_ sentence: NMEASentence) throws(NMEAFieldError) -> TrackPoint? {
    let coordinate = try sentence.coordinate(2)
    let knots = try sentence.number(6, called: "speed")
    let course = try sentence.number(7, called: "course")
    let date = try sentence.date(8)
    guard let time = try sentence.timeOfDay(0), let coordinate, sentence[1] == "A" else {
      skipped.withoutPosition += 1
      return nil
    }
    let finished = begin(timeOfDay: time, at: coordinate)
    if let date {
      firstDate = firstDate ?? date
      midnight = date
      pending?.point.timestamp = date.advanced(bySeconds: time)
    }
    // A knot is 1852 metres an hour.
    pending?.point.speed = knots.map { max(0, $0) * 1852 / 3600 }
    pending?.point.course = course.map { Heading.normalized($0) }
    return finished
  }

  /// Goes on with the point of the same time, or begins a new one and gives the one before.
  private mutating func begin(timeOfDay: Double, at coordinate: Coordinate) -> TrackPoint? {
    if let pending, pending.timeOfDay == timeOfDay { return nil }
    let finished = finishPending()
    if let last = lastTimeOfDay, last - timeOfDay > 43_200 { midnight = midnight.advanced(bySeconds: 86_400) }
    lastTimeOfDay = timeOfDay
    let point = TrackPoint(coordinate: coordinate, timestamp: midnight.advanced(bySeconds: timeOfDay))
    pending = (timeOfDay, point)
    return finished
  }

  private mutating func finishPending() -> TrackPoint? {
    guard let finished = pending?.point else { return nil }
    pending = nil
    points += 1
    return finished
  }

  /// The next line without its end; too long a line is cut, so that its checksum is wrong.
  private mutating func nextLine() throws(ReadingError) -> [UInt8]? {
    var bytes: [UInt8] = []
    guard try reader.peek() != nil else { return nil }
    while let byte = try reader.next(), byte != 0x0A, byte != 0x0D {
      if bytes.count < Self.lineLimit { bytes.append(byte) }
    }
    while bytes.last == 0x20 { bytes.removeLast() }
    return bytes
  }
}
