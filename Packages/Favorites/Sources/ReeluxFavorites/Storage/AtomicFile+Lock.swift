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

extension AtomicFile {
  /// Calls `body` while no other process, and no other storage of this process, can change the file.
  ///
  /// The lock is the system's `flock` on a separate file, so it ends with the process. The lock file is not removed,
  /// because two processes could otherwise lock two different files.
  func withLock<Result>(timeout: Duration, _ body: () throws -> Result) throws -> Result {
    try steps.willDo(.lock)
    let lockPath = "\(path).lock"
    var status = stat()
    if unsafe lstat(lockPath, &status) == 0 { try Self.requireRegular(status, "lock", lockPath) }
    let file = unsafe open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure("lock", lockPath) }
    defer { close(file) }
    try requireRegular(file, "lock", lockPath)
    try acquire(file, lockPath, timeout)
    note(getpid(), in: file)
    let result = try body()
    try steps.willDo(.unlock)
    return result
  }

  /// Tries to get the lock after delays that double from 0.5 ms to 20 ms, because `flock` has no timeout.
  private func acquire(_ file: Int32, _ lockPath: String, _ timeout: Duration) throws {
    let deadline = ContinuousClock.now + timeout
    var pause: UInt32 = 500
    while Descriptor.retrying({ flock(file, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else { throw failure("lock", lockPath) }
      guard ContinuousClock.now < deadline else {
        let holder = holder(in: file).map { "process \($0)" } ?? "another process"
        throw FavoritesFailure(
          .storage, "cannot change '\(path)': '\(lockPath)' was not free for \(timeout); now \(holder) holds it")
      }
      usleep(pause)
      pause = min(20_000, pause * 2)
    }
  }

  /// Writes the number of this process, which holds the lock, into the lock file. The error message of a waiting
  /// process contains this number. A failure has no consequence.
  ///
  /// A file of this name with other content than a process number is not changed.
  private func note(_ process: Int32, in file: Int32) {
    guard let content = content(of: file), content.allSatisfy({ $0 == 10 || (48...57).contains($0) }) else { return }
    let text = Array("\(process)\n".utf8)
    _ = ftruncate(file, 0)
    _ = unsafe pwrite(file, text, text.count, 0)
  }

  private func holder(in file: Int32) -> Int32? {
    content(of: file).flatMap { Int32(String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)) }
  }

  /// The content of a lock file; `nil` if it is longer than a process number.
  private func content(of file: Int32) -> [UInt8]? {
    let (bytes, error) = Descriptor.read(16, from: file, at: 0)
    return error == 0 && bytes.count < 16 ? bytes : nil
  }
}
