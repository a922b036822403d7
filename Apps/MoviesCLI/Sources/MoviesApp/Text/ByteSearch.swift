/// Searches and comparisons of bytes that create no string.
enum ByteSearch {
  /// The first index at or after `start` that holds this byte.
  @inline(__always) static func firstIndex(of byte: UInt8, in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let span = bytes.span
    var index = start - bytes.startIndex
    while index < span.count {
      if span[index] == byte { return bytes.startIndex + index }
      index += 1
    }
    return nil
  }

  /// Compares bytes one by one. If one text begins with the other, the shorter one comes first. Negative if the first
  /// text comes first, zero if both are equal, positive if the second comes first.
  static func order(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
    let (one, other) = (first.span, second.span)
    for index in 0..<min(one.count, other.count) where one[index] != other[index] {
      return Int(one[index]) - Int(other[index])
    }
    return one.count - other.count
  }

  /// Whether there is no byte above ASCII.
  static func isASCII(_ bytes: ArraySlice<UInt8>) -> Bool {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }

  /// The number of letters, which are the Unicode scalars, of a text in UTF-8.
  static func letterCount(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 + (isContinuation($1) ? 0 : 1) }
  }

  /// Whether a letter does not begin with this byte.
  @inline(__always) static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The bytes without leading and trailing blanks, tabs and line ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    while start < end, isSpace(bytes[start]) { start += 1 }
    return bytes[start..<end]
  }

  @inline(__always) private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
