import ReeluxCore
internal import Foundation

/// The bytes of a recording: a file that is read piece by piece, or memory.
final class RecordingBytes: Sendable {
  private enum Place: Sendable {
    case memory([UInt8])
    case file(Int32)
  }

  let name: String
  let count: Int
  private let place: Place

  /// The file; `nil` for memory.
  var path: String? { if case .file = place { name } else { nil } }

  init(_ bytes: [UInt8], name: String) {
    place = .memory(bytes)
    count = bytes.count
    self.name = name
  }

  init(path: String) throws(RecordingError) {
    name = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    let size = lseek(descriptor, 0, SEEK_END)
    if size >= 0 {
      place = .file(descriptor)
      count = Int(size)
      return
    }
    // A pipe cannot be read twice.
    var all: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(0, Descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), from: descriptor))
      }
      if piece.isEmpty { break }
      all += piece
    }
    close(descriptor)
    place = .memory(all)
    count = all.count
  }

  deinit {
    if case .file(let descriptor) = place { close(descriptor) }
  }

  private static func failure(_ path: String) -> RecordingError {
    .system(path: path, reason: String(cString: strerror(errno)))
  }

  /// Returns a piece; less than asked for if the file has become shorter.
  func read(_ begin: Int, _ length: Int) throws(RecordingError) -> [UInt8] {
    switch place {
    case .memory(let bytes): return Array(bytes[min(begin, bytes.count)..<min(begin + length, bytes.count)])
    case .file(let descriptor):
      var failed = false
      let piece = [UInt8](unsafeUninitializedCapacity: max(0, length)) { buffer, count in
        while count < length {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<length])
          let got = Descriptor.read(into: rest, from: descriptor, at: begin + count)
          failed = got < 0
          if got <= 0 { return }
          count += got
        }
      }
      if failed { throw Self.failure(name) }
      return piece
    }
  }
}

/// A line: its number, counted from 1, and the bytes where it begins and ends, without its line end.
struct LineRange: Sendable, Hashable {
  var number: Int
  var begin: Int
  var end: Int
}

/// Goes through the lines of a recording with a buffer of a fixed size, or of the longest line.
struct LineReader {
  private static let pieceLength = 1 << 20

  let bytes: RecordingBytes
  private var buffer: [UInt8] = []
  /// Where in the file the buffer begins.
  private var begin: Int
  private var position = 0
  private var number: Int

  /// Begins at a line; without one, at the first.
  init(_ bytes: RecordingBytes, from line: LineRange? = nil) {
    self.bytes = bytes
    begin = line?.begin ?? 0
    number = line.map { $0.number - 1 } ?? 0
  }

  /// Calls back with the next line; returns `nil` at the end.
  mutating func next<Result>(_ body: (LineRange, UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
    var searched = position
    while true {
      let end = buffer.withUnsafeBytes { raw -> Int? in
        guard let base = raw.baseAddress, searched < raw.count else { return nil }
        return memchr(base + searched, 0x0a, raw.count - searched).map { UnsafeRawPointer($0) - base }
      }
      if let end { return try give(to: end, next: end + 1, body) }
      searched = buffer.count
      let loaded = try bytes.read(begin + buffer.count, max(Self.pieceLength, buffer.count))
      if loaded.isEmpty {
        guard position < buffer.count else { return nil }
        return try give(to: buffer.count, next: buffer.count, body)
      }
      searched -= position
      buffer.removeSubrange(..<position)
      begin += position
      position = 0
      buffer += loaded
    }
  }

  private mutating func give<Result>(
    to end: Int, next: Int, _ body: (LineRange, UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    number += 1
    let line = LineRange(number: number, begin: begin + position, end: begin + end)
    let from = position
    position = next
    return try buffer.withUnsafeBytes { try body(line, UnsafeRawBufferPointer(rebasing: $0[from..<end])) }
  }
}
