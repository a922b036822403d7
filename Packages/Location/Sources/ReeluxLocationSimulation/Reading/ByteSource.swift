import Foundation
import ReeluxCore

/// A source of bytes for a reader: a file, standard input, or memory. It can be opened several times.
public struct ByteSource: Sendable {
  /// The parts of an open source in order. An empty part marks the end.
  typealias Parts = () throws(ReadingError) -> [UInt8]

  /// The name with which error messages begin.
  public let name: String
  /// The number of bytes, if known.
  let size: Int?
  /// Opens the source at its first byte.
  let open: @Sendable () throws(ReadingError) -> Parts

  /// A source of bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name with which error messages begin.
  public static func bytes(_ bytes: [UInt8], name: String = "input") -> ByteSource {
    ByteSource(name: name, size: bytes.count) { () throws(ReadingError) -> Parts in
      var rest: [UInt8]? = bytes
      return { () throws(ReadingError) -> [UInt8] in
        defer { rest = nil }
        return rest ?? []
      }
    }
  }

  /// A source of text in memory.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - name: The name with which error messages begin.
  public static func text(_ text: String, name: String = "input") -> ByteSource {
    bytes(Array(text.utf8), name: name)
  }

  /// A file that is read in parts of 256 KB. It is opened when reading starts. Only the code that reads gets an error,
  /// for example if the file is missing.
  ///
  /// A pipe or a device can be read only once. Its bytes are kept in a temporary file, so that it can be opened again.
  ///
  /// - Parameter path: The path; `-` is standard input. Error messages begin with the path, or with `standard input`.
  public static func file(_ path: String) -> ByteSource {
    if path == "-" { return stream(name: "standard input") { FileHandle.standardInput } }
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolved(path))
    let type = attributes?[.type] as? FileAttributeType
    guard type == nil || type == .typeRegular || type == .typeDirectory else {
      return stream(name: path) { () throws(ReadingError) -> FileHandle in try openFile(path) }
    }
    return ByteSource(name: path, size: attributes?[.size] as? Int) { () throws(ReadingError) -> Parts in
      let handle = try openFile(path)
      return { () throws(ReadingError) -> [UInt8] in try handle.readPart(named: path) }
    }
  }

  /// A source for an input that can be read only once. The source keeps its bytes and can be opened several times.
  static func stream(
    name: String, _ handle: @escaping @Sendable () throws(ReadingError) -> FileHandle
  ) -> ByteSource {
    let stream = BufferedStream(name: name, open: handle)
    return ByteSource(name: name, size: nil) { () throws(ReadingError) -> Parts in
      var index = 0
      return { () throws(ReadingError) -> [UInt8] in
        let part = try stream.part(index)
        index += 1
        return part
      }
    }
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  private static func openFile(_ path: String) throws(ReadingError) -> FileHandle {
    let descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = errno
      guard error != ENOENT, error != ENOTDIR else {
        throw ReadingError(kind: .missing, input: path, reason: "there is no such file")
      }
      let reason = "the file cannot be read: \(Descriptor.reason(error))"
      throw ReadingError(kind: .unreadable, input: path, reason: reason)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var isDirectory: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
      throw ReadingError(kind: .unreadable, input: path, reason: "this is a folder; name a file in it")
    }
    return handle
  }
}

/// The bytes of a pipe. They are read once and kept in a temporary file without a name.
private final class BufferedStream: Sendable {
  private struct Contents {
    var input: FileHandle?
    var kept: KeptBytes?
    var isComplete = false
  }

  private let name: String
  private let open: @Sendable () throws(ReadingError) -> FileHandle
  private let contents = Locked(Contents())

  init(name: String, open: @escaping @Sendable () throws(ReadingError) -> FileHandle) {
    self.name = name
    self.open = open
  }

  /// The part at an index: a stored one, or the next one of the pipe. Empty at the end.
  func part(_ index: Int) throws(ReadingError) -> [UInt8] {
    try contents.withLock { (contents) throws(ReadingError) in try part(index, &contents) }
  }

  private func part(_ index: Int, _ contents: inout Contents) throws(ReadingError) -> [UInt8] {
    do {
      if let kept = contents.kept, index < kept.count { return try kept.part(index) }
      guard !contents.isComplete else { return [] }
      let input = try contents.input ?? open()
      contents.input = input
      let part = try input.readPart(named: name)
      contents.isComplete = part.isEmpty
      guard !part.isEmpty else { return [] }
      let kept = try contents.kept ?? KeptBytes()
      contents.kept = kept
      try kept.append(part)
      return part
    } catch let error as ReadingError {
      throw error
    } catch let error as KeptBytes.Changed {
      throw ReadingError(
        kind: .unreadable, input: name, reason: "its bytes cannot be read again from a temporary file: \(error)")
    } catch {
      throw ReadingError(
        kind: .unreadable, input: name,
        reason: "its bytes cannot be kept in a temporary file in '\(FileManager.default.temporaryDirectory.path)': "
          + "\(FileHandle.cause(of: error)). Set TMPDIR to a folder with space that you can write to")
    }
  }
}

extension FileHandle {
  /// The next bytes; empty at the end.
  fileprivate func readPart(named name: String) throws(ReadingError) -> [UInt8] {
    do {
      return try read(upToCount: 262_144).map { Array($0) } ?? []
    } catch {
      throw ReadingError(
        kind: .unreadable, input: name, reason: "the file cannot be read: \(Self.cause(of: error))")
    }
  }

  /// The system's reason of an error, without the error's description for developers.
  fileprivate static func cause(of error: any Error) -> String {
    let cause = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error) as NSError
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return Descriptor.reason(Int32(truncatingIfNeeded: cause.code))
  }
}
