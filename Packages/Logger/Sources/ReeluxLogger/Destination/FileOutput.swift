internal import Foundation
import ReeluxCore

/// An output that appends to a file, with rotation.
struct FileOutput: LogOutput {
  let name: String
  let path: String
  let format: LogFormat
  let rotation: LogRotation
  /// Whether a file that is not a log of this format is replaced when the first records are written.
  let replaces: Bool
  private var file: OpenFile?
  private var buffer = RecordBuffer()
  /// Whether a file was opened or renamed since the last durable flush.
  private var hasNewName = false

  init(path: String, format: LogFormat, rotation: LogRotation, replaces: Bool = false) {
    name = "'\(path)'"
    self.path = Self.absolute(path)
    self.format = format
    self.rotation = rotation
    self.replaces = replaces
  }

  /// The path with the current folder, so that it leads to the same file when the process changes its folder. If the
  /// path of that folder is not UTF-8, no text names the folder, and the path stays relative.
  private static func absolute(_ path: String) -> String {
    if path.isEmpty || path.utf8.first == UInt8(ascii: "/") { return path }
    guard let bytes = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(bytes) }
    guard let folder = unsafe String(validatingCString: bytes), unsafe access(bytes, X_OK) == 0 else { return path }
    return "\(folder)/\(path)"
  }

  var failed: Int { buffer.failed }

  mutating func write(_ record: LogRecord) throws {
    let line = format.bytes(of: record, isTerminal: false)
    do {
      try makeRoom(for: line.count)
    } catch {
      buffer.lose(further: 1)
      throw error
    }
    buffer.append(line)
    if buffer.isFull { try flush(durably: false) }
  }

  mutating func flush(durably: Bool) throws {
    if buffer.count > 0 {
      do {
        // If another logger has rotated the file, or another program has removed it, the records go to the new file.
        if file?.refresh(at: path) == false { file = nil }
        let file = try opened()
        // Another program may have emptied the file.
        if file.isRegular, file.size == 0 { buffer.isTorn = false }
        let (written, error) = buffer.write(to: file.descriptor)
        file.size += written
        if let error { throw error }
        try file.takePlace()
      } catch {
        buffer.lose()
        throw error
      }
    }
    if durably, let file {
      try file.synchronize()
      if hasNewName { syncNames() }
    }
  }

  /// Syncs the older files of the rotation, and the folder. It does so after a file was opened or renamed.
  private mutating func syncNames() {
    guard file?.isRegular == true, let path = OpenFile.resolved(path) else { return }
    var number = 1
    while number <= rotation.kept, OpenFile.synchronize("\(path).\(number)") { number += 1 }
    _ = OpenFile.synchronize(OpenFile.folder(of: path))
    hasNewName = false
  }

  /// Begins a new file if the line would exceed the size of the rotation.
  private mutating func makeRoom(for count: Int) throws {
    guard try isFull(for: count) else { return }
    try flush(durably: false)
    // The waiting records may have gone to a new file. If another logger has rotated the file, the new one can be full.
    for _ in 1...2 where try isFull(for: count) { try rotate() }
  }

  /// Whether the file has no room for a line.
  private mutating func isFull(for count: Int) throws -> Bool {
    guard let limit = rotation.size, try opened().isRegular else { return false }
    // A line end is written after a torn line.
    let size = try opened().size + (buffer.isTorn ? 1 : 0) + buffer.count
    return size > 0 && size + count > limit
  }

  private mutating func opened() throws -> OpenFile {
    if let file { return file }
    let canContinue = format.canContinue(path)
    guard canContinue || replaces else { throw NotALog() }
    let file = try canContinue ? OpenFile(appendingTo: path) : OpenFile.replacing(path)
    // An earlier process may have ended while it wrote a line.
    buffer.isTorn = file.endsInsideALine(path)
    self.file = file
    hasNewName = true
    return file
  }

  /// Renames `log` to `log.1`, `log.1` to `log.2`, and so on. The oldest file is removed. A symbolic link is not
  /// renamed, but its target is. If another logger rotates the file, or another program has removed it, it is
  /// not renamed.
  private mutating func rotate() throws {
    let file = try opened()
    guard file.lock() else { return }
    defer { self.file = nil }
    guard file.refresh(at: path) else { return }
    guard let path = OpenFile.resolved(path) else {
      guard errno == ENOENT else { throw OutputError.last("realpath") }
      return
    }
    guard rotation.kept > 0 else {
      guard unsafe unlink(path) == 0 else { throw OutputError.last("unlink") }
      return
    }
    // Files after the first free number keep their names.
    var free = 1
    while free < rotation.kept, unsafe access("\(path).\(free)", F_OK) == 0 { free += 1 }
    for number in stride(from: free - 1, through: 1, by: -1) {
      let source = "\(path).\(number)"
      guard unsafe rename(source, "\(path).\(number + 1)") == 0 || errno == ENOENT else {
        throw OutputError.last("rename")
      }
    }
    guard unsafe rename(path, "\(path).1") == 0 || errno == ENOENT else { throw OutputError.last("rename") }
  }
}

/// The error that a file is not a log of this format. Nothing is appended to such a file.
private struct NotALog: Error, CustomStringConvertible {
  var description: String { "the file is not a log of this format. Choose another file" }
}

extension LogFormat {
  /// Whether a log of this format can be appended to a file. It can if the file is missing, cannot be read, is empty,
  /// is a pipe or a device, or begins with a record of this format.
  ///
  /// A custom format cannot be recognized, so every file is accepted.
  package func canContinue(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    // A terminal or another device has no content that could be destroyed.
    guard lseek(descriptor, 0, SEEK_END) > 0 else { return true }
    let begin = Descriptor.read(256, from: descriptor, at: 0)
    return begin.error != 0 || isRecord(String(decoding: begin.bytes.prefix { $0 != 0x0a }, as: UTF8.self))
  }

  private func isRecord(_ line: String) -> Bool {
    switch self {
    case .jsonLines: line.hasPrefix(#"{"schema":"#)
    case .compact: line.prefixMatch(of: #/[0-9]+ [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} /#) != nil
    case .pretty: line.prefixMatch(of: #/(\e\[[0-9;]*m)?(\#[0-9]+ [0-9]{2}:|  … [0-9]+ records?)/#) != nil
    case .custom: true
    }
  }
}

/// The rotation of a log file: the conditions for renaming the file and beginning a new one. A symbolic link is not
/// renamed, but its target is.
public struct LogRotation: Hashable, Sendable {
  /// The largest size of a file in bytes; `nil` for no limit. A single longer line gets its own file.
  public var size: Int?
  /// The number of older files to keep, as `log.1` (the newest) to `log.N`. A rotation adds one to their numbers, up to
  /// the first number without a file.
  public var kept: Int

  /// One file of any size.
  public static let never = LogRotation(size: nil, kept: 0)

  /// Starts a new file before the current one exceeds a size.
  /// - Parameters:
  ///   - size: The size in bytes, at least 1.
  ///   - kept: The number of older files to keep. Default: 5. With 0, a full file is removed.
  public static func size(_ size: Int, keeping kept: Int = 5) -> LogRotation {
    LogRotation(size: max(1, size), kept: max(0, kept))
  }
}
