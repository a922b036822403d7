import ReeluxCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// A file that is replaced as a whole. Each step of ``StorageSteps`` is announced before its system calls. Each failure
/// states the action, the path and the reason.
///
/// Only regular files are opened, and folders to sync or list them.
///
/// The unsafe code calls the system. This is correct, because each pointer is to a value that lives until the call
/// returns, and the texts of `readdir` and `getcwd` are copied at once.
struct AtomicFile: Sendable {
  let path: String
  let folder: String
  let name: String
  let steps: StorageSteps
  /// The text between the name and the process number in the name of a temporary file. Files with such a name are
  /// removed, so it must not be a name that a user would choose.
  private static let temporary = ".reelux-tmp-"

  /// - Parameter path: The file as an absolute path. If it is a symbolic link, the property `path` is the link's
  ///   target.
  init(path: String, steps: StorageSteps) throws {
    self.path = try Self.target(of: path)
    self.steps = steps
    (folder, name) = Self.parts(self.path)
  }

  /// The bytes of the file; `nil` if it does not exist.
  func read() throws -> [UInt8]? {
    try steps.willDo(.readFile)
    guard try status("read") != nil else { return nil }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw failure("read", path) }
    defer { close(file) }
    try requireRegular(file, "read", path)
    var bytes: [UInt8] = []
    while true {
      let (part, error) = Descriptor.read(1 << 16, from: file)
      guard error == 0 else { throw failure("read", path, error) }
      if part.isEmpty { return bytes }
      bytes += part
    }
  }

  /// Replaces the content of the file, completely or not at all. Mode and owner do not change.
  func replace(with bytes: [UInt8]) throws {
    let temporary = "\(path)\(Self.temporary)\(getpid())"
    let before = try status("replace")
    var isMade = false
    do {
      try steps.willDo(.createTemporary)
      // The flags create a new file and never follow a link. The file is never more readable than the one that it
      // replaces.
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let file = unsafe open(temporary, flags, before == nil ? 0o644 : 0o600)
      guard file >= 0 else { throw failure("write", temporary) }
      isMade = true
      defer { close(file) }
      try write(bytes, to: file, temporary)
      if let before { try keepOwnerAndMode(of: before, on: file) }
      try steps.willDo(.syncTemporary)
      guard systemSync(file) == 0 else { throw failure("sync", temporary) }
      try steps.willDo(.rename)
      guard unsafe rename(temporary, path) == 0 else { throw failure("replace", path) }
    } catch {
      if isMade { unsafe unlink(temporary) }
      throw error
    }
  }

  private func keepOwnerAndMode(of before: stat, on file: Int32) throws {
    var now = stat()
    guard unsafe fstat(file, &now) == 0 else { throw failure("inspect", path) }
    if now.st_uid != before.st_uid || now.st_gid != before.st_gid {
      guard fchown(file, before.st_uid, before.st_gid) == 0 else { throw failure("keep the owner of", path) }
    }
    guard fchmod(file, before.st_mode & 0o7777) == 0 else { throw failure("keep the mode of", path) }
  }

  /// The status of the regular file at the path; `nil` if nothing exists there. Anything else there is an error.
  private func status(_ action: String) throws -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failure(action, path)
    }
    try Self.requireRegular(status, action, path)
    return status
  }

  /// Throws if something other than a regular file exists at the path.
  func requireRegularIfPresent() throws { _ = try status("read") }

  /// Throws if an open file is not a regular file.
  func requireRegular(_ file: Int32, _ action: String, _ path: String) throws {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failure(action, path) }
    try Self.requireRegular(status, action, path)
  }

  static func requireRegular(_ status: stat, _ action: String, _ path: String) throws {
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw FavoritesFailure(.storage, "cannot \(action) '\(path)': Is a directory")
    case S_IFIFO: kind = "a FIFO"
    case S_IFSOCK: kind = "a socket"
    case S_IFCHR, S_IFBLK: kind = "a device"
    case S_IFLNK: kind = "a symbolic link"
    default: kind = "something else"
    }
    throw FavoritesFailure(.storage, "cannot \(action) '\(path)': it is \(kind), not a file")
  }

  private func write(_ bytes: [UInt8], to file: Int32, _ name: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try steps.willDo(.writePart)
      let part = rest.prefix(max(1, steps.part))
      let (_, error) = Descriptor.write(part, to: file)
      guard error == 0 else { throw failure("write", name, error) }
      rest = rest.dropFirst(part.count)
    }
  }

  /// Renames the file to the first free name. The caller must hold the lock.
  func keepAside(suffix: String) throws {
    try steps.willDo(.keepAside)
    guard unsafe rename(path, freeName(suffix: suffix)) == 0 else { throw failure("rename", path) }
    // A loss of power may undo the rename. The next change then renames the file again, so a failed sync is not
    // reported.
    try? syncFolder()
  }

  /// The first free name of `path.suffix-1`, `-2`, ….
  func freeName(suffix: String) -> String {
    var number = 1
    var status = stat()
    while unsafe lstat("\(path).\(suffix)-\(number)", &status) == 0 { number += 1 }
    return "\(path).\(suffix)-\(number)"
  }

  /// Removes temporary files of killed processes: those that end with the number of a process. The caller must hold
  /// the lock.
  func removeLeftovers() throws {
    try steps.willDo(.removeLeftovers)
    guard let directory = unsafe opendir(folder) else { return }
    defer { unsafe closedir(directory) }
    let prefix = name + Self.temporary
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
    while let entry = unsafe readdir(directory) {
      // An entry ends after its name, so it can be shorter than a `dirent`. Only the name is read.
      let found = unsafe String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      guard found.utf8.starts(with: prefix.utf8) else { continue }
      let process = found.utf8.dropFirst(prefix.utf8.count)
      if !process.isEmpty, process.allSatisfy({ (48...57).contains($0) }) { unsafe unlink("\(folder)/\(found)") }
    }
  }
}

