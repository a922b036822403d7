import ReeluxLocation

/// The points of a long source in a temporary file. Only the values of a fix are stored, without names and extensions.
///
/// Reading them takes a small part of the time for reading the source again.
///
/// A point consists of a byte with flags for the following values, the coordinate as two numbers, and these values with
/// eight bytes each. Role, group and part follow only if they differ from those of the previous point.
struct KeptPoints: Sendable {
  private let bytes: KeptBytes

  /// The smallest number of bytes that are stored. A shorter source is read again.
  private static let shortest = 1 << 18

  private struct Belonging: Equatable {
    var role = TrackPoint.Role.track
    var group = 0
    var part = 0
  }

  /// Stores the points of a source one by one.
  struct Writer {
    private var waiting: [UInt8] = []
    private var bytes: KeptBytes?
    private var last = Belonging()
    private var isRefused = false

    /// - Parameter bytes: The storage; by default a temporary file, which is created for a long source.
    init(in bytes: KeptBytes? = nil) {
      self.bytes = bytes
    }

    /// Appends a point. If the temporary file cannot be written, the points are not kept.
    mutating func append(_ point: TrackPoint) {
      if isRefused { return }
      let flags = waiting.count
      waiting.append(0)
      append(point.coordinate.latitude)
      append(point.coordinate.longitude)
      append(point.timestamp?.secondsSince1970, 1, flags)
      append(point.horizontalAccuracy, 2, flags)
      append(point.altitude, 4, flags)
      append(point.verticalAccuracy, 8, flags)
      append(point.speed, 16, flags)
      append(point.course, 32, flags)
      if let satellites = point.satellites {
        waiting[flags] |= 64
        append(UInt64(bitPattern: Int64(satellites)))
      }
      let belonging = Belonging(role: point.role, group: point.group, part: point.part)
      if belonging != last {
        waiting[flags] |= 128
        last = belonging
        append(UInt64(TrackPoint.Role.allCases.firstIndex(of: point.role) ?? 0))
        append(UInt64(bitPattern: Int64(point.group)))
        append(UInt64(bitPattern: Int64(point.part)))
      }
      if waiting.count >= KeptPoints.shortest { write() }
    }

    /// The points; `nil` if they are few or could not be stored.
    mutating func finish() -> KeptPoints? {
      guard bytes != nil else { return nil }
      write()
      return isRefused ? nil : bytes.map { KeptPoints(bytes: $0) }
    }

    private mutating func write() {
      if waiting.isEmpty { return }
      do {
        let bytes = try self.bytes ?? KeptBytes()
        self.bytes = bytes
        try bytes.append(waiting)
      } catch {
        isRefused = true
        bytes = nil
      }
      waiting.removeAll(keepingCapacity: !isRefused)
    }

    /// Appends a value, and sets its bit in the flags of its point.
    private mutating func append(_ value: Double?, _ bit: UInt8, _ flags: Int) {
      guard let value else { return }
      waiting[flags] |= bit
      append(value)
    }

    private mutating func append(_ value: Double) { append(value.bitPattern) }

    private mutating func append(_ number: UInt64) {
      var rest = number
      for _ in 0..<8 {
        waiting.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }
  }

  /// Returns the stored points one by one.
  struct Reader {
    private let bytes: KeptBytes
    private let name: String
    private var window: [UInt8] = []
    private var index = 0
    /// The number of parts that were read.
    private var parts = 0
    private var belonging = Belonging()

    fileprivate init(bytes: KeptBytes, name: String) {
      self.bytes = bytes
      self.name = name
    }

    /// The next point; `nil` at the end.
    mutating func next() throws(ReadingError) -> TrackPoint? {
      if index == window.count { try refill() }
      guard index < window.count else { return nil }
      let flags = window[index]
      index += 1
      var point = TrackPoint(coordinate: Coordinate(normalizing: number(), longitude: number()))
      if flags & 1 != 0 { point.timestamp = Timestamp(secondsSince1970: number()) }
      if flags & 2 != 0 { point.horizontalAccuracy = number() }
      if flags & 4 != 0 { point.altitude = number() }
      if flags & 8 != 0 { point.verticalAccuracy = number() }
      if flags & 16 != 0 { point.speed = number() }
      if flags & 32 != 0 { point.course = number() }
      if flags & 64 != 0 { point.satellites = Int(truncatingIfNeeded: word()) }
      if flags & 128 != 0 {
        belonging.role = TrackPoint.Role.allCases[Int(word())]
        belonging.group = Int(truncatingIfNeeded: word())
        belonging.part = Int(truncatingIfNeeded: word())
      }
      (point.role, point.group, point.part) = (belonging.role, belonging.group, belonging.part)
      return point
    }

    /// Reads the next part. It holds whole points, and it equals the written part.
    private mutating func refill() throws(ReadingError) {
      guard parts < bytes.count else { return }
      do {
        window = try bytes.part(parts)
        index = 0
        parts += 1
      } catch {
        throw ReadingError(
          kind: .unreadable, input: name, reason: "its points cannot be read from a temporary file: \(error)")
      }
    }

    private mutating func number() -> Double { Double(bitPattern: word()) }

    private mutating func word() -> UInt64 {
      var word: UInt64 = 0
      for byte in 0..<8 { word |= UInt64(window[index + byte]) << (8 * UInt64(byte)) }
      index += 8
      return word
    }
  }

  /// The points of a role, and of one group if a number is given.
  ///
  /// - Parameter name: The name that errors begin with.
  func points(name: String, _ role: TrackPoint.Role, _ group: Int?) -> Track.Points {
    var reader = Reader(bytes: bytes, name: name)
    return Track.Points { () throws(ReadingError) -> TrackPoint? in
      while let point = try reader.next() {
        if point.role == role, group == nil || point.group == group { return point }
      }
      return nil
    }
  }
}
