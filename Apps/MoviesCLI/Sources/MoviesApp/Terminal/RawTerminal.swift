import Dispatch
import Foundation
import ReeluxCore

/// The terminal while a full screen is open: keys come one by one, without echo, and the screen before comes back at the
/// end.
///
/// The process has one terminal, so its settings are kept once.
enum RawTerminal {
  /// The settings before; `nil` while the terminal is as it was.
  private static let before = Locked<termios?>(nil)

  /// Whether both ends of the program are a terminal.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.output.isTerminal }

  /// Switches the terminal to raw keys and the alternate screen, without a
  /// cursor.
  static func enter() {
    before.withLock { before in
      var settings = termios()
      guard before == nil, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      before = settings
      cfmakeraw(&settings)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    StandardStream.output.write("\u{1B}[?1049h\u{1B}[?25l", flush: true)
  }

  /// Restores the terminal. Does nothing if it is restored already. May be called on any thread, also while the
  /// process ends.
  static func leave() {
    let settings = before.withLock { before in
      defer { before = nil }
      return before
    }
    guard var settings else { return }
    StandardStream.output.write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l", flush: true)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Stops the process as ^Z does, with the terminal as it was before; returns when it is continued.
  static func suspend() {
    leave()
    // Sent to this thread, so that nothing below runs before the process stops; the thread may have been started with the
    // signal blocked. Without a shell that can continue the process, it goes on.
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    raise(SIGTSTP)
    enter()
  }

  /// The size of the terminal; 80 x 24 if it does not say.
  static var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Reads keys on a thread of its own until the input ends or `isOpen` says no.
  ///
  /// - Parameters:
  ///   - isOpen: Asked at least ten times a second.
  ///   - press: Called with each key, on that thread.
  static func readKeys(while isOpen: @escaping @Sendable () -> Bool, press: @escaping @Sendable (ScreenKey?) -> Void) {
    Thread.detachNewThread {
      var reader = ScreenKeyReader()
      var bytes = [UInt8](repeating: 0, count: 1024)
      while isOpen() {
        var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = Descriptor.retrying { poll(&wanted, 1, 100) }
        if ready == 0 {
          for key in reader.keysAfterPause() { press(key) }
          continue
        }
        let count = ready < 0 ? -1 : bytes.withUnsafeMutableBytes { Descriptor.read(into: $0, from: STDIN_FILENO) }
        if count < 0, errno == EAGAIN { continue }
        guard count > 0 else { return press(nil) }
        for key in reader.keys(in: bytes[..<count]) { press(key) }
      }
    }
  }

  /// Calls `resized` with the new size whenever it changes, until the result is cancelled.
  static func watchSize(_ resized: @escaping @Sendable (ScreenSize) -> Void) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global(qos: .userInitiated))
    source.setEventHandler { resized(size) }
    source.resume()
    return source
  }
}
