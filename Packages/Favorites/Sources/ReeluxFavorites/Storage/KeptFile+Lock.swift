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

extension KeptFile {
  /// Calls `body` while no other process, and no other storage of this process, changes the file.
  ///
  /// The lock is the system's (`flock`) on a file beside it, so it ends with
  /// the process, however that ends. The lock file stays: removing it would
  /// let two processes hold two different ones.
  func withLock<Result>(timeout: Duration, _ body: () throws -> Result) throws -> Result {
    try steps.willDo(.lock)
    let lockPath = "\(path).lock"
    var status = stat()
    if lstat(lockPath, &status) == 0 { try Self.requireRegular(status, "lock", lockPath) }
    let file = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure("lock", lockPath) }
    defer { close(file) }
    try requireRegular(file, "lock", lockPath)
    try acquire(file, lockPath, timeout)
    note(getpid(), in: file)
    let result = try body()
    try steps.willDo(.unlock)
    return result
  }

  /// Waits for the lock by asking again, up to fifty times a second: `flock` itself knows no deadline.
  private func acquire(_ file: Int32, _ lockPath: String, _ timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    var pause: UInt32 = 500
    while Descriptor.retrying({ flock(file, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else { throw failure("lock", lockPath) }
      guard ContinuousClock.now < deadline else {
        let holder = holder(in: file).map { "process \($0)" } ?? "another process"
        throw FavoritesFailure(
          .storage, "cannot change '\(path)': \(holder) has held '\(lockPath)' for \(timeout)")
      }
      usleep(pause)
      pause = min(20_000, pause * 2)
    }
  }

  /// Writes down which process holds the lock, for the message of another one that waits in vain; no harm if it fails.
  ///
  /// A file of this name that holds anything but a process number is left as it is.
  private func note(_ process: Int32, in file: Int32) {
    guard let content = content(of: file), content.allSatisfy({ $0 == 10 || (48...57).contains($0) }) else { return }
    let text = Array("\(process)\n".utf8)
    _ = ftruncate(file, 0)
    _ = pwrite(file, text, text.count, 0)
  }

  private func holder(in file: Int32) -> Int32? {
    content(of: file).flatMap { Int32(String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)) }
  }

  /// What a lock file holds; `nil` if it is longer than a process number.
  private func content(of file: Int32) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = bytes.withUnsafeMutableBytes { Descriptor.read(into: $0, from: file, at: 0) }
    return (0..<bytes.count).contains(count) ? bytes[..<count] : nil
  }
}
