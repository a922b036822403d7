#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// Reading from a file descriptor and writing to it; an interrupted call is repeated.
///
/// Core itself does neither. The packages on top of it share this code, which no library of the toolchain offers.
package enum Descriptor {
  /// Makes a system call again as long as a signal interrupts it.
  ///
  /// - Returns: What the call returned; if it is -1, `errno` says why.
  package static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Reads at most as many bytes as the buffer holds.
  ///
  /// - Parameter offset: Where in the file; `nil` for where the last read ended.
  /// - Returns: How many were read: 0 at the end, -1 for an error, which `errno` names.
  package static func read(
    into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int? = nil
  ) -> Int {
    retrying {
      guard let offset else { return systemRead(descriptor, buffer.baseAddress, buffer.count) }
      return pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
  }

  /// Writes all bytes.
  ///
  /// A descriptor that is full and non-blocking gets one second for each part. A closed
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
      let count = retrying { systemWrite(descriptor, start + offset, buffer.count - offset) }
      if count > 0 {
        offset += count
        continue
      }
      let error = count == 0 ? ENOSPC : errno
      switch error {
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
          _ = retrying { sigtimedwait(&pipe, nil, &none) }
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
      }
      return body()
    #endif
  }
}

// The system's functions, which those of `Descriptor` hide.

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
