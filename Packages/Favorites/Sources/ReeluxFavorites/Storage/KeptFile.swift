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

/// One file that is replaced as a whole: the system calls for it, each
/// announced before it is made, and each failure reported with what, where and why.
///
/// Nothing but a regular file is ever opened.
struct KeptFile: Sendable {
  let path: String
  let folder: String
  let name: String
  let steps: StorageSteps

  /// - Parameter path: The file, as an absolute path; if it is a symbolic link, what it leads to is kept.
  init(path: String, steps: StorageSteps) throws {
    self.path = try Self.target(of: path)
    self.steps = steps
    (folder, name) = Self.parts(self.path)
  }

  /// The bytes of the file, or `nil` if there is none.
  func read() throws -> [UInt8]? {
    try steps.willDo(.readFile)
    guard try status("read") != nil else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw failure("read", path) }
    defer { close(file) }
    try requireRegular(file, "read", path)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { Descriptor.read(into: $0, from: file) }
      guard count >= 0 else { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }

  /// Puts the bytes in the place of the file, all of them or none; mode and owner stay.
  func replace(with bytes: [UInt8]) throws {
    let temporary = "\(path).tmp-\(getpid())"
    let before = try status("replace")
    var isMade = false
    do {
      try steps.willDo(.createTemporary)
      // The file itself, not what a link of this name leads to; and never more readable than the one that it replaces.
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let file = open(temporary, flags, before == nil ? 0o644 : 0o600)
      guard file >= 0 else { throw failure("write", temporary) }
      isMade = true
      defer { close(file) }
      try write(bytes, to: file, temporary)
      if let before { try keepOwnerAndMode(of: before, on: file) }
      try steps.willDo(.syncTemporary)
      guard systemSync(file) == 0 else { throw failure("sync", temporary) }
      try steps.willDo(.rename)
      guard rename(temporary, path) == 0 else { throw failure("replace", path) }
    } catch {
      if isMade { unlink(temporary) }
      throw error
    }
  }

  private func keepOwnerAndMode(of before: stat, on file: Int32) throws {
    var now = stat()
    guard fstat(file, &now) == 0 else { throw failure("inspect", path) }
    if now.st_uid != before.st_uid || now.st_gid != before.st_gid {
      guard fchown(file, before.st_uid, before.st_gid) == 0 else { throw failure("keep the owner of", path) }
    }
    guard fchmod(file, before.st_mode & 0o7777) == 0 else { throw failure("keep the mode of", path) }
  }

  /// The status of the regular file at the path, or `nil` if there is none; anything else there is an error.
  private func status(_ action: String) throws -> stat? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failure(action, path)
    }
    try Self.requireRegular(status, action, path)
    return status
  }

  /// Fails if an open file is not a regular one.
  func requireRegular(_ file: Int32, _ action: String, _ path: String) throws {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(action, path) }
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
      guard error == 0 else {
        errno = error
        throw failure("write", name)
      }
      rest = rest.dropFirst(part.count)
    }
  }

  /// Renames the file to the first free one of `path.suffix-1`, `-2`, …; call it with the lock held.
  func keepAside(suffix: String) throws -> String {
    try steps.willDo(.keepAside)
    var number = 1
    var status = stat()
    while lstat("\(path).\(suffix)-\(number)", &status) == 0 { number += 1 }
    let aside = "\(path).\(suffix)-\(number)"
    guard rename(path, aside) == 0 else { throw failure("keep aside", path) }
    try syncFolder()
    return aside
  }

  /// Removes temporary files of killed processes; call it with the lock held.
  func removeLeftovers() throws {
    try steps.willDo(.removeLeftovers)
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let found = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if found.hasPrefix("\(name).tmp-") { unlink("\(folder)/\(found)") }
    }
  }
}

// MARK: - Folders

extension KeptFile {
  /// Creates the folders that are missing, and makes sure that they stay.
  func createFolder() throws {
    try steps.willDo(.createFolder)
    var missing: [String] = []
    var current = folder
    while access(current, F_OK) != 0, errno == ENOENT {
      missing.append(current)
      current = Self.parts(current).folder
    }
    for created in missing.reversed() {
      guard mkdir(created, 0o755) == 0 || errno == EEXIST else { throw failure("create the folder", created) }
      try sync(Self.parts(created).folder)
    }
  }

  /// Makes sure that the names in the folder stay as they are.
  func syncFolder() throws {
    try steps.willDo(.syncFolder)
    try sync(folder)
  }

  private func sync(_ folder: String) throws {
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw failure("open the folder", folder) }
    defer { close(directory) }
    // Some file systems can't sync a folder and say EINVAL: they have nothing to sync.
    guard fsync(directory) == 0 || errno == EINVAL else { throw failure("sync the folder", folder) }
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    var path = path[...]
    while path.count > 1, path.last == "/" { path = path.dropLast() }
    guard let slash = path.lastIndex(of: "/") else { return (".", String(path)) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  /// A path that stays the same when the working directory changes.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// What a path leads to through symbolic links at its end, also if that does not exist.
  private static func target(of path: String) throws -> String {
    var path = path
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    for _ in 0..<40 {
      let count = readlink(path, &bytes, bytes.count)
      if count < 0 { return path }  // It is no link, or does not exist.
      let link = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = link.hasPrefix("/") ? link : "\(parts(path).folder)/\(link)"
    }
    throw FavoritesFailure(.storage, "cannot use '\(path)': its symbolic links lead to each other")
  }
}

// MARK: - The system's names, which this type's own would hide

/// Brings a file to the disk itself; on Apple's systems `fsync` alone stops at the drive's cache.
private func systemSync(_ file: Int32) -> Int32 {
  #if canImport(Darwin)
    fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file)
  #else
    fsync(file)
  #endif
}

extension KeptFile {
  /// What failed, where, and why, from `errno`.
  func failure(_ action: String, _ path: String) -> FavoritesFailure {
    let reason = String(cString: strerror(errno))
    return FavoritesFailure(.storage, "cannot \(action) '\(path)': \(reason)")
  }
}
