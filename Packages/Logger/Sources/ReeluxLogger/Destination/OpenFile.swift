internal import Foundation
import ReeluxCore

/// An open file, which is closed with the last reference to it. Only one thread at a time uses it.
package final class OpenFile {
  /// The names of a new file that has not yet replaced an old one.
  private struct Replacement {
    var temporary: String
    var old: String
  }

  package let descriptor: Int32
  /// The file's size in bytes.
  package var size: Int
  /// Whether it is a file and not a pipe or a device, which is never renamed.
  package let isRegular: Bool
  private var replacement: Replacement?

  private init(_ descriptor: Int32, _ replacement: Replacement? = nil) {
    self.descriptor = descriptor
    self.replacement = replacement
    var status = stat()
    isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  /// Opens a file to append to it. A missing file is created.
  ///
  /// A named pipe without a reader cannot be opened. Writes wait for the reader, as those to other pipes do.
  package convenience init(appendingTo path: String) throws(OutputError) {
    let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw OutputError.last("open") }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    self.init(descriptor)
  }

  /// Opens a file for new content.
  ///
  /// A new file gets the content. It has a temporary name until ``takePlace()``, so the old content is kept if the
  /// process ends or the disk is full before that. If no new file can be created, the old content is removed at once.
  package static func replacing(_ path: String) throws(OutputError) -> OpenFile {
    // This fails if the old file may not be written.
    let old = try OpenFile(appendingTo: path)
    if old.size == 0 || !old.isRegular { return old }
    if let new = OpenFile(beside: old, at: path) { return new }
    guard ftruncate(old.descriptor, 0) == 0 else { throw OutputError.last("ftruncate") }
    old.size = 0
    return old
  }

  /// Creates a file with the owner and the mode of an old one, in its folder. A symbolic link is followed.
  private convenience init?(beside old: OpenFile, at path: String) {
    guard let path = Self.resolved(path) else { return nil }
    var status = stat()
    guard unsafe fstat(old.descriptor, &status) == 0 else { return nil }
    let temporary = "\(path).\(UUID().uuidString).part"
    let descriptor = unsafe open(temporary, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor, Replacement(temporary: temporary, old: path))
    var own = stat()
    let isSameOwner =
      unsafe fstat(descriptor, &own) == 0
      && (own.st_uid == status.st_uid && own.st_gid == status.st_gid
        || fchown(descriptor, status.st_uid, status.st_gid) == 0)
    guard isSameOwner, fchmod(descriptor, status.st_mode & 0o7777) == 0 else { return nil }
  }

  deinit {
    close(descriptor)
    removeReplacement()
  }

  /// Removes a new file that has not replaced the old one, because its content cannot be written. Write no more to it.
  package func removeReplacement() {
    guard let replacement else { return }
    unsafe unlink(replacement.temporary)
    self.replacement = nil
  }

  /// Gives a new file the name of the old one. Call it after the first write.
  package func takePlace() throws(OutputError) {
    guard let replacement else { return }
    // After a loss of power, the name must not lead to an empty file.
    try synchronize()
    guard unsafe rename(replacement.temporary, replacement.old) == 0 else { throw OutputError.last("rename") }
    self.replacement = nil
  }

  /// Syncs the content to the disk. On Apple platforms, `fsync` alone syncs only to the drive's cache.
  package func synchronize() throws(OutputError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    // Pipes and devices cannot be synced, and need not be.
    guard Descriptor.retrying({ fsync(descriptor) }) == 0 || errno == EINVAL || errno == EROFS else {
      throw OutputError.last("fsync")
    }
  }

  /// Syncs a closed file or a folder, as far as the system permits it. Returns false if it cannot be opened.
  package static func synchronize(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    _ = Descriptor.retrying { fsync(descriptor) }
    return true
  }

  /// The folder of a path. A symbolic link is followed.
  package static func folder(of path: String) -> String {
    let path = resolved(path) ?? path
    // The bytes are searched, because a slash before a combining character is not a character of its own.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Updates the size. Returns whether the path still leads to this file. Another logger or another program may have
  /// renamed or removed it.
  func refresh(at path: String) -> Bool {
    guard isRegular, replacement == nil else { return true }
    var own = stat()
    var present = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { return true }
    size = Int(own.st_size)
    return unsafe stat(path, &present) == 0 && own.st_dev == present.st_dev && own.st_ino == present.st_ino
  }

  /// Whether the file has no name any more, so that its content is lost when it is closed.
  package var isRemoved: Bool {
    var status = stat()
    return unsafe isRegular && fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// The present number of bytes; `nil` if it is not a file or cannot be read.
  package var currentSize: Int? {
    var status = stat()
    return unsafe isRegular && fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Locks the file until it is closed: for a logger that rotates it, or for a recorder. Returns false if another one
  /// has locked it.
  package func lock() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether it is a file whose last byte is not a line end.
  func endsInsideALine(_ path: String) -> Bool {
    guard isRegular, size > 0 else { return false }
    let reader = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard reader >= 0 else { return false }
    defer { close(reader) }
    return Descriptor.read(1, from: reader, at: size - 1).bytes != [0x0a]
  }

  /// The path of the file to which symbolic links lead; `nil` if there is none.
  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
