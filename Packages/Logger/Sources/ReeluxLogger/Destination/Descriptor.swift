internal import Foundation

/// Writing to a file descriptor to the end, whatever happens on the way.
package enum Descriptor {
  /// Writes all bytes. Interruptions are repeated; a closed pipe is an error, never a signal.
  /// - Returns: How many bytes were written when the error, if any, happened.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, error: OutputError?) {
    withoutPipeSignal(descriptor) {
      bytes.withUnsafeBytes { buffer in
        var written = 0
        while written < buffer.count {
          let count = Foundation.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
          if count > 0 {
            written += count
          } else if count < 0, errno == EAGAIN {
            var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&poller, 1, 1_000) == 0 { return (written, OutputError(code: EAGAIN, call: "write")) }
          } else if count == 0 || errno != EINTR {
            return (written, .last("write"))
          }
        }
        return (written, nil)
      }
    }
  }

  /// Holds back the signal that a write into a closed pipe raises; it would end the process.
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

/// Messages of the logger itself.
package enum StandardError {
  @Sendable package static func write(_ text: String) {
    _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
  }
}
