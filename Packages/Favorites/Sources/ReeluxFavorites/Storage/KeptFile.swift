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
/// announced before it is made, and each failure told with what, where and why.
struct KeptFile: Sendable {
  let path: String
  let folder: String
  let name: String
  let steps: StorageSteps

  /// - Parameter path: The file; if it is a symbolic link, what it leads to is kept.
  init(path: String, steps: StorageSteps) {
    self.path = Self.resolved(path)
    self.steps = steps
    (folder, name) = Self.parts(self.path)
  }

  /// The bytes of the file, or `nil` if there is none.
  func read() throws -> [UInt8]? {
    try steps.willDo(.readFile)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard file >= 0 else { throw failure("read", path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = systemRead(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }

  /// Puts the bytes in the place of the file, all of them or none.
  func replace(with bytes: [UInt8]) throws {
    let temporary = "\(path).tmp-\(getpid())"
    do {
      try steps.willDo(.createTemporary)
      let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw failure("write", temporary) }
      defer { close(file) }
      try write(bytes, to: file, temporary)
      try steps.willDo(.syncTemporary)
      guard systemSync(file) == 0 else { throw failure("sync", temporary) }
      try steps.willDo(.rename)
      guard rename(temporary, path) == 0 else { throw failure("replace", path) }
    } catch {
      unlink(temporary)
      throw error
    }
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

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

// MARK: - The system's names, which this type's own would hide

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, bytes, count)
}

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
