import ReeluxCore
internal import Foundation

/// The bytes of a recording, in memory or in a file that is read in pieces.
final class RecordingBytes: Sendable {
  private enum Place: Sendable {
    case memory([UInt8])
    case file(Int32)
  }

  let name: String
  let count: Int
  private let place: Place

  /// The path of the file; `nil` for memory.
  var path: String? { if case .file = place { name } else { nil } }

  init(_ bytes: [UInt8], name: String) {
    place = .memory(bytes)
    count = bytes.count
    self.name = name
  }

  init(path: String) throws(RecordingError) {
    name = path
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    let size = lseek(descriptor, 0, SEEK_END)
    if size > 0 {
      place = .file(descriptor)
      count = Int(size)
      return
    }
    // A pipe can be read only once. A device has the size 0. If it does not begin with a header, it may have no end.
    defer { close(descriptor) }
    var all: [UInt8] = []
    while all.isEmpty || all[0] == UInt8(ascii: "{") {
      let piece = Descriptor.read(1 << 16, from: descriptor)
      guard piece.error == 0 else { throw .unreadable(path, piece.error) }
      if piece.bytes.isEmpty { break }
      all += piece.bytes
    }
    place = .memory(all)
    count = all.count
  }

  deinit {
    if case .file(let descriptor) = place { close(descriptor) }
  }

  /// Returns a piece of the first `count` bytes. Bytes that were added to the file later are not read, because their
  /// last line may be incomplete. The piece is shorter than requested at the end, and if the file has become shorter.
  func read(_ begin: Int, _ length: Int) throws(RecordingError) -> [UInt8] {
    switch place {
    case .memory(let bytes): return Array(bytes[min(begin, bytes.count)..<min(begin + length, bytes.count)])
    case .file(let descriptor):
      let piece = Descriptor.read(min(length, count - begin), from: descriptor, at: begin)
      guard piece.error == 0 else { throw .unreadable(name, piece.error) }
      return piece.bytes
    }
  }
}

extension RecordingError {
  /// The error for an `errno` of a file that cannot be opened or read.
  fileprivate static func unreadable(_ path: String, _ error: Int32) -> RecordingError {
    .system(path: path, reason: "the file cannot be read: \(Descriptor.reason(error))")
  }
}

/// The number of a line, counted from 1, and the range of its bytes without the line end.
struct LineRange: Sendable, Hashable {
  var number: Int
  var begin: Int
  var end: Int
}

/// A reader of a recording's lines. Its buffer has a fixed size, unless a line is longer.
struct LineReader {
  private static let pieceLength = 1 << 20

  let bytes: RecordingBytes
  private var buffer: [UInt8] = []
  /// The position of the buffer in the file.
  private var begin: Int
  private var position = 0
  private var number: Int

  /// Creates a reader that begins at this line, or at the first line for `nil`.
  init(_ bytes: RecordingBytes, from line: LineRange? = nil) {
    self.bytes = bytes
    begin = line?.begin ?? 0
    number = line.map { $0.number - 1 } ?? 0
  }

  /// Calls the closure with the next line. Returns `nil` at the end.
  mutating func next<Result>(_ body: (LineRange, ArraySlice<UInt8>) throws -> Result) throws -> Result? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0a) { return try pass(upTo: end, next: end + 1, body) }
      searched = buffer.count
      let loaded = try bytes.read(begin + buffer.count, max(Self.pieceLength, buffer.count))
      if loaded.isEmpty {
        guard position < buffer.count else { return nil }
        return try pass(upTo: buffer.count, next: buffer.count, body)
      }
      searched -= position
      buffer.removeSubrange(..<position)
      begin += position
      position = 0
      buffer += loaded
    }
  }

  private mutating func pass<Result>(
    upTo end: Int, next: Int, _ body: (LineRange, ArraySlice<UInt8>) throws -> Result
  ) throws -> Result {
    number += 1
    let line = LineRange(number: number, begin: begin + position, end: begin + end)
    let from = position
    position = next
    return try body(line, buffer[from..<end])
  }
}
