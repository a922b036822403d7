import ReeluxCore

/// Records that wait to be written to a descriptor, and the number of lost records.
struct RecordBuffer {
  private var bytes: [UInt8] = []
  /// The end of each record in the bytes.
  private var ends: [Int] = []
  /// The number of records that were not written as a whole.
  private(set) var failed = 0
  /// Whether the destination ends inside a line, so that the next bytes must begin with a line end.
  var isTorn = false

  var count: Int { bytes.count }

  /// Whether there are enough bytes for a system call.
  var isFull: Bool { bytes.count >= 1 << 16 }

  mutating func append(_ record: [UInt8]) {
    bytes.append(contentsOf: record)
    ends.append(bytes.count)
  }

  /// Counts all records, and further ones, as lost.
  mutating func lose(further: Int = 0) {
    failed += ends.count + further
    removeAll()
  }

  /// Writes all records with one system call, and removes them.
  mutating func write(to descriptor: Int32) -> (written: Int, error: OutputError?) {
    if bytes.isEmpty { return (0, nil) }
    defer { removeAll() }
    let shift = isTorn ? 1 : 0
    if isTorn { bytes.insert(0x0a, at: 0) }
    let (written, code) = Descriptor.write(bytes, to: descriptor)
    failed += ends.count { $0 + shift > written }
    if written > 0 { isTorn = bytes[written - 1] != 0x0a }
    return (written, OutputError.write(code))
  }

  private mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
