import ReeluxCore
import Foundation

/// A buffered output stream of the process. A write does not throw; the first error is kept in ``failure``.
package final class StandardStream: Sendable {
  /// The reason why writing stopped.
  package enum Failure: Hashable, Sendable {
    /// The reader has closed the pipe.
    case closed
    /// The system reported an error, such as a full disk.
    case refused(String)
  }

  private struct Contents: Sendable {
    var buffer: [UInt8] = []
    var failure: Failure?
  }

  /// Standard output.
  package static let output = StandardStream(descriptor: STDOUT_FILENO)

  /// Standard error.
  package static let error = StandardStream(descriptor: STDERR_FILENO)

  /// Whether the stream is a terminal.
  package let isTerminal: Bool

  private static let capacity = 1 << 16
  private let descriptor: Int32
  private let contents = Locked(Contents())

  init(descriptor: Int32) {
    self.descriptor = descriptor
    self.isTerminal = isatty(descriptor) == 1
  }

  /// Whether the process was started with this stream. If the stream was closed, its number may belong to a descriptor
  /// of the runtime, which is not a file, device, pipe or socket.
  package var isOpen: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != 0
  }

  /// The first error, if any.
  package var failure: Failure? { contents.withLock { $0.failure } }

  /// Writes text to the buffer. Flushes the buffer if `flush` is true or if it holds at least 64 KiB. Does nothing
  /// after a failure.
  package func write(_ text: String, flush: Bool = false) {
    contents.withLock { contents in
      guard contents.failure == nil else { return }
      contents.buffer.append(contentsOf: text.utf8)
      if flush || contents.buffer.count >= Self.capacity { Self.drain(&contents, to: descriptor) }
    }
  }

  /// Writes the content of the buffer.
  package func flush() {
    contents.withLock { Self.drain(&$0, to: descriptor) }
  }

  /// The terminal's width in columns: `COLUMNS` of the environment, else the size that the system reports. `nil` if the
  /// stream is not a terminal or the width is unknown.
  package func columns(environment: [String: String]) -> Int? {
    guard isTerminal else { return nil }
    if let columns = environment["COLUMNS"].flatMap(Int.init), columns > 0 { return columns }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func drain(_ contents: inout Contents, to descriptor: Int32) {
    var rest = contents.buffer[...]
    while !rest.isEmpty, contents.failure == nil {
      let (written, error) = Descriptor.write(rest, to: descriptor)
      rest = rest.dropFirst(written)
      switch error {
      // The reader is slow, so the loop waits for it without a time limit.
      case 0, EAGAIN: continue
      case EPIPE: contents.failure = .closed
      case let code: contents.failure = .refused(Descriptor.reason(code))
      }
    }
    contents.buffer.removeAll(keepingCapacity: true)
  }
}
