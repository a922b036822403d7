#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// Functions that read from and write to a file descriptor. They repeat interrupted calls.
///
/// ReeluxCore itself does not use files. The packages that depend on it share this code, because no library of the
/// toolchain offers it.
///
/// This is correct, because each pointer is used inside one system call only, with the size of the memory behind it.
/// `strerror` returns text that is copied before another call.
package enum Descriptor {
  /// Repeats a system call as long as a signal interrupts it.
  ///
  /// - Returns: The result of the call. If it is -1, `errno` contains the reason.
  package static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Reads at most `count` bytes.
  ///
  /// - Parameter offset: The offset in a file. With it, reads until `count` bytes or the end of the file. Without it,
  ///   makes one system call, which returns what a pipe or a terminal has, and waits if there is nothing.
  /// - Returns: The bytes read, none at the end, and the `errno` of the failed call; zero if none failed.
  package static func read(
    _ count: Int, from descriptor: Int32, at offset: Int? = nil
  ) -> (bytes: [UInt8], error: Int32) {
    // All threads share the storage of an empty array, and the standard library would write its count there.
    if count <= 0 { return ([], 0) }
    var error: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count, let start = buffer.baseAddress {
        let got = retrying {
          guard let offset else { return unsafe systemRead(descriptor, start, count) }
          return unsafe pread(descriptor, start + done, count - done, off_t(offset + done))
        }
        if got < 0 { error = errno }
        if got > 0 { done += got }
        if got <= 0 || offset == nil { return }
      }
    }
    return (bytes, error)
  }

  /// The system's text for an `errno`: `No such file or directory`.
  package static func reason(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }

  /// Writes all bytes.
  ///
  /// Each time a non-blocking descriptor is full, it waits at most one second. A closed pipe is an error
  /// (`EPIPE`). The signal for it is blocked.
  ///
  /// - Returns: The number of bytes written, and the `errno` of the failed call; zero if none failed.
  package static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> (written: Int, error: Int32) {
    let result = bytes.withContiguousStorageIfAvailable { buffer in
      withoutPipeSignal(descriptor) { unsafe writeAll(UnsafeRawBufferPointer(buffer), to: descriptor) }
    }
    return result ?? write(Array(bytes), to: descriptor)
  }

  // `offset` is less than the buffer's count, so the address is inside the buffer.
  private static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> (written: Int, error: Int32) {
    guard let start = buffer.baseAddress else { return (0, 0) }
    var offset = 0
    while offset < buffer.count {
      let count = retrying { unsafe systemWrite(descriptor, start + offset, buffer.count - offset) }
      if count > 0 {
        offset += count
        continue
      }
      let error = count == 0 ? ENOSPC : errno
      if error != EAGAIN { return (offset, error) }
      var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&wanted, 1, 1_000) == 0 { return (offset, EAGAIN) }
    }
    return (offset, 0)
  }

  /// Blocks the signal that a write to a closed pipe raises. By default this signal ends the process.
  private static func withoutPipeSignal<Result>(_ descriptor: Int32, _ body: () -> Result) -> Result {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
      return body()
    #else
      var pipe = sigset_t()
      var before = sigset_t()
      var pending = sigset_t()
      unsafe sigemptyset(&pipe)
      unsafe sigaddset(&pipe, SIGPIPE)
      unsafe sigpending(&pending)
      let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
      unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
      defer {
        if !wasPending {
          var none = timespec()
          _ = retrying { unsafe sigtimedwait(&pipe, nil, &none) }
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      }
      return body()
    #endif
  }
}

// The system's functions, which have the same names as those of `Descriptor`.

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
