/// RFC 4180 records from bytes: quotes, doubled quotes, newlines inside quotes, and any of the three line ends.
///
/// One buffer holds the fields of the current record, so that reading allocates nothing per field.
struct CSVRecords {
  /// Where the reader stands.
  private enum Position {
    /// Before the first byte of a field.
    case fieldStart
    /// Inside a field without quotes; a quote here is an ordinary character.
    case plain
    /// Inside quotes; commas and newlines are text.
    case quoted
    /// After a quote inside quotes: it was the end, or the first of a doubled quote.
    case quoteSeen
    /// After a carriage return that ended a record: a newline that follows belongs to it.
    case carriageReturn
  }

  /// One record: the line that it began on, and its fields.
  struct Record {
    let line: Int
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    fileprivate let ends: [Int]

    var count: Int { ends.count }

    /// The bytes of a field, valid during the call that delivers the record.
    subscript(field: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: bytes[(field == 0 ? 0 : ends[field - 1])..<ends[field]])
    }
  }

  private var position = Position.fieldStart
  private var buffer: [UInt8] = []
  private var ends: [Int] = []
  private var line = 1
  private var recordLine = 1
  private var quoteLine = 1
  private var sawField = false

  /// Reads a piece and delivers each record that ends in it. Blank lines are no records.
  mutating func feed(
    _ piece: UnsafeBufferPointer<UInt8>, deliver: (Record) throws(CatalogFault) -> Void
  ) throws(CatalogFault) {
    for byte in piece {
      switch position {
      case .quoted:
        if byte == 0x22 {
          position = .quoteSeen
        } else {
          if byte == 0x0A { line += 1 }
          buffer.append(byte)
        }
        continue
      case .quoteSeen where byte == 0x22:
        buffer.append(byte)
        position = .quoted
        continue
      case .fieldStart where byte == 0x22:
        quoteLine = line
        sawField = true
        position = .quoted
        continue
      case .carriageReturn:
        position = .fieldStart
        if byte == 0x0A { continue }
        if byte == 0x22 {
          quoteLine = line
          sawField = true
          position = .quoted
          continue
        }
      default: break
      }
      switch byte {
      case 0x2C:
        ends.append(buffer.count)
        sawField = true
        position = .fieldStart
      case 0x0A, 0x0D:
        try endRecord(deliver)
        line += 1
        recordLine = line
        position = byte == 0x0D ? .carriageReturn : .fieldStart
      default:
        if position == .quoteSeen {
          let start = quoteLine == line ? "" : " that began on line \(quoteLine)"
          throw CatalogFault(
            line: recordLine,
            reason: "text follows the closing quote of a field\(start); write a quote inside quotes twice")
        }
        buffer.append(byte)
        sawField = true
        position = .plain
      }
    }
  }

  /// Delivers a last record that no newline ends.
  mutating func finish(deliver: (Record) throws(CatalogFault) -> Void) throws(CatalogFault) {
    if position == .quoted {
      throw CatalogFault(line: quoteLine, reason: "the quote that opens here is never closed")
    }
    try endRecord(deliver)
  }

  private mutating func endRecord(_ deliver: (Record) throws(CatalogFault) -> Void) throws(CatalogFault) {
    guard sawField else { return }
    ends.append(buffer.count)
    let line = recordLine
    let ends = ends
    var fault: CatalogFault?
    buffer.withUnsafeBufferPointer { bytes in
      do throws(CatalogFault) { try deliver(Record(line: line, bytes: bytes, ends: ends)) } catch { fault = error }
    }
    if let fault { throw fault }
    buffer.removeAll(keepingCapacity: true)
    self.ends.removeAll(keepingCapacity: true)
    sawField = false
  }
}
