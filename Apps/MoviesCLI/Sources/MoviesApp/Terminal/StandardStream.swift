import ReeluxCore
import Foundation

/// An output stream of the process that buffers, and remembers what went wrong instead of throwing at every line.
package final class StandardStream: Sendable {
  /// Why nothing is written any more.
  package enum Failure: Hashable, Sendable {
    /// The reader has closed the pipe; it has had enough.
    case closed
    /// The system refused, for this reason: a full disk, say.
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

  /// Whether the stream ends at a terminal.
  package let isTerminal: Bool

  private static let capacity = 1 << 16
  private let descriptor: Int32
  private let contents = Locked(Contents())

  init(descriptor: Int32) {
    self.descriptor = descriptor
    self.isTerminal = isatty(descriptor) == 1
  }

  /// Whether the process was given this stream. One that was closed may by now be an inner descriptor of the runtime, which is
  /// neither a file nor a device, a pipe or a socket.
  package var isOpen: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != 0
  }

  /// What went wrong so far.
  package var failure: Failure? { contents.withLock { $0.failure } }

  /// Writes text, sooner or later; at once when `flush` is true.
  package func write(_ text: String, flush: Bool = false) {
    contents.withLock { contents in
      guard contents.failure == nil else { return }
      contents.buffer.append(contentsOf: text.utf8)
      if flush || contents.buffer.count >= Self.capacity { Self.drain(&contents, to: descriptor) }
    }
  }

  /// Writes what is buffered.
  package func flush() {
    contents.withLock { Self.drain(&$0, to: descriptor) }
  }

  /// The terminal's width in columns; `nil` when the stream ends elsewhere or the terminal does not say.
  package func columns(environment: [String: String]) -> Int? {
    guard isTerminal else { return nil }
    if let columns = environment["COLUMNS"].flatMap(Int.init), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func drain(_ contents: inout Contents, to descriptor: Int32) {
    var rest = contents.buffer[...]
    while !rest.isEmpty, contents.failure == nil {
      let (written, error) = Descriptor.write(rest, to: descriptor)
      rest = rest.dropFirst(written)
      switch error {
      // The reader is slow: it gets all the time that it needs.
      case 0, EAGAIN: continue
      case EPIPE: contents.failure = .closed
      case let code: contents.failure = .refused(String(cString: strerror(code)))
      }
    }
    contents.buffer.removeAll(keepingCapacity: true)
  }
}
