/// The part of an input that is in memory as UTF-8, with its line numbers.
///
/// The reader keeps an index into `bytes`. If it needs more bytes, it calls `refill(keeping:)`. This drops the bytes
/// before an index and appends at least as many as it keeps, so that repeated scanning of a long token takes linear
/// time.
struct InputWindow {
  let name: String
  let size: Int?
  /// The bytes that have not been dropped.
  private(set) var bytes: [UInt8] = []
  /// Whether `bytes` contain the end of the input.
  private(set) var isComplete = false
  /// The encoding of the input.
  var encoding: TextDecoder.Encoding { decoder.encoding }

  /// The number of dropped bytes before the window.
  private(set) var start = 0

  private let parts: ByteSource.Parts
  private var decoder: TextDecoder
  private var sourceBytes = 0
  /// The number of lines that end before the index `counted` is `lines`. Lines end with LF, CR LF or CR.
  private var counted = 0
  private var lines = 0
  private var byteBefore: UInt8 = 0

  /// Opens an input and detects its encoding.
  ///
  /// - Throws: A ``ReadingError`` if the input cannot be opened or is compressed.
  init(_ source: ByteSource) throws(ReadingError) {
    name = source.name
    size = source.size
    parts = try source.open()
    var start: [UInt8] = []
    while start.count < TextDecoder.startLength {
      let part = try parts()
      if part.isEmpty {
        isComplete = true
        break
      }
      start += part
    }
    sourceBytes = start.count
    if let compression = Compression(of: start) {
      throw ReadingError(kind: .malformed, input: name, line: 1, reason: compression.reason)
    }
    decoder = TextDecoder(start: start)
    decoder.decode(start, into: &bytes)
    if isComplete { decoder.finish(into: &bytes) }
  }

  /// The number of input bytes before an index. It is an estimate if the input is not UTF-8.
  func offset(of index: Int) -> Int { max(0, sourceBytes - (bytes.count - index)) }

  /// Drops the bytes before an index, and reads more. The index then becomes 0. Returns false at the end of the input.
  mutating func refill(keeping index: Int) throws(ReadingError) -> Bool {
    guard !isComplete else { return false }
    count(upTo: index)
    if index > 0 {
      byteBefore = bytes[index - 1]
      bytes.removeSubrange(..<index)
      start += index
      counted = 0
    }
    let kept = bytes.count
    repeat {
      let part = try parts()
      if part.isEmpty {
        isComplete = true
        decoder.finish(into: &bytes)
        break
      }
      sourceBytes += part.count
      decoder.decode(part, into: &bytes)
    } while bytes.count < 2 * kept
    return true
  }

  /// The line of an index, counted from 1.
  func line(at index: Int) -> Int {
    index >= counted ? 1 + lines + ends(in: counted..<index) : 1 + lines - ends(in: index..<counted)
  }

  /// An error on the line of an index.
  func malformed(_ reason: String, at index: Int) -> ReadingError {
    ReadingError(kind: .malformed, input: name, line: line(at: index), reason: reason)
  }

  /// The line of an index that does not precede the one of the last call. All calls together scan each byte once.
  mutating func nextLine(at index: Int) -> Int {
    if index > counted { count(upTo: index) }
    return line(at: index)
  }

  private mutating func count(upTo index: Int) {
    if index >= counted {
      lines += ends(in: counted..<index)
    } else {
      lines -= ends(in: index..<counted)
    }
    counted = index
  }

  /// The number of line ends in a range. CR LF counts once.
  private func ends(in range: Range<Int>) -> Int {
    var feeds = 0
    var returns = 0
    for index in range {
      let byte = bytes[index]
      feeds &+= byte == 0x0A ? 1 : 0
      returns &+= byte == 0x0D ? 1 : 0
    }
    guard returns > 0 || (range.lowerBound == 0 && byteBefore == 0x0D) else { return feeds }
    for index in range where bytes[index] == 0x0A && (index > 0 ? bytes[index - 1] : byteBefore) == 0x0D { feeds -= 1 }
    return feeds + returns
  }
}
