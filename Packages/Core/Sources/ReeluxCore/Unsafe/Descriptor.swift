#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// Writing to a file descriptor.
///
/// Core itself writes nothing. The packages on top of it share this code, which no library of the toolchain offers.
package enum Descriptor {
  /// Writes all bytes.
  ///
  /// An interrupted call is repeated. A descriptor that is full and non-blocking gets one second for each part. A closed
  /// pipe is an error (`EPIPE`); the signal for it is held back.
  ///
  /// - Returns: The number of bytes written, and the `errno` of the call that failed; zero if none did.
  package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> (written: Int, error: Int32) {
    let result = bytes.withContiguousStorageIfAvailable { buffer in
      withoutPipeSignal(descriptor) { writeAll(UnsafeRawBufferPointer(buffer), to: descriptor) }
    }
    return result ?? write(Array(bytes), to: descriptor)
  }

  // `offset` stays below the buffer's count, so the address lies inside the buffer.
  private static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> (written: Int, error: Int32) {
    guard let start = buffer.baseAddress else { return (0, 0) }
    var offset = 0
    while offset < buffer.count {
      let count = systemWrite(descriptor, start + offset, buffer.count - offset)
      if count > 0 {
        offset += count
        continue
      }
      let error = count == 0 ? ENOSPC : errno
      switch error {
      case EINTR: continue
      case EAGAIN:
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&wanted, 1, 1_000) == 0 { return (offset, EAGAIN) }
      default: return (offset, error)
      }
    }
    return (offset, 0)
  }

  /// Holds back the signal that a write into a closed pipe raises. By default it ends the process.
  private static func withoutPipeSignal<Result>(_ descriptor: Int32, _ body: () -> Result) -> Result {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
      return body()
    #else
      var pipe = sigset_t()
      var before = sigset_t()
      var pending = sigset_t()
      sigemptyset(&pipe)
      sigaddset(&pipe, SIGPIPE)
      sigpending(&pending)
      let wasPending = sigismember(&pending, SIGPIPE) == 1
      pthread_sigmask(SIG_BLOCK, &pipe, &before)
      defer {
        if !wasPending {
          var none = timespec()
          while sigtimedwait(&pipe, nil, &none) == -1, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
      }
      return body()
    #endif
  }
}

/// The system's `write`, which `Descriptor.write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
