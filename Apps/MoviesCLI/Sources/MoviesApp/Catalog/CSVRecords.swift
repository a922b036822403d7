/// A reader of RFC 4180 records in a buffer: quotes, doubled quotes, newlines inside quotes, and LF, CR and CRLF as
/// line ends.
///
/// Reading a record copies nothing. Fields are ranges of the buffer.
struct CSVRecords {
  /// The line on which the current record begins.
  private(set) var line = 0

  /// The fields of the current record, as ranges of the buffer.
  private(set) var fields: [Range<Int>] = []

  private var nextLine = 1
  private var doubled: [Int] = []

  /// Reads the record at `position` and moves past it. Empty lines and lines of blanks are skipped.
  ///
  /// - Parameters:
  ///   - bytes: The bytes read so far. Doubled quotes of the record are replaced by single ones in place.
  ///   - isLast: Whether the buffer ends where the file ends.
  /// - Returns: Whether the buffer holds a complete record. If not, `position` moves only past blank lines, and the
  ///   bytes after it are unchanged.
  mutating func next(
    in bytes: inout [UInt8], at position: inout Int, isLast: Bool
  ) throws(CatalogFault) -> Bool {
    while position < bytes.count {
      line = nextLine
      fields.removeAll(keepingCapacity: true)
      doubled.removeAll(keepingCapacity: true)
      guard let end = try scan(bytes.span, from: position, isLast: isLast) else { return false }
      let isBlank =
        fields.count == 1 && fields[0].lowerBound == position
        && bytes[fields[0]].allSatisfy { $0 == 0x20 || $0 == 0x09 }
      position = end
      if isBlank { continue }
      for field in doubled { fields[field] = Self.unescape(fields[field], &bytes) }
      return true
    }
    return false
  }

  /// Finds the fields of the record at `start`. Returns the start of the next record, or `nil` if the record is
  /// incomplete.
  private mutating func scan(
    _ bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(CatalogFault) -> Int? {
    var index = start
    var newlines = 0
    while true {
      if index < bytes.count, bytes[index] == 0x22 {
        guard let end = try quoted(bytes, from: index + 1, &newlines, isLast: isLast) else { return nil }
        index = end
      } else {
        let first = index
        while index < bytes.count {
          let byte = bytes[index]
          if byte == 0x2C || byte == 0x0A || byte == 0x0D { break }
          index += 1
        }
        fields.append(first..<index)
      }
      guard index < bytes.count else {
        // More bytes may follow. The record is then read again from its start, on the same line.
        guard isLast else { return nil }
        nextLine = line + newlines + 1
        return index
      }
      switch bytes[index] {
      case 0x2C: index += 1
      case 0x0D where index + 1 == bytes.count && !isLast: return nil
      case let byte:
        nextLine = line + newlines + 1
        return byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? index + 2 : index + 1
      }
    }
  }

  /// Reads a quoted field. Returns the index after its closing quote, or `nil` if the buffer ends before the quote.
  private mutating func quoted(
    _ bytes: Span<UInt8>, from start: Int, _ newlines: inout Int, isLast: Bool
  ) throws(CatalogFault) -> Int? {
    let quoteLine = line + newlines
    var hasDoubled = false
    var index = start
    while index < bytes.count {
      guard bytes[index] == 0x22 else {
        if bytes[index] == 0x0D || bytes[index] == 0x0A && bytes[index - 1] != 0x0D { newlines += 1 }
        index += 1
        continue
      }
      let quote = index
      if quote + 1 < bytes.count, bytes[quote + 1] == 0x22 {
        hasDoubled = true
        index = quote + 2
        continue
      }
      if quote + 1 < bytes.count, bytes[quote + 1] != 0x2C, bytes[quote + 1] != 0x0A, bytes[quote + 1] != 0x0D {
        let began = newlines + line == quoteLine ? "" : " that began on line \(quoteLine)"
        throw CatalogFault(
          line: line + newlines,
          reason: "text follows the closing quote of a field\(began); write a quote inside quotes twice")
      }
      if hasDoubled { doubled.append(fields.count) }
      fields.append(start..<quote)
      return quote + 1
    }
    if isLast { throw CatalogFault(line: quoteLine, reason: "the quote that opens here is never closed") }
    return nil
  }

  /// Replaces doubled quotes by single ones, in place.
  private static func unescape(_ field: Range<Int>, _ bytes: inout [UInt8]) -> Range<Int> {
    var (from, to) = (field.lowerBound, field.lowerBound)
    while from < field.upperBound {
      bytes[to] = bytes[from]
      from += bytes[from] == 0x22 ? 2 : 1
      to += 1
    }
    return field.lowerBound..<to
  }
}
