/// Reads a source byte by byte and counts its lines. It holds one part of it at a time.
struct ByteReader {
  let name: String
  let size: Int?
  /// The line of the next byte, counted from 1. Lines end with LF, CR LF or CR.
  private(set) var line = 1

  private let parts: ByteSource.Parts
  private var part: [UInt8] = []
  private var index = 0
  private var bytesBefore = 0
  private var lastWasReturn = false
  private var ended = false

  init(_ source: ByteSource) throws(ReadingError) {
    name = source.name
    size = source.size
    parts = try source.open()
  }

  /// Bytes taken so far.
  var offset: Int { bytesBefore + index }

  /// Looks at the next byte without taking it; nothing at the end.
  mutating func peek() throws(ReadingError) -> UInt8? {
    if index < part.count { return part[index] }
    guard try refill() else { return nil }
    return part[index]
  }

  /// Takes the next byte; nothing at the end.
  mutating func next() throws(ReadingError) -> UInt8? {
    if index >= part.count {
      guard try refill() else { return nil }
    }
    let byte = part[index]
    index += 1
    if byte <= 0x0D { countLine(byte) } else { lastWasReturn = false }
    return byte
  }

  /// An error at the current line, or at a given one.
  func malformed(_ reason: String, line: Int? = nil) -> ReadingError {
    ReadingError(kind: .malformed, input: name, line: line ?? self.line, reason: reason)
  }

  private mutating func countLine(_ byte: UInt8) {
    if byte == 0x0A {
      if !lastWasReturn { line += 1 }
      lastWasReturn = false
    } else if byte == 0x0D {
      line += 1
      lastWasReturn = true
    } else {
      lastWasReturn = false
    }
  }

  private mutating func refill() throws(ReadingError) -> Bool {
    guard !ended else { return false }
    bytesBefore += part.count
    part = try parts()
    index = 0
    ended = part.isEmpty
    return !ended
  }
}