// MARK: - Folders

extension AtomicFile {
  /// Creates the missing folders, which only the user can read, and syncs the folder that contains each of them.
  func createFolder() throws {
    try steps.willDo(.createFolder)
    var missing: [String] = []
    var current = folder
    while unsafe access(current, F_OK) != 0, errno == ENOENT {
      missing.append(current)
      current = Self.parts(current).folder
    }
    for created in missing.reversed() {
      guard unsafe mkdir(created, 0o700) == 0 || errno == EEXIST else { throw failure("create the folder", created) }
      try sync(Self.parts(created).folder)
    }
  }

  /// Syncs the names in the folder.
  func syncFolder() throws {
    try steps.willDo(.syncFolder)
    try sync(folder)
  }

  private func sync(_ folder: String) throws {
    let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder without the permission to read it cannot be opened. Then all files are synced.
    if directory < 0, errno == EACCES { return systemSyncAll() }
    guard directory >= 0 else { throw failure("open the folder", folder) }
    defer { close(directory) }
    // Some file systems cannot sync a folder and return EINVAL. They have nothing to sync.
    guard Descriptor.retrying({ fsync(directory) }) == 0 || errno == EINVAL else {
      throw failure("sync the folder", folder)
    }
  }

  /// The bytes are searched, because a slash before a combining character is not a character of its own.
  private static func parts(_ path: String) -> (folder: String, name: String) {
    let mark = UInt8(ascii: "/")
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == mark { path = path[..<path.utf8.index(before: path.endIndex)] }
    guard let slash = path.utf8.lastIndex(of: mark) else { return (".", String(path)) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.utf8.index(after: slash)...]))
  }

  /// An absolute path, which does not depend on the working directory. If the path of that folder is not UTF-8, no text
  /// names the folder, and the path stays relative.
  static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let bytes = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(bytes) }
    guard let folder = unsafe String(validatingCString: bytes) else { return path }
    return "\(folder)/\(path)"
  }

  /// The target of symbolic links at the end of the path. The target need not exist.
  private static func target(of path: String) throws -> String {
    var path = path
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    for _ in 0..<40 {
      let count = unsafe readlink(path, &bytes, bytes.count)
      if count < 0 { return path }  // It is not a link, or does not exist.
      guard let link = String(validating: bytes[..<count], as: UTF8.self) else {
        throw FavoritesFailure(.storage, "cannot use '\(path)': the target of the symbolic link is not UTF-8")
      }
      path = link.utf8.first == UInt8(ascii: "/") ? link : "\(parts(path).folder)/\(link)"
    }
    throw FavoritesFailure(.storage, "cannot use '\(path)': its symbolic links form a circle")
  }
}

// MARK: - System calls whose names AtomicFile uses too

/// Syncs a file to the disk itself. On Apple platforms, `fsync` alone syncs only to the drive's cache.
private func systemSync(_ file: Int32) -> Int32 {
  #if canImport(Darwin)
    fcntl(file, F_FULLFSYNC) == 0 ? 0 : Descriptor.retrying { fsync(file) }
  #else
    Descriptor.retrying { fsync(file) }
  #endif
}

/// Syncs all files and folders to the disk.
private func systemSyncAll() { sync() }

extension AtomicFile {
  /// The failure of a call with its path and its error.
  func failure(_ action: String, _ path: String, _ error: Int32 = errno) -> FavoritesFailure {
    FavoritesFailure(.storage, "cannot \(action) '\(path)': \(Descriptor.reason(error))")
  }
}
