import Foundation
import ReeluxCore

/// Parts of bytes in a temporary file without a name. The file is removed with the last reference.
///
/// The length and a hash of each part stay in memory. A part that was changed, or that is no longer in the file, is
/// therefore an error.
final class KeptBytes: Sendable {
  /// A part differs from the appended one.
  struct Changed: Error, CustomStringConvertible {
    var description: String { "another program changed or shortened it" }
  }

  private struct Part {
    var offset: UInt64
    var count: Int
    var hash: Int
  }

  private struct Contents {
    var file: FileHandle
    var parts: [Part] = []
  }

  private let contents: Locked<Contents>

  /// Creates an empty file, which only the user can read.
  convenience init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("reelux-\(UUID().uuidString)")
    // The pointer to the path is used only during the call.
    let (file, error) = unsafe url.withUnsafeFileSystemRepresentation { path in
      guard let path = unsafe path else { return (Int32(-1), ENOENT) }
      let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      return (file, errno)
    }
    guard file >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(error)) }
    try? FileManager.default.removeItem(at: url)
    self.init(in: FileHandle(fileDescriptor: file, closeOnDealloc: true))
  }

  /// Creates storage in an empty file that can be read and written.
  init(in file: FileHandle) {
    contents = Locked(Contents(file: file))
  }

  /// The number of parts.
  var count: Int { contents.withLock { $0.parts.count } }

  /// Appends a part.
  func append(_ bytes: [UInt8]) throws {
    try contents.withLock { contents in
      let offset = contents.parts.last.map { $0.offset + UInt64($0.count) } ?? 0
      try contents.file.seek(toOffset: offset)
      try contents.file.write(contentsOf: bytes)
      contents.parts.append(Part(offset: offset, count: bytes.count, hash: Self.hash(bytes)))
    }
  }

  /// The part at an index less than `count`.
  ///
  /// - Throws: ``Changed`` if the file does not contain the appended bytes, or the error of reading it.
  func part(_ index: Int) throws -> [UInt8] {
    try contents.withLock { contents in
      let part = contents.parts[index]
      try contents.file.seek(toOffset: part.offset)
      let bytes = try contents.file.read(upToCount: part.count).map { Array($0) } ?? []
      guard bytes.count == part.count, Self.hash(bytes) == part.hash else { throw Changed() }
      return bytes
    }
  }

  private static func hash(_ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    // The pointer is used only during the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
